"""Bytes to rows: the file, its container (raw lines or zstd frames) and strict JSON."""
