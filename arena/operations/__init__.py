"""The operations of an arena: one function for each question and change.

Such a function is at once the route of the HTTP API, its description in OpenAPI, the request of a
client, and the call of a command on a data folder that no arena holds.
"""
