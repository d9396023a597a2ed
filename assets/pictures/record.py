#!/usr/bin/env python3
"""Runs the program in a pseudo-terminal to make the recording and the screenshots of README.md.

    python3 assets/pictures/record.py [--only NAME] [PROGRAM]

PROGRAM is target/release/quadrille by default. Needs the Python packages pyte and pillow, and the font DejaVu Sans Mono.
The keys are in recording.txt and screenshots.txt; a test replays them. The recording is drawn in cells. In screenshots,
boards are images, as in iTerm2.
"""

import argparse
import base64
import fcntl
import io
import os
import pty
import re
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from pathlib import Path

import pyte
from PIL import Image, ImageDraw, ImageFont

PAPER, INK = "14161d", "d9dee8"

FOLDER = Path(__file__).resolve().parent
KEYS = {"\\r": "\r", "\\t": "\t", "\\e": "\x1b"}

BOX = {  # arms: left, right, up, down; then the thickness in pixels at normal size
    "─": (1, 1, 0, 0, 1), "━": (1, 1, 0, 0, 3), "│": (0, 0, 1, 1, 1), "┃": (0, 0, 1, 1, 3),
    "╭": (0, 1, 0, 1, 1), "╮": (1, 0, 0, 1, 1), "╰": (0, 1, 1, 0, 1), "╯": (1, 0, 1, 0, 1),
    "┌": (0, 1, 0, 1, 1), "┐": (1, 0, 0, 1, 1), "└": (0, 1, 1, 0, 1), "┘": (1, 0, 1, 0, 1),
}
# Quadrants as bits: upper left, upper right, lower left, lower right.
QUADRANTS = dict(zip("▘▝▀▖▌▞▛▗▚▐▜▄▙▟█", range(1, 16)))
EIGHTHS = {"▁": 1, "▂": 2, "▃": 3, "▅": 5, "▆": 6, "▇": 7}
NAMED = {
    "black": "000000", "red": "cd3131", "green": "0dbc79", "brown": "e5e510", "blue": "2472c8", "magenta": "bc3fbc",
    "cyan": "11a8cd", "white": "e5e5e5",
}
START = b"\x1b]1337"
IMAGE = re.compile(re.escape(START) + rb";File=[^:]*width=(\d+);height=(\d+)[^:]*:([^\x07]*)\x07")


def color(name, default):
    digits = default if name == "default" else NAMED.get(name, name)
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


