"""Stretches of time that words name, Chinese and English."""
