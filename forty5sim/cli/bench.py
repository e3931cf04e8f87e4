"""``forty5sim bench``: how fast this machine plays."""
def command() -> None:
    """x"""