class Terminal:
    """A program and the screen that it has drawn. `scale` is 1 for cells of 9 by 18 pixels."""

    def __init__(self, program, arguments, home, size=(80, 24), scale=1):
        self.columns, self.rows = size
        self.scale = scale
        self.cell, self.line = 9 * scale, 18 * scale
        font = "DejaVuSansMono{}.ttf"
        self.fonts = {bold: ImageFont.truetype(font.format("-Bold" if bold else ""), 14 * scale) for bold in (False, True)}
        self.screen = pyte.Screen(*size)
        self.stream = pyte.ByteStream(self.screen)
        self.unread = b""
        # The part of an image on each cell, and the text below it.
        self.images = {}
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
            environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "HOME": str(home)}
            # The program starts when its window has a size.
            time.sleep(0.1)
            os.chdir(home)
            os.execvpe(program, [program, *arguments], environment)
        window = struct.pack("HHHH", self.rows, self.columns, self.columns * self.cell, self.rows * self.line)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, window)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def outputs(self, seconds):
        """Yields what the program writes in this time, with the moment at which it arrives."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    output = os.read(self.terminal, 65536)
                except OSError:  # The program has ended.
                    return
                yield time.monotonic(), output

    def run(self, script):
        """Types keys, each shown for some seconds."""
        for keys, seconds in script:
            self.type(keys)
            for _, output in self.outputs(seconds):
                self.feed(output)

    def feed(self, output):
        self.unread += output
        while image := IMAGE.search(self.unread):
            self.stream.feed(self.unread[: image.start()])
            self.unread = self.unread[image.end() :]
            self.place(*image.groups())
        # What may be the beginning of an image stays unread.
        last = self.unread.rfind(b"\x1b")
        is_image = last >= 0 and (self.unread[last:].startswith(START) or START.startswith(self.unread[last:]))
        end = last if is_image else len(self.unread)
        self.stream.feed(self.unread[:end])
        self.unread = self.unread[end:]

    def place(self, columns, rows, data):
        image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")
        image = image.resize((int(columns) * self.cell, int(rows) * self.line))
        for row in range(int(rows)):
            for column in range(int(columns)):
                x, y = column * self.cell, row * self.line
                at = (self.screen.cursor.y + row, self.screen.cursor.x + column)
                part = image.crop((x, y, x + self.cell, y + self.line))
                self.images[at] = (part, self.screen.buffer[at[0]][at[1]])

    def picture(self):
        image = Image.new("RGB", (self.columns * self.cell, self.rows * self.line), color(PAPER, PAPER))
        draw = ImageDraw.Draw(image)
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self.screen.buffer[row][column]
                ink, paper = color(cell.fg, INK), color(cell.bg, PAPER)
                if cell.reverse:
                    ink, paper = paper, ink
                x, y = column * self.cell, row * self.line
                draw.rectangle([x, y, x + self.cell - 1, y + self.line - 1], fill=paper)
                part, below = self.images.get((row, column), (None, None))
                if below == cell:
                    image.paste(part, (x, y), part)
                elif cell.data:
                    self.draw_glyph(draw, cell, x, y, ink)
        return image

    def draw_glyph(self, draw, cell, x, y, ink):
        glyph, width, height = cell.data, self.cell, self.line
        if glyph in BOX:
            left, right, up, down, thick = BOX[glyph]
            thick *= self.scale
            cx, cy, half = x + width // 2, y + height // 2, thick // 2
            if left or right:
                draw.rectangle([x if left else cx - half, cy - half, x + width - 1 if right else cx + half, cy - half + thick - 1], fill=ink)
            if up or down:
                draw.rectangle([cx - half, y if up else cy - half, cx - half + thick - 1, y + height - 1 if down else cy + half], fill=ink)
        elif glyph in QUADRANTS:
            middle, half = (width + 1) // 2, height // 2
            for bit, (left, top, right, bottom) in enumerate(
                [(0, 0, middle, half), (middle, 0, width, half), (0, half, middle, height), (middle, half, width, height)]
            ):
                if QUADRANTS[glyph] >> bit & 1:
                    draw.rectangle([x + left, y + top, x + right - 1, y + bottom - 1], fill=ink)
        elif glyph in EIGHTHS:
            draw.rectangle([x, y + height - EIGHTHS[glyph] * height // 8, x + width - 1, y + height - 1], fill=ink)
        elif 0x2800 <= ord(glyph[0]) <= 0x28FF:
            for bit, (column, row) in enumerate([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]):
                if (ord(glyph[0]) - 0x2800) >> bit & 1:
                    left, top = x + (1 + column * 5) * self.scale, y + (1 + row * 4) * self.scale
                    draw.rectangle([left, top, left + 2 * self.scale - 1, top + 2 * self.scale - 1], fill=ink)
        elif glyph.strip():
            draw.text((x, y + self.scale), glyph, font=self.fonts[cell.bold], fill=ink)

    def close(self):
        os.kill(self.child, signal.SIGTERM)
        os.waitpid(self.child, 0)


def scenes(script):
    """Yields (name, size, arguments, [(keys, seconds shown)]) for each scene."""
    scene = None
    for line in (FOLDER / script).read_text().splitlines():
        if line.startswith("$ "):
            name, size, *arguments = line[2:].split()
            if scene:
                yield scene
            scene = (name, tuple(map(int, size.split("x"))), arguments, [])
        elif line and not line.startswith("#"):
            keys, seconds, _ = line.split("|")
            keys = keys.strip()
            for name, key in KEYS.items():
                keys = keys.replace(name, key)
            scene[-1].append((keys, float(seconds)))
    yield scene


def prepared_home():
    """Makes a home folder with the records of this folder, where nothing depends on earlier matches."""
    home = Path(tempfile.mkdtemp())
    for copied in FOLDER.glob("*.game"):
        shutil.copy(copied, home)
    return home


def screenshot(program, name, size, arguments, script):
    terminal = Terminal(program, [*arguments, "--graphics", "iterm2"], prepared_home(), size, scale=2)
    terminal.run(script)
    terminal.close()
    save(terminal.picture(), FOLDER / f"{name}.png")


def save(image, out):
    image.quantize(128, dither=Image.Dither.NONE).save(out, optimize=True)
    print(f"{out}: {os.path.getsize(out)} bytes")


def frames(program, size, arguments, script):
    """Returns [(picture, milliseconds)], with a picture for each frame of an animation."""
    terminal = Terminal(program, arguments, prepared_home(), size)
    outputs = []
    for keys, seconds in script:
        terminal.type(keys)
        outputs.extend(terminal.outputs(seconds))
    end = time.monotonic()
    terminal.close()
    frames = []
    for (begin, output), (next_begin, _) in zip(outputs, [*outputs[1:], (end, b"")]):
        terminal.feed(output)
        # A frame may arrive in several parts.
        if next_begin - begin >= 0.01:
            picture = terminal.picture()
            if not frames or picture != frames[-1][0]:
                frames.append((picture, begin))
    ends = [begin for _, begin in frames[1:]] + [end]
    return [(picture, round((end - begin) * 100) * 10) for (picture, begin), end in zip(frames, ends)]


def recording(program, out):
    shown = [frame for _, *scene in scenes("recording.txt") for frame in frames(program, *scene)]
    # Browsers show each picture for at least 20 ms.
    shown = [(image, milliseconds) for image, milliseconds in shown if milliseconds >= 20]
    images = [image for image, _ in shown]
    # With one shared palette, unchanged areas take no space in the GIF.
    samples = images[:: max(1, len(images) // 12)]
    sample = Image.new("RGB", (images[0].width, images[0].height * len(samples)))
    for index, image in enumerate(samples):
        sample.paste(image, (0, index * image.height))
    palette = sample.quantize(128, dither=Image.Dither.NONE)
    images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations = [milliseconds for _, milliseconds in shown]
    images[0].save(out, save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=False)
    print(f"{out}: {len(images)} pictures, {sum(durations) / 1000:.1f} s, {os.path.getsize(out)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="make only this picture; the recording is `terminal`")
    parser.add_argument("program", nargs="?", default=FOLDER.parents[1] / "target/release/quadrille")
    args = parser.parse_args()
    program = str(Path(args.program).resolve())
    for name, *scene in scenes("screenshots.txt"):
        if args.only in (None, name):
            screenshot(program, name, *scene)
    if args.only in (None, "terminal"):
        recording(program, FOLDER / "terminal.gif")


if __name__ == "__main__":
    main()
