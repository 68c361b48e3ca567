"""The `hippograph` command."""

from hippograph.cli.app import main

__all__ = ["main"]
