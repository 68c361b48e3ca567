"""The local page: chat, the pipeline of each turn, and what memory holds; also mounted by `langgraph dev`."""
