#!/usr/bin/env bash
# What each failed test said, from ctest's log: tests/failed.sh build/release/Testing/Temporary/LastTest.log
# Of a long output the last lines, of many failed tests the first: the end of a run is what is kept of it.
set -euo pipefail
awk -v most_lines=120 -v most_tests=20 '
  /^[0-9]+\/[0-9]+ Testing: / { count = 0 }
  { lines[count++] = $0 }
  /^Test Failed\.$/ && ++failed <= most_tests {
    printf "\n=== Failed: %s\n", substr(lines[0], index(lines[0], "Testing: ") + 9)
    for (i = count > most_lines ? count - most_lines : 1; i < count; ++i) print lines[i]
  }
  END { if (failed > most_tests) printf "\n=== and %d more\n", failed - most_tests }
' "$1"
