#!/usr/bin/env bash
# Installs into a folder, moves the folder, and runs what lies there: programs, mesh reader and scenes find each other.
#   tests/install/install_test.sh BUILD-FOLDER VERSION
set -euo pipefail
build=$1 version=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/moved"
cd "$folder/moved"
unset HAZUMI_SCENES HAZUMI_MESH_READER
fail() { echo "$1" >&2; exit 1; }

for file in bin/hazumi bin/hazumi-cli libexec/hazumi/hazumi-mesh-reader share/applications/hazumi.desktop \
  share/icons/hicolor/scalable/apps/hazumi.svg share/doc/hazumi/{README.md,CHANGELOG.md,LICENSE,user-guide.md}; do
  [[ -s $file ]] || fail "$file is not installed"
done
[[ $(bin/hazumi-cli --version) == "hazumi-cli $version" ]] || fail "hazumi-cli is not version $version"
scenes=(share/hazumi/scenes/*.json)
[[ ${#scenes[@]} -ge 14 ]] || fail "only ${#scenes[@]} scenes are installed"
# Spot's mesh is a file of its own, which the installed reader reads.
bin/hazumi-cli info share/hazumi/scenes/spot.json | grep -q Spot || fail "the installed scene cannot be read"
said=$(bin/hazumi-cli validate "${scenes[@]}" 2>&1) || fail "an installed scene is not valid: $said"
[[ $said != *warning:* ]] || fail "an installed scene is not whole: $said"
mv libexec/hazumi libexec/away
said=$(bin/hazumi-cli validate share/hazumi/scenes/spot.json 2>&1 || true)
[[ $said == *"hazumi-mesh-reader is missing"* ]] || fail "the mesh reader is not the installed one: $said"
mv libexec/away libexec/hazumi
found=$(QT_QPA_PLATFORM=offscreen HOME=$folder bin/hazumi --scenes)
[[ $found == "$(pwd -P)/share/hazumi/scenes" ]] || fail "hazumi looks for its scenes in $found"
echo "installed, moved and run: ${#scenes[@]} scenes"
