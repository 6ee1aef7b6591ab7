#!/usr/bin/env bash
# Installs the Debian packages named in the files given as arguments that are not there yet.
# Needs root or sudo only when something is missing. Why each package: docs/dependencies.md.
set -euo pipefail

missing=()
for package in $(cat "$@"); do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "Installing: ${missing[*]}"
run=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "These packages are missing and installing them needs root: ${missing[*]}" >&2; exit 1; }
  run=(sudo)
fi
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

# A name that other packages provide installs those and is missing for ever: each start would ask apt, and root, again.
for package in "${missing[@]}"; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || { echo "No package is called $package; name the one that provides it." >&2; exit 1; }
done
