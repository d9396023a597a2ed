#!/usr/bin/env python3
"""Opens a table in one pseudo-terminal, joins it from another, and makes the picture of docs/together.md.

    python3 assets/pictures/two_terminals.py [OUT.png] [PROGRAM]

Has the requirements of record.py.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

import pyte
import record
from PIL import Image, ImageFont

record.COLUMNS, record.ROWS = COLUMNS, ROWS = 60, 22
GAP = 18


class Window:
    def __init__(self, home, program, *arguments):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
            environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "HOME": home}
            environment |= {"XDG_STATE_HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home}
            os.execvpe(program, [program, *arguments], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.stream.feed(os.read(self.terminal, 65536))
                except OSError:  # the program has ended
                    return

    def type(self, keys):
        os.write(self.terminal, keys.encode())


def main():
    root = Path(__file__).resolve().parents[2]
    out = sys.argv[1] if len(sys.argv) > 1 else root / "assets/pictures/two-terminals.png"
    program = sys.argv[2] if len(sys.argv) > 2 else str(root / "target/dist/quadrille")
    with tempfile.TemporaryDirectory() as home:
        ann = Window(home, program, "play", "dots-and-boxes", "size=5", "--names", "Ann,guest")
        ann.read(2)
        ann.type(record.ENTER)
        bob = Window(home, program, "join", "--name", "Bob", "--theme", "paper")
        bob.read(2)
        for window, move in zip([ann, bob] * 20, "H0,0 H2,1 V1,1 H4,3 V0,4 H3,0 V2,2 H1,3 V1,3 H0,2 V3,1".split()):
            window.type(f":{move}{record.ENTER}")
            for window in (ann, bob):
                window.read(0.7)
        for window in (ann, bob):
            window.read(1)
        fonts = {bold: ImageFont.truetype(f"DejaVuSansMono{'-Bold' if bold else ''}.ttf", 14) for bold in (False, True)}
        left, right = (record.picture(window.screen, fonts) for window in (ann, bob))
        image = Image.new("RGB", (left.width * 2 + GAP, left.height), "#808080")
        image.paste(left, (0, 0))
        image.paste(right, (left.width + GAP, 0))
        image.quantize(64, dither=Image.Dither.NONE).save(out, optimize=True)
        for window in (bob, ann):
            os.kill(window.child, signal.SIGTERM)
            os.waitpid(window.child, 0)
        os.system(f"XDG_RUNTIME_DIR={home} XDG_STATE_HOME={home} {program} table close dots-and-boxes")
    print(f"{out}: {os.path.getsize(out)} bytes")


main()
