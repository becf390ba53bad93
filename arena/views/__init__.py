"""The facts of an arena for people and programs: models, most with the query that builds them.

The same object is the body of an answer of the API, the `--json` document of a command, the context
of a page and a line of an export.
"""
