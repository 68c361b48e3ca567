"""`python -m hippograph.cli`, the same as `hippograph`."""

from hippograph.cli.app import main

main()
