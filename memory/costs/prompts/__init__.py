"""The judge's prompts, as data: one Markdown file each, in Chinese and English."""
