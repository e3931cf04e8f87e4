"""Published studies: the machinery behind the files in ``experiments/``."""
