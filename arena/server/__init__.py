"""The server: takes bots from strangers, puts them on trial and enters them into ladders."""
