"""The full-screen table of ``forty5sim play``; needs the extra ``forty5sim[play]``.

``table_app`` is the screen, ``croupier`` plays the game on behind it; ``drawing``, ``board`` and
``wording`` say what is shown and need no textual.
"""
