"""The commands, one file each; a folder for those with subcommands, or of one kind."""
