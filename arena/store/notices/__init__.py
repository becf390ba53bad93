"""The arena's words to everybody: news, and the webhooks that send them; announcements."""
