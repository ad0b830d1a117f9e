"""The step interface and its three helpers: chips, form and picker."""
