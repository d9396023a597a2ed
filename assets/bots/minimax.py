#!/usr/bin/env python3
"""Tic-tac-toe: full-depth minimax search, never loses."""
import sys
from functools import cache

CELLS = [column + row for row in "123" for column in "abc"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(grid):
    return next((grid[a] for a, b, c in LINES if "-" != grid[a] == grid[b] == grid[c]), None)


def moves(grid):
    return [] if winner(grid) else [cell for cell in range(9) if grid[cell] == "-"]


def play(grid, cell, symbol):
    return grid[:cell] + symbol + grid[cell + 1 :]


def other(symbol):
    return "XO"[symbol == "X"]


@cache
def value(grid, symbol):
    """Returns the value for the player to move: positive for a win, greater for a faster win."""
    if won := winner(grid):
        return (1 if won == symbol else -1) * (1 + grid.count("-"))
    return max((-value(play(grid, cell, symbol), other(symbol)) for cell in moves(grid)), default=0)


def best(grid, symbol):
    worth = lambda cell: -value(play(grid, cell, symbol), other(symbol))
    return CELLS[max(moves(grid), key=worth)] if moves(grid) else "none"


grid, symbol, waiting = "-" * 9, "X", False
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name Minimax\noption name Game type combo default tic-tac-toe var tic-tac-toe")
        print("ugiok")
    elif word == "isready":
        print("readyok")
    elif word == "position":
        setup = dict(it.split("=") for it in rest if "=" in it)
        grid, symbol = setup.get("grid", "-" * 9), setup.get("first", "X")
        for move in rest[rest.index("moves") + 1 :] if "moves" in rest else []:
            grid, symbol = play(grid, CELLS.index(move), symbol), other(symbol)
    elif word == "quit":
        break
    elif word == "go" or word == "stop" and waiting:
        waiting = "infinite" in rest
        if not waiting:
            print("bestmove", best(grid, symbol))
    sys.stdout.flush()
