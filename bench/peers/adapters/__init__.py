"""One file an engine; each has a class Engine made from the job, see base.py."""
