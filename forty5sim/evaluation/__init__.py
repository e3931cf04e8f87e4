"""What a hand is worth: exactly for two players, by playing it out for more.

``equities`` counts every hand of an opponent, ``playouts`` deals and plays on, ``values`` is the
face of both, ``robbing`` the exact worth of robbing for every hand and turn-up.
"""
