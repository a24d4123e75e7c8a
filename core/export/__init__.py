"""Views to text and JSON."""
