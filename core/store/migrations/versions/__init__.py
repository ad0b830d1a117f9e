"""The migrations, oldest first; a published one is never changed."""
