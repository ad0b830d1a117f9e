"""Migrations of the database, run by `core.store.migrate`."""
