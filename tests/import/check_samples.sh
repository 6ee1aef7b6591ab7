#!/usr/bin/env bash
# Makes the sample files and what Blender says of them anew, and compares Hazumi's reader with it. Needs Blender; the test alone
# does not (manifest.json keeps the answers).
# usage: tests/import/check_samples.sh [SHARED_FOLDER] [PROGRAM with the tests]     Without arguments: ../shared, build/dev.
set -euo pipefail
cd "$(dirname "$0")/../.."
shared=${1:-../shared} tests=${2:-build/dev/bin/core_import_tests} files=tests/import/files
run() { blender -b --python-exit-code 3 --python "$@" >/tmp/hazumi_samples.log 2>&1 || { tail -20 /tmp/hazumi_samples.log; exit 1; }; }
run tests/import/make_blender_samples.py -- "$files"
python3 tests/import/add_plain_samples.py "$shared" "$files"
run tests/import/read_with_blender.py -- "$files"
grep -c '"file"' "$files/manifest.json"
"$tests" "[import][samples]"
