#!/usr/bin/env python3
"""Looks for seams between cells that belong together, in screenshots of xterm with the font DejaVu Sans Mono.

    python3 assets/pictures/seams.py [--sizes 8,9] [--keep FOLDER] [PROGRAM]

In many fonts, block glyphs leave the last row or column of pixels of their cell to the background. For each font size
and each screen below, the script runs the program (target/debug/quadrille) in an xterm under Xvfb and types keys. All
characters but block elements are replaced by spaces: Braille, box-drawing characters and letters belong to the font. A
seam is a run of pixels at the edge of cells, at least half a cell long, in another color than the pixels on both sides,
which are equal. The script prints the number of seams of each screen, with the first one, in pixels and cells. It
returns 1 if there are any.

Needs xterm, Xvfb, ImageMagick's `import`, and the Python package pillow.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tty
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parent
FONT = "DejaVu Sans Mono"
BOARDS = ["dots-and-boxes", "join-the-dots", "quixo", "tic-tac-toe", "intersections"]
# Columns, rows, arguments and keys: the home screen, and the last board of each record.
SCREENS = {f"home {columns}x{rows}": (columns, rows, [], "") for columns, rows in [(80, 24), (120, 40), (200, 60)]}
SCREENS |= {
    f"{board} {columns}x{rows}": (columns, rows, ["replay", str(FOLDER / f"{board}-play.game")], "Gb")
    for columns, rows in [(80, 24), (120, 40), (200, 60)]
    for board in BOARDS
}
ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|[\0-\x1f]")
QUIET = 0.4
PATIENCE = 10.0


def blocks_only(text):
    """Replaces all characters but block elements by spaces."""
    end, parts = 0, []
    for escape in ESCAPE.finditer(text):
        parts += [re.sub("[^\u2580-\u259f]", " ", text[end : escape.start()]), escape.group()]
        end = escape.end()
    return "".join(parts) + re.sub("[^\u2580-\u259f]", " ", text[end:])


def child(ready, keys, argv):
    """Runs in the xterm: relays the program's output, types the keys, and tells when the screen is complete."""
    rows, columns, width, height = struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, b"\0" * 8))
    tty.setraw(0)
    pid, program = pty.fork()
    if pid == 0:
        os.execvp(argv[0], argv)
    fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    data, waiting = b"", list(keys)
    while True:
        # Answers of the xterm go to the program.
        readable, _, _ = select.select([program, 0], [], [], QUIET)
        if program in readable:
            data += os.read(program, 65536)
        elif readable:
            os.write(program, os.read(0, 65536))
        if select.select([program], [], [], 0.05)[0]:
            continue
        os.write(1, blocks_only(data.decode(errors="ignore")).encode())
        data = b""
        if not readable and waiting:
            os.write(program, waiting.pop(0).encode())
        elif not readable:
            Path(ready).write_text(f"{width // columns} {height // rows}")
            time.sleep(PATIENCE)
            return


def screenshot(display, size, screen, program, folder):
    """Returns a screenshot and the size of a cell."""
    columns, rows, arguments, keys = screen
    ready, image = folder / "ready", folder / "screen.png"
    ready.unlink(missing_ok=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    env |= {"DISPLAY": display, "HOME": str(folder), "LANG": "C.UTF-8", "COLORTERM": "truecolor"}
    here = [sys.executable, __file__, "--child", str(ready), keys, program, "--motion", "never", *arguments]
    look = ["-tn", "xterm-256color", "-fa", FONT, "-fs", str(size), "-b", "0", "-bw", "0", "+sb", "-geometry"]
    xterm = subprocess.Popen(["xterm", *look, f"{columns}x{rows}+0+0", "-e", *here], env=env)
    try:
        end = time.monotonic() + PATIENCE
        while not ready.exists() or not ready.read_text():
            if time.monotonic() > end or xterm.poll() is not None:
                sys.exit("xterm did not show the program")
            time.sleep(0.05)
        cell = tuple(map(int, ready.read_text().split()))
        time.sleep(0.1)
        subprocess.run(["import", "-window", "root", str(image)], env=env, check=True)
    finally:
        xterm.kill()
        xterm.wait()
    picture = Image.open(image).convert("RGB")
    return picture.crop((0, 0, columns * cell[0], rows * cell[1])), cell


def differ(one, other):
    return max(abs(a - b) for a, b in zip(one, other)) > 6


def seams(picture, cell):
    """Yields each seam as (x, y, length, is_vertical)."""
    pixels = picture.load()
    for is_vertical in (False, True):
        # `across` counts the pixels across the possible seam, `along` those along it.
        across, along = (0, 1) if is_vertical else (1, 0)
        at = (lambda a, b: pixels[a, b]) if is_vertical else (lambda a, b: pixels[b, a])
        for edge in range(cell[across], picture.size[across] - 1, cell[across]):
            for line in (edge - 1, edge):
                run, colors = 0, None
                for b in range(picture.size[along] + 1):
                    here = None
                    if b < picture.size[along] and 0 < line:
                        before, seam, after = (at(line + step, b) for step in (-1, 0, 1))
                        if not differ(before, after) and differ(seam, before):
                            here = (before, seam)
                    if here is None or (run and (differ(here[0], colors[0]) or differ(here[1], colors[1]))):
                        if run >= cell[along] // 2:
                            yield (line, b - run, run, True) if is_vertical else (b - run, line, run, False)
                        run = 0
                    if here is not None:
                        run, colors = run + 1, here


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="8,9,10,11,12,13,14")
    parser.add_argument("--screens", default="", help="only screens with this in their name")
    parser.add_argument("--keep", type=Path, help="save the screenshots in this folder")
    parser.add_argument("program", nargs="?", default="target/debug/quadrille")
    options = parser.parse_args()
    # Also then, neither Xvfb nor xterm may stay behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    reading, writing = os.pipe()
    server = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "3000x1800x24", "-nolisten", "tcp"]
    xvfb = subprocess.Popen(server, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    all_seams = 0
    try:
        display = ":" + os.read(reading, 20).decode().strip()
        program = str(Path(options.program).resolve())
        for size in map(int, options.sizes.split(",")):
            for name, screen in SCREENS.items():
                if options.screens not in name:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    picture, cell = screenshot(display, size, screen, program, Path(folder))
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    picture.save(options.keep / f"{name.replace(' ', '-')}-{size}.png")
                found = list(seams(picture, cell))
                all_seams += len(found)
                if found:
                    x, y, length, is_vertical = found[0]
                    upright = sum(seam[3] for seam in found)
                    where = f"first at {x},{y} (cell {x // cell[0]},{y // cell[1]}), {length} long"
                    print(f"size {size}: {name}: {len(found) - upright} horizontal, {upright} vertical; {where}", flush=True)
    finally:
        xvfb.terminate()
        xvfb.wait()
    print(f"{all_seams} seams")
    sys.exit(all_seams > 0)


if sys.argv[1:2] == ["--child"]:
    child(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    main()
