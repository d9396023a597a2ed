"""Plays a random free cell of Tic-tac-toe, and answers questions about the state of the game."""
import random
import sys

CELLS = [column + row for row in "123" for column in "abc"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

moves = []


def winner():
    """The player, 0 or 1, who has three in a row."""
    player_at = {CELLS.index(move): number % 2 for number, move in enumerate(moves)}
    rows = [[player_at.get(cell) for cell in line] for line in LINES]
    return next((row[0] for row in rows if row in ([0] * 3, [1] * 3)), None)


def answer(what):
    over = winner() is not None or len(moves) == 9
    if what == "gameover":
        return str(over).lower()
    if what == "p1turn":
        return str(len(moves) % 2 == 0).lower()
    return "none" if not over else {0: "p1win", 1: "p2win", None: "draw"}[winner()]


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name Bot\nugiok")
    elif word == "isready":
        print("readyok")
    elif word == "position":
        moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
    elif word == "query":
        print("response", answer(rest[0]))
    elif word == "quit":
        break
    elif word == "go":
        print("bestmove", random.choice([cell for cell in CELLS if cell not in moves]))
    sys.stdout.flush()
