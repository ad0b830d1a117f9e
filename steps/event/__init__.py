"""Somebody submits an event."""
