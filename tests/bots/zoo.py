"""Bots that break down in every way there is; most at some questions only, the same each time."""

import ctypes
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

EVERY_N = 19
"""They break down at about one question in so many, picked by the key of the question."""


def first(view):
    return view.legal[0]


def is_bad(view):
    return view.key % EVERY_N == 0


class First:
    def act(self, view):
        return first(view)


class Hangs:
    def act(self, view):
        while is_bad(view):
            pass
        return first(view)


class Late:
    """Answers after its time, but before anybody looks."""

    def __init__(self, seconds=0.53):
        self.seconds = seconds

    def act(self, view):
        if is_bad(view):
            time.sleep(self.seconds)
        return first(view)


class HangsOnce:
    def __init__(self, mark):
        self.mark = Path(mark)

    def act(self, view):
        if not self.mark.exists():
            self.mark.touch()
            time.sleep(1000)
        return first(view)


class HangsInInit:
    def __init__(self):
        time.sleep(1000)

    def act(self, view):
        return first(view)


class HangsInStart(First):
    def start(self, rules, seat, seed):
        time.sleep(1000 if seat == 1 else 0)


class HangsInFinish(First):
    def start(self, rules, seat, seed):
        self.seat = seat

    def finish(self, points):
        time.sleep(1000 if self.seat == 1 else 0)


class EndsItsProcess:
    def act(self, view):
        if is_bad(view):
            os._exit(3)
        return first(view)


class KillsItself:
    def act(self, view):
        if is_bad(view):
            os.kill(os.getpid(), signal.SIGKILL)
        return first(view)


class Crashes:
    def act(self, view):
        if is_bad(view):
            ctypes.string_at(0)
        return first(view)


class ClosesEverything:
    def act(self, view):
        os.closerange(3, 64)
        return first(view)


class TakesAllMemory:
    kept = []  # noqa: RUF012

    def act(self, view):
        while is_bad(view):
            self.kept.append(bytearray(10_000_000))
        return first(view)


class Mutates:
    """Writes all over its view, and answers as it would have."""

    def act(self, view):
        answer = first(view)
        view.legal.clear()
        view.legal_mask = (1 << 63) - 1
        view.hand.mask = view.thrown.mask = 0
        view._words[:] = [0] * len(view._words)
        view.key = 0
        return answer


class Cheats:
    """Makes every action legal in its view, and takes one that is not."""

    def act(self, view):
        answer = next(card for card in range(52) if card not in view.legal)
        view.legal_mask = (1 << 63) - 1
        view.legal[:] = range(63)
        return answer


class PrintsALot:
    def act(self, view):
        print("x" * 100_000)
        os.write(1, b"y" * 100_000)
        return first(view)


class Redirects:
    def act(self, view):
        sys.stdout = sys.stderr = None
        sys.setrecursionlimit(5000)
        random.seed(0)
        return first(view)


class StartsThreads:
    def act(self, view):
        threading.Thread(target=time.sleep, args=(1000,)).start()
        return first(view)


class StartsAProcess:
    def act(self, view):
        os.fork()  # the copy comes back too, and must not answer for the original
        return first(view)


class ReadsInput:
    def act(self, view):
        return input("which card? ")


class WrongError(Exception):
    def __str__(self):
        raise RuntimeError("and that too")


class RaisesBadly:
    def act(self, view):
        raise WrongError


class Escapes:
    def act(self, view):
        raise BaseException("out of here")


class SaysItIsAnInt:
    def act(self, view):
        class Five(int):
            def __index__(self):
                return view.legal[0]

            __int__ = __index__

            def __repr__(self):
                raise RuntimeError

        return Five(-5)


class Peeks:
    """Looks for the whole deal in the frames of those who ask it."""

    def act(self, view):
        frame = sys._getframe(1)
        while frame is not None:
            for value in frame.f_locals.values():
                hands = getattr(value, "hands", None)
                if isinstance(hands, list):
                    return view.legal[hash(tuple(hand.mask for hand in hands)) % len(view.legal)]
            frame = frame.f_back
        return first(view)


class TellsItsPartner:
    """Keeps notes in one object for all seats, so that each seat reads what the others saw."""

    def __init__(self):
        self.seen = {}

    def act(self, view):
        self.seen[view.seat] = view.hand.mask
        others = [mask for seat, mask in self.seen.items() if seat != view.seat]
        return view.legal[sum(others) % len(view.legal)]


class Moody:
    """Draws random numbers of its own, not those of its view."""

    def act(self, view):
        return random.choice(view.legal)


class Counts:
    """Chooses by how often it was asked, in one object for all deals."""

    def __init__(self):
        self.count = 0

    def act(self, view):
        self.count += 1
        return view.legal[self.count % len(view.legal)]


class SortsInPlace:
    def act(self, view):
        view.legal.sort(key=lambda action: -action)
        return view.legal[0]


class ForOneGame(First):
    games = ("five-hundred",)

    def act(self, view):
        assert view.rules.name == "five-hundred"
        return first(view)


class ForNoGame(First):
    games = ("whist",)
