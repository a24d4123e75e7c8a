"""Pure functions from text to rows of styled spans."""
