#!/usr/bin/env python3
"""Runs the program in a pseudo-terminal to make the recording and the screenshots of README.md.

    python3 assets/pictures/record.py [PROGRAM]

Needs the Python packages pyte and pillow, and the font DejaVu Sans Mono. The keys are in recording.txt and
screenshots.txt; a test replays them.
"""

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

import pyte
from PIL import Image, ImageDraw, ImageFont

COLUMNS, ROWS = 80, 24
CELL, LINE = 9, 18
PAPER, INK = "14161d", "d9dee8"

FOLDER = Path(__file__).resolve().parent
KEYS = {"\\r": "\r", "\\t": "\t", "\\e": "\x1b"}

BOX = {  # arms: left, right, up, down; then the thickness in pixels
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


def colour(name, default):
    digits = default if name == "default" else NAMED.get(name, name)
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


def draw_glyph(draw, glyph, x, y, ink, font):
    if glyph in BOX:
        left, right, up, down, thick = BOX[glyph]
        cx, cy, half = x + CELL // 2, y + LINE // 2, thick // 2
        if left or right:
            draw.rectangle([x if left else cx - half, cy - half, x + CELL - 1 if right else cx + half, cy - half + thick - 1], fill=ink)
        if up or down:
            draw.rectangle([cx - half, y if up else cy - half, cx - half + thick - 1, y + LINE - 1 if down else cy + half], fill=ink)
    elif glyph in QUADRANTS:
        middle, half = (CELL + 1) // 2, LINE // 2
        for bit, (left, top, right, bottom) in enumerate(
            [(0, 0, middle, half), (middle, 0, CELL, half), (0, half, middle, LINE), (middle, half, CELL, LINE)]
        ):
            if QUADRANTS[glyph] >> bit & 1:
                draw.rectangle([x + left, y + top, x + right - 1, y + bottom - 1], fill=ink)
    elif glyph in EIGHTHS:
        draw.rectangle([x, y + LINE - EIGHTHS[glyph] * LINE // 8, x + CELL - 1, y + LINE - 1], fill=ink)
    elif 0x2800 <= ord(glyph[0]) <= 0x28FF:
        for bit, (column, row) in enumerate([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]):
            if (ord(glyph[0]) - 0x2800) >> bit & 1:
                left, top = x + 1 + column * 5, y + 1 + row * 4
                draw.rectangle([left, top, left + 1, top + 1], fill=ink)
    elif glyph.strip():
        draw.text((x, y + 1), glyph, font=font, fill=ink)


def picture(screen, fonts):
    image = Image.new("RGB", (COLUMNS * CELL, ROWS * LINE), colour(PAPER, PAPER))
    draw = ImageDraw.Draw(image)
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell = screen.buffer[row][column]
            ink, paper = colour(cell.fg, INK), colour(cell.bg, PAPER)
            if cell.reverse:
                ink, paper = paper, ink
            x, y = column * CELL, row * LINE
            draw.rectangle([x, y, x + CELL - 1, y + LINE - 1], fill=paper)
            if cell.data:
                draw_glyph(draw, cell.data, x, y, ink, fonts[cell.bold])
    return image


def scenes(script):
    """Yields (arguments, [(keys, seconds shown)]) for each scene."""
    for line in (FOLDER / script).read_text().splitlines():
        if line.startswith("$ "):
            scene = (line[2:].split(), [])
            yield scene
        elif line and not line.startswith("#"):
            keys, seconds, _ = line.split("|")
            keys = keys.strip()
            for name, key in KEYS.items():
                keys = keys.replace(name, key)
            scene[1].append((keys, float(seconds)))


def record(program, script):
    """Returns (arguments, [[picture, seconds shown]]) for each scene."""
    fonts = {bold: ImageFont.truetype(f"DejaVuSansMono{'-Bold' if bold else ''}.ttf", 14) for bold in (False, True)}
    home = Path(tempfile.mkdtemp())
    for copied in FOLDER.glob("*.game"):
        shutil.copy(copied, home)
    return [(arguments, play(program, arguments, keys, home, fonts)) for arguments, keys in list(scenes(script))]


def play(program, arguments, script, home, fonts):
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "HOME": str(home)}
        os.chdir(home)
        os.execvpe(program, [program, *arguments], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    frames = []
    for keys, seconds in script:
        os.write(terminal, keys.encode())
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            began = time.monotonic()
            # Each animation frame gets its own picture.
            if select.select([terminal], [], [], left)[0]:
                stream.feed(os.read(terminal, 65536))
                if frames:
                    frames[-1][1] += time.monotonic() - began
                frames.append([picture(screen, fonts), 0.0])
            elif frames:
                frames[-1][1] += time.monotonic() - began
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
    return frames


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(FOLDER.parents[1] / "target/dist/quadrille")
    for arguments, frames in record(program, "screenshots.txt"):
        out = FOLDER / f"{Path(arguments[-1]).stem}.png"
        frames[-1][0].quantize(128, dither=Image.Dither.NONE).save(out, optimize=True)
    out = FOLDER / "terminal.gif"
    frames = [frame for _, frames in record(program, "recording.txt") for frame in frames]
    frames = [(image, round(seconds * 100) * 10) for image, seconds in frames]
    frames = [(image, milliseconds) for image, milliseconds in frames if milliseconds >= 20]
    # With one shared palette, unchanged areas take no space in the GIF.
    images = [image for image, _ in frames]
    sample = Image.new("RGB", (COLUMNS * CELL, ROWS * LINE * 6))
    for index in range(6):
        sample.paste(images[index * (len(images) - 1) // 5], (0, index * ROWS * LINE))
    palette = sample.quantize(128, dither=Image.Dither.NONE)
    images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations = [milliseconds for _, milliseconds in frames]
    images[0].save(out, save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=False)
    print(f"{out}: {len(images)} pictures, {sum(durations) / 1000:.1f} s, {os.path.getsize(out)} bytes")


if __name__ == "__main__":
    main()
