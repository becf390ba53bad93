"""What `arena bot check` demands of a bot, one file a check."""
