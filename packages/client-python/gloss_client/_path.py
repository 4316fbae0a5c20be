"""Paths of URLs."""

from urllib.parse import quote


def path_of(*segments: str) -> str:
    """
    A path of these segments, with encoded slashes inside them: ``path_of("about", "a/b", "alice/rating")``.

    Raises a ``ValueError`` for the segments ``.`` and ``..``: URL parsers remove them, also when encoded.
    """
    for segment in segments:
        if segment in (".", ".."):
            raise ValueError(
                f"{segment} cannot be used in a path; POST /objects returns the id of the object with that about value"
            )
    return "".join(f"/{quote(segment, safe='')}" for segment in segments)
