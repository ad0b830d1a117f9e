"""One folder per channel; they know the core and never each other."""
