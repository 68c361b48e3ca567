"""Names of conversations in short-term memory."""

from hashlib import sha256


def thread_key(user: str, thread: str) -> str:
    """Return the checkpointer's thread id for one user's thread: two users' threads of one name never meet."""
    return sha256(f"{len(user)}:{user}{thread}".encode()).hexdigest()[:32]
