#!/usr/bin/env python3
"""Updates the values and times on docs/values.md: python3 assets/values.py [--slow] [WORD ...]

Reruns the command at the end of each table row, and updates the row's value and time. Runs only rows that take at
most ten seconds, or all rows with --slow; with WORDs, only rows that contain every WORD. Runs target/dist/quadrille,
or the program in $QUADRILLE. A value that differs from the page is reported, not written.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "values.md"
SECONDS = 10
ROW = re.compile(r"^(\|.*\|) ([^|]*) \| ([^|]*) \| `([^`|]+)` \|$")


def seconds(cell):
    """Parses a row's time; infinite if unknown."""
    number, _, unit = cell.partition(" ")
    return float(number) * {"s": 1, "min": 60}[unit] if unit else float("inf")


def shown(took):
    if took < 9.95:
        return f"{took:.2f} s" if took < 0.995 else f"{took:.1f} s"
    return f"{took:.0f} s" if took < 599.5 else f"{took / 60:.0f} min"


def value(printed):
    """Returns the dots of a round, or else the exact value; counts each of several values."""
    found = re.findall(r"^round: (\d+)", printed, re.M) or re.findall(r"^exact: ([^,\n]+)", printed, re.M)
    if len(found) == 1:
        return found[0]
    counts = sorted(Counter(found).items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} × {one}" for one, count in counts)


def run(command, program, limit):
    """Returns the command's output and run time; the output is None after a timeout."""
    with tempfile.TemporaryDirectory() as home:
        # The commands call the program quadrille, whatever its file name.
        (Path(home) / "quadrille").symlink_to(program)
        folders = f"{home}{os.pathsep}{os.environ['PATH']}"
        # Without settings and cached tables.
        own = {f"XDG_{kind}_HOME": home for kind in ("CACHE", "CONFIG", "STATE")}
        before = time.monotonic()
        process = subprocess.Popen(
            ["sh", "-c", command],
            cwd=ROOT,
            env={**os.environ, **own, "PATH": folders},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=limit)
        except BaseException as stopped:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if isinstance(stopped, subprocess.TimeoutExpired):
                return None, 0
            raise
    # The exit status is ignored: with three or more players only the round is solved, so the match counts as unsolved.
    return printed, time.monotonic() - before


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--slow", action="store_true", help="also what takes longer than ten seconds")
    arguments.add_argument("words", nargs="*", metavar="WORD", help="only rows with each of these words")
    arguments = arguments.parse_args()
    program = Path(os.environ.get("QUADRILLE", ROOT / "target/dist/quadrille")).resolve()
    if not program.is_file():
        sys.exit(f"{program}: not there; `cargo build --profile dist` makes it, or QUADRILLE names another")

    lines = PAGE.read_text().splitlines()
    wrong = 0
    for number, line in enumerate(lines):
        row = ROW.match(line)
        if not row or not all(word in line for word in arguments.words):
            continue
        before, known, took, command = row.groups()
        if seconds(took) > SECONDS and took != "?" and not arguments.slow:
            continue
        printed, took = run(command, program, None if arguments.slow else SECONDS)
        found = printed and value(printed)
        if not found:
            print(f"not found in {SECONDS} s: {command}" if printed is None else f"nothing found: {command}")
            wrong += printed is not None
            continue
        print(f"{found}  {shown(took)}  {command}", flush=True)
        if known not in ("?", found):
            print(f"  but the page says {known}")
            wrong += 1
            continue
        lines[number] = f"{before} {found} | {shown(took)} | `{command}` |"
        # The page is replaced atomically after each row, so that an interruption loses nothing.
        new = PAGE.with_suffix(".new")
        new.write_text("\n".join(lines) + "\n")
        new.replace(PAGE)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
