"""The runtime: what is right about a journey, with no knowledge of any channel or domain."""
