#!/bin/bash
# usage: run.sh DECK OUT.pdf
HERE=$(cd "$(dirname "$0")/.." && pwd); W=$(mktemp -d "$2.XXXXXX"); trap 'rm -rf "$W"' EXIT
"${PAIBAN:-$HERE/../../target/release/paiban}" build --no-cache --project "$HERE/data/paiban/$1" --players full --sides fronts --out "$W" && mv "$W/deck/deck-full-a4-fronts.pdf" "$2"
