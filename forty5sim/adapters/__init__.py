"""The games in other libraries: ``openspiel_games``, ``openspiel_players``, ``pettingzoo_env``.

Each adapter needs its extra, ``forty5sim[openspiel]`` or ``forty5sim[pettingzoo]``; see
docs/adapters.md. They hold no rules: every deal is a ``Game``, every observation a ``View``.
"""
