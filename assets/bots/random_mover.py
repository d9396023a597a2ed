#!/usr/bin/env python3
"""Plays a random legal move of any game, from the list that it is sent."""
import random
import sys

legal, waiting = [], False

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name Random")
        print("option name Legal type check default true")
        print("option name Seed type spin default 0 min 0 max 4294967295")
        print("ugiok")
    elif word == "isready":
        print("readyok")
    elif word == "setoption" and rest[1] == "Seed":
        random.seed(int(rest[3]))
    elif word == "legal":
        legal = rest
    elif word == "quit":
        break
    elif word == "go" or word == "stop" and waiting:
        waiting = "infinite" in rest
        if not waiting:
            print("bestmove", random.choice(legal or ["none"]))
    sys.stdout.flush()
