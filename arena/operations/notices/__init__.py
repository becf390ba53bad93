"""News, webhooks and announcements."""
