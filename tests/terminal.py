"""A person at a terminal, scripted: reads the prompts of ``forty5sim play`` and answers them."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pexpect

PROMPT = re.compile(
    r"(your lead|your card|throw [^>\r\n]*|jink, or [^>]*\?|next deal|your call \([^>]*\)"
    r"|name trumps|give the Joker a suit, or none|which suit is to be followed\?) > "
)
COMMAND = "from forty5sim.cli import main; main()"


def usual_answer(prompt: str, hand: str) -> str:
    """Return the first card that may be played, the last one to be thrown; always jink or pass."""
    if "next deal" in prompt:
        return ""
    if "jink" in prompt:
        return "jink"
    if "your call" in prompt:
        return "pass"
    if "or none" in prompt:
        return "none"
    if "trumps" in prompt or "followed" in prompt:
        return "S"
    if "cards" in prompt:
        count = int(prompt.split()[1])
        return " ".join(hand.split("\n")[0].split()[-count:])
    cards = re.findall(r"\[(10|[2-9JQKA])([♠♣♦♥])\]|\[(JK)\]", hand)
    return "".join(cards[-1] if "throw" in prompt else cards[0])


ADVISER = ("--adviser", "heuristic")  # quick, and the same whatever bots are measured to be


def advice_in(shown: str) -> str:
    """Return the last hint that was shown, as it is typed."""
    advice = shown.rpartition("heuristic would ")[2].splitlines()[0]
    return re.sub(r"^(play|throw|bid|name|say) ", "", advice)


class Person:
    """A terminal with the program in it, and all that it has shown.

    Args:
        folder: where the program runs.
        arguments: of ``forty5sim play``.
        columns: the width of the terminal.
        follows_hints: whether it asks for a hint and does what that says, always.
    """

    def __init__(
        self, folder: Path, *arguments: str, columns: int = 80, follows_hints: bool = False
    ) -> None:
        self.follows_hints = follows_hints
        self.transcript = io.StringIO()
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", COMMAND, "play", "--plain", *ADVISER, *arguments],
            cwd=str(folder),
            encoding="utf-8",
            timeout=240,
            dimensions=(40, columns),
        )
        self.child.delaybeforesend = None
        self.child.logfile_read = self.transcript

    def next_prompt(self) -> str | None:
        """Wait for the next prompt and return its text; None when the program has ended."""
        found = self.child.expect([PROMPT, pexpect.EOF])
        return None if found else str(self.child.match.group(1))

    def say(self, text: str) -> str:
        """Type a line; return what is shown after it, with the next prompt."""
        shown = len(self.text())
        self.child.sendline(text)
        self.next_prompt()
        return self.text()[shown:]

    def answer(self, prompt: str) -> str:
        """Return what to type at a prompt."""
        if self.follows_hints and "next deal" not in prompt:
            return advice_in(self.say("hint"))
        return usual_answer(prompt, self.hand())

    def hand(self) -> str:
        """Return the line of the hand that was shown last."""
        return self.text().rpartition("your hand:")[2]

    def text(self) -> str:
        """Return all that was shown so far, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.transcript.getvalue())

    def play_until(self, word: str) -> str | None:
        """Play to the next prompt with this word in it; return it, None if the game ends first."""
        prompt = self.next_prompt()
        while prompt is not None and word not in prompt:
            self.child.sendline(self.answer(prompt))
            prompt = self.next_prompt()
        return prompt

    def play_to_the_end(self, prompt: str | None = None) -> str:
        """Play until the game is over; return the whole transcript."""
        prompt = prompt or self.next_prompt()
        while prompt is not None:
            self.child.sendline(self.answer(prompt))
            prompt = self.next_prompt()
        self.child.close()
        return self.text()
