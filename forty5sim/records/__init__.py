"""Deal records: one deal as one line of JSON, to be written, read, played back and checked.

The format is ``forty5sim.deal.v1``, described in docs/records.md: a record holds the cards as
dealt, every action in order and what came of it, and can be checked without the program that
made it.
"""

from __future__ import annotations

from forty5sim.records.checking import Coverage, faults_of
from forty5sim.records.form import Record, RecordedAction, RecordedTrick, Result, Standing
from forty5sim.records.making import record_of
from forty5sim.records.playback import Playback
from forty5sim.records.reading import parse_record, read_lines, read_records
from forty5sim.records.writing import RecordWriter, write_records

__all__ = [
    "Coverage",
    "Playback",
    "Record",
    "RecordWriter",
    "RecordedAction",
    "RecordedTrick",
    "Result",
    "Standing",
    "faults_of",
    "parse_record",
    "read_lines",
    "read_records",
    "record_of",
    "write_records",
]
