#!/usr/bin/env python3
"""Opens a table in one pseudo-terminal, joins it from another, and makes the picture of docs/together.md.

    python3 assets/pictures/two_terminals.py [PROGRAM]

Has the requirements of record.py.
"""

import sys
from pathlib import Path

import record
from PIL import Image

SIZE = (60, 22)
GAP = 36
MOVES = "H0,0 H2,1 V1,1 H4,3 V0,4 H3,0 V2,2 H1,3 V1,3 H0,2 V3,1"


def main():
    root = Path(__file__).resolve().parents[2]
    program = str(Path(sys.argv[1] if len(sys.argv) > 1 else root / "target/release/quadrille").resolve())
    home = record.prepared_home()

    def window(*arguments):
        window = record.Terminal(program, [*arguments, "--graphics", "iterm2"], home, SIZE, scale=2)
        window.run([("", 2.5)])
        return window

    ann = window("play", "dots-and-boxes", "size=5", "--seat", "2=guest", "--names", "Ann,guest")
    bob = window("join", "--name", "Bob", "--theme", "paper")
    # Past the notice that a guest has come, and the time in which keys aimed at it are ignored.
    both = [ann, bob]
    for window in both:
        window.run([("", 1.5)])
    for at, move in enumerate(MOVES.split()):
        both[at % 2].run([(f":{move}\r", 0.7)])
        both[1 - at % 2].run([("", 0.7)])
    left, right = (window.picture() for window in both)
    image = Image.new("RGB", (left.width * 2 + GAP, left.height), "#808080")
    image.paste(left, (0, 0))
    image.paste(right, (left.width + GAP, 0))
    record.save(image, record.FOLDER / "two-terminals.png")
    for window in reversed(both):
        window.close()


main()
