#!/bin/bash
# Installs the peers (Debian 12, root), builds the lower bound and paiban, and makes the decks. What is no Debian package goes to .env.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); ENV=${CARDBENCH_ENV:-$HERE/.env}; mkdir -p "$ENV"

apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
  fonts-noto-cjk fonts-wqy-microhei poppler-utils python3-venv chromium libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0

[ -x "$ENV/venv/bin/python" ] || python3 -m venv "$ENV/venv"
"$ENV/venv/bin/pip" install -q typst==0.15.2 weasyprint==70.0 reportlab==5.1.0
(cd "$HERE/rust" && cargo build -q --release --locked --target-dir "$ENV/rust-target")
(cd "$HERE/../.." && cargo build -q --release --locked)
python3 "$HERE/gen.py"
