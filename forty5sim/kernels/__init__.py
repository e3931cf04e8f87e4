"""The compiled core: numba and numpy only; ints, masks and int64 vectors."""
