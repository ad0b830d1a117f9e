"""The program: settings, wiring, processes and the command line."""
