#!/usr/bin/env bash
# Records the frames and observables of the shipped scenes anew (tests/golden/runs). For scenes that are new, or when a change
# of physics is meant: it then belongs in CHANGELOG.md, marked **results**, with the scenes it changes.
#   tests/golden/record_runs.sh [HAZUMI-CLI] [SCENE...]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cli=${1:-$root/build/release/bin/hazumi-cli}
[[ $# -gt 0 ]] && shift
[[ $# -gt 0 ]] || for scene in "$root"/scenes/*.json; do set -- "$@" "$(basename "$scene" .json)"; done
for scene in "$@"; do
  "$cli" simulate "$root/scenes/$scene.json" --frames 0-90 --digest --threads 2 >"$root/tests/golden/runs/$scene.txt.new"
  mv "$root/tests/golden/runs/$scene.txt.new" "$root/tests/golden/runs/$scene.txt"
  echo "$scene: recorded"
done
git -C "$root" status --short tests/golden/runs || true
