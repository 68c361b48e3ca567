"""Snapshots of a home, and the way back to one."""
