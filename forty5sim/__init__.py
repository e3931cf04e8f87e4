"""Research and simulation toolkit for the Irish five-fingers card games."""
__version__ = "0.1.0"
