#!/bin/sh
# vendor.sh BOT COPY: copies a bot's folder, and adds everything that the bot is built from: the
# SDK, the crates, Cargo.lock with their versions, and the settings with which Cargo finds them.
set -eu
sdk=$PWD
mkdir -p "$2/sevens-sdk/proto/sevens"
tar --create --directory="$1" --exclude=./target --exclude=./bin . | tar --extract --directory="$2"
cd "$2"
# `proto` is a link, which would point nowhere.
cp -R "$sdk/Cargo.toml" "$sdk/build.rs" "$sdk/src" sevens-sdk
cp -R "$sdk/proto/sevens/bot" sevens-sdk/proto/sevens
cargo add --quiet --path sevens-sdk sevens-sdk
mkdir -p .cargo
cargo vendor >>.cargo/config.toml
