#!/usr/bin/env python3
"""Join the Dots: closes the longest cycle, or joins two random points if there is none."""
import random
import sys
from itertools import combinations


def side(a, b, c):
    """Returns whether point c is left of the line from a to b."""
    return ((where[b] - where[a]).conjugate() * (where[c] - where[a])).imag > 0


def cross(a, b, c, d):
    return not {a, b} & {c, d} and side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


def ways(a):
    """Maps each point connected to a to the shortest path from a."""
    found, queue = {a: [a]}, [a]
    for p in queue:
        for q in near[p] - found.keys():
            found[q] = found[p] + [q]
            queue.append(q)
    return found


def best():
    lines = [(a, b) for a in near for b in near[a] if a < b]
    gain = {(a, b): len(way) for a in near for b, way in ways(a).items()}
    pairs = [(a, b) for a, b in combinations(near, 2) if b not in near[a]]
    pairs.sort(key=lambda pair: (-gain.get(pair, 0), random.random()))
    legal = (pair for pair in pairs if not any(cross(*pair, *line) for line in lines))
    return "{}-{}".format(*next(legal)) if len(near) > 2 else "none"


where, near, waiting = {}, {}, False  # near: the neighbors of each remaining point
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name Greedy\noption name Game type combo default join-the-dots var join-the-dots")
        print("option name Seed type spin default 0 min 0 max 4294967295\nugiok")
    elif word == "isready":
        print("readyok")
    elif word == "setoption" and rest[1] == "Seed":
        random.seed(int(rest[3]))
    elif word == "position":
        setup, _, moves = line.replace("points=", ";").partition(" moves")
        points = [text.split(",") for text in setup.split(";") if "," in text]
        where = {n: complex(*(round(1e6 * float(it)) for it in xy)) for n, xy in enumerate(points, 1)}
        near = {point: set() for point in where}
        for a, b in (map(int, move.split("-")) for move in moves.split()):
            ring = ways(a).get(b, [])
            near[a].add(b), near[b].add(a)
            near = {p: near[p] - set(ring) for p in near if p not in ring}
    elif word == "quit":
        break
    elif word == "go" or word == "stop" and waiting:
        waiting = "infinite" in rest
        if not waiting:
            print("bestmove", best())
    sys.stdout.flush()
