"""Names of users and conversations where their own must not stand."""

from hashlib import sha256


def thread_key(user: str, thread: str) -> str:
    """Return the checkpointer's thread id for one user's thread: two users' threads of one name never meet."""
    return sha256(f"{len(user)}:{user}{thread}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def space_hash(space: str) -> str:
    """Return what stands for a user in traces and in a checkpoint's metadata."""
    return sha256(space.encode("utf-8", "replace")).hexdigest()[:32]
