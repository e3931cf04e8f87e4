"""Advice on a decision, and reviews of recorded ones, from what a seat can know.

``advising`` answers what each action is worth, ``reviewing`` where a player gave most away. A
position is a deal record, a game, a view, or a short text (``telling``); both look at views only.
"""
