"""Leaves out what needs OpenSpiel where there is none to install (Macs with an Intel processor)."""

from importlib.util import find_spec

collect_ignore_glob = (
    [] if find_spec("pyspiel") else ["test_openspiel_*.py", "test_adapter_docs.py"]
)
