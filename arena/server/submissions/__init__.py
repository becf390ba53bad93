"""Submissions: from an uploaded archive to a version on a ladder."""
