#!/bin/bash
# usage: rebuild.sh DECK OUT.pdf
# Builds DECK, changes one card, builds again in a new process, and tells how long that took, and how long once more with nothing changed.
set -e
HERE=$(cd "$(dirname "$0")/.." && pwd); W=$(mktemp -d "$2.XXXXXX"); trap 'rm -rf "$W"' EXIT
export PAIBAN_CACHE="$W/cache"
cp -rL "$HERE/data/paiban/$1" "$W/project"
build() { "${PAIBAN:-$HERE/../../target/release/paiban}" build --project "$W/project" --players full --sides fronts --out "$W/out"; }
build
cp -rL "$HERE/data/paiban/$1x/." "$W/project/"
BEFORE=$(date +%s%N); build; AFTER=$(date +%s%N); build; AGAIN=$(date +%s%N)
mv "$W/out/deck/deck-full-a4-fronts.pdf" "$2"
echo "rebuild_ms=$(( (AFTER - BEFORE) / 1000000 ))"
echo "unchanged_ms=$(( (AGAIN - AFTER) / 1000000 ))"
