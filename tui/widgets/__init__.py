"""The one-line widgets around the panes."""
