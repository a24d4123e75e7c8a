"""palimpsest.tui: the screen and the command line. No domain rule lives here."""
