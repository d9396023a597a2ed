#!/usr/bin/env python3
"""Prints the program's texts for a review of their English: each string literal of two or more words outside of tests,
with file and line, or each comment block with --comments.

    python3 assets/texts.py src crates
    python3 assets/texts.py --comments src crates
    python3 assets/texts.py --sample 200 --seed 1 src crates
"""

import argparse
import pathlib
import random
import re

STRING = re.compile(r"//[^\n]*|b?r(#*)\"(.*?)\"\1|b?\"((?:\\.|[^\"\\])*)\"|'(?:\\.[^']*|[^'\\\n])'", re.S)
COMMENT = re.compile(r"^[ ]*//[/!]? ?(.*)$")
WORD = re.compile(r"[A-Za-z]{2,}")


def code(path):
    """Returns the code before the test module."""
    text = path.read_text(encoding="utf-8")
    return text.split("#[cfg(test)]\nmod tests {")[0]


def strings(text):
    for found in STRING.finditer(text):
        literal = found[2] if found[2] is not None else found[3]
        if literal is not None:
            literal = re.sub(r"\\\n\s*", "", literal)
            if len(WORD.findall(re.sub(r"\{[^}]*\}", "", literal))) >= 2:
                yield text.count("\n", 0, found.start()) + 1, literal


def comments(text):
    begun, words = 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = COMMENT.match(line)
        if comment and comment[1]:
            begun = begun if words else number
            words.append(comment[1])
        elif words:
            yield begun, " ".join(words)
            words = []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comments", action="store_true")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("roots", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    find = comments if args.comments else strings
    lines = []
    for root in args.roots:
        for path in sorted(root.rglob("*.rs")):
            if path.name != "tests.rs" and "tests" not in path.parts:
                lines.extend(f"{path}:{line}: {text}" for line, text in find(code(path)))
    if args.sample:
        lines = sorted(random.Random(args.seed).sample(lines, min(args.sample, len(lines))))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
