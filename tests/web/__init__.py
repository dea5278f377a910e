"""Tests of what people touch."""
