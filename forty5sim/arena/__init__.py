"""The arena: bots meet over many boards. One file for each step from plan to result.

===========================  ======================================================================
schedule, roster, stopping   who sits with whom; a field of bots in a file; when a run ends early
plan                         all that fixes the results
conditions, match, batch     what is played; one pairing over some boards; plain bots in lock-step
asked                        where a bot is asked, who looks on, what went wrong
chunks, player, guard, crew  some boards of every pairing; bots from files in processes of their own
workers, cluster             chunks at once, on threads or on a Dask cluster
fields, tally, played        what a row counts; exact sums; what a worker hands over
store, runs, sampling        a run's folder; reading it; some of its boards again
standings, timing, result    tables, decision times, what came of it
planning                     how many boards it takes, beforehand
running                      a tournament from start to end
===========================  ======================================================================
"""
