"""The arena: bots meet over many boards. One file for each step from plan to result.

``schedule`` says who sits with whom, ``plan`` all that fixes the results, ``match`` plays a
pairing, ``workers`` plays chunks of boards at once, ``store`` keeps them in a run's folder,
``standings`` sums them up, ``running`` is a tournament from start to end, ``runs`` reads one back,
``sampling`` plays some of its boards again for their records and decisions.
"""
