# Builds ./bot from scratch, and leaves nothing else behind.
set -e
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cmake -S . -B "$build"
cmake --build "$build" --parallel 2
