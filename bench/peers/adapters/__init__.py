"""One file per engine, with a class Engine that is constructed from the job; see base.py."""
