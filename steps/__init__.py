"""The domain: one folder for each journey type."""
