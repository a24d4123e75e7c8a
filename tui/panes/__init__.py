"""One virtual pane over a source of entries, and the sources of the three panes."""
