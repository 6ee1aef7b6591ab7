#!/usr/bin/env bash
# Installs what the tests need, builds, and runs every test:
#   1. Release with clang++: all test programs, the shipped scenes against their recorded runs, the window tests under a virtual X
#      display on Mesa's software renderer
#   2. AddressSanitizer and UndefinedBehaviorSanitizer: the core's tests, but for the cases that simulate for long (tag [slow]).
#      The core is compiled so, without the checks of null, alignment and pointer overflow; the tests themselves, half of the code,
#      are the objects of the first build
#   3. g++ with ThreadSanitizer: the core, with the cases of the first build that use threads (tag [threads]), and the first frames
#      of the shipped scenes against the same records: the same bits by another compiler
# `tests/run.sh quick` is for between two changes: the core and the command line as a release, without the window, the renderer
# and what simulates for long. `tests/run.sh long` adds the core's tests and the records with g++ as a release, all cases and
# checks under both sanitizers, the thousands of random cases (tag [.long]), and a run of every benchmark for a moment.
# At the end it tells how long each stage took, and of tests that failed once more what they said: who keeps only the last lines
# of a run still learns why. Where ccache is in use, what was compiled before is not compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-whole}
case $what in quick | whole | long) ;; *) echo "usage: tests/run.sh [quick|long]" >&2; exit 2 ;; esac

# The stage that ended is noted; all of them are told when the script ends, before ctest's closing lines scroll away.
stages=() stage='' begun=0
log=''  # of the tests that run
section() {
  if [[ -n $stage ]]; then stages+=("$(printf '%4d s  %s' $((SECONDS - begun)) "$stage")"); fi
  stage=$1 begun=$SECONDS
  if [[ -n $stage ]]; then printf '\n=== %s (%s)\n' "$stage" "$(date +%H:%M:%S)"; fi
}
tell() {
  local code=$?
  section ''
  printf '\n=== %s after %d s\n' "$([[ $code == 0 ]] && echo "All done" || echo "Stopped")" $SECONDS
  printf '%s\n' "${stages[@]}"
  if [[ $code != 0 && -f $log ]]; then tests/failed.sh "$log" || true; fi
}
trap tell EXIT
trap 'exit 143' TERM INT HUP

section "Packages"
app/install.sh app/packages.txt tests/packages.txt

export LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb
jobs=$(nproc)
options=()
# A cache that holds nothing would only slow the build down: ccache cannot use precompiled headers.
if command -v ccache >/dev/null && ccache --print-stats | grep '^files_in_cache[[:space:]]*[1-9]' >/dev/null; then
  options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DHAZUMI_PCH=OFF)
fi
# build PRESET [cmake options] [-- targets]
build() {
  local preset=$1 targets=()
  shift
  local given=()
  while [[ $# -gt 0 && $1 != -- ]]; do given+=("$1"); shift; done
  if [[ $# -gt 0 ]]; then shift; targets=(--target "$@"); fi
  section "$preset: build"
  cmake --preset "$preset" "${options[@]}" "${given[@]}" >/dev/null
  cmake --build "build/$preset" "${targets[@]}"
}
# check PRESET [ctest options], under `display`, `at_once` cases at a time
display=() at_once=$jobs
check() {
  section "$1: tests"
  log=build/$1/Testing/Temporary/LastTest.log
  rm -f "$log"  # that of an earlier run tells nothing of this one
  "${display[@]}" ctest --test-dir "build/$1" -j "$at_once" --output-on-failure "${@:2}"
  log=''
}

if [[ $what == quick ]]; then
  build release -- hazumi-cli make_scenes core_{base,import,playback,reference,scene,sim}_tests
  check release -LE slow -R '^(core_.*_tests: |Shipped scenes |The whole tree )'
  exit
fi
build release
# A window's case waits half of its time for what it has asked for, and has a display for itself. Two displays, and one case more
# at once than there are cores.
auth=$(mktemp)
screen=(xvfb-run -a -f "$auth" -s "-screen 0 1600x1000x24 +extension GLX")
display=("${screen[@]}" bash -c 'HAZUMI_OTHER_DISPLAY=$DISPLAY exec "$@"' bash "${screen[@]}")
at_once=$((jobs + 1))
check release
rm -f "$auth"
display=() at_once=$jobs

# Sanitizers leave out other people's templates (CMakeLists.txt): the objects are there.
options+=("-DHAZUMI_PLAIN_OBJECTS=$(find "$PWD"/build/release/CMakeFiles/hazumi_{cgal,eigen}.dir -name '*.o' | sort | paste -sd ';')")
if [[ $what == long ]]; then
  build asan -DHAZUMI_TEST_OBJECTS= -DHAZUMI_SANITIZE_NOT=
  check asan
  build tsan -DHAZUMI_TEST_OBJECTS= -DHAZUMI_RECORDS_TO=40
  check tsan
else
  # Without line numbers, a tenth of the time to compile: what is found is found again by the preset itself.
  options+=(-DCMAKE_CXX_FLAGS_DEBUG=-O1)
  # Checks beside every access that double the time to compile; a null pointer that is used is seen all the same.
  build asan "-DHAZUMI_TEST_OBJECTS=$PWD/build/release" "-DHAZUMI_SANITIZE_NOT=null;alignment;pointer-overflow"
  check asan -LE 'slow|golden'
  # No other programs than those with such cases.
  build tsan "-DHAZUMI_TEST_OBJECTS=$PWD/build/release" -DHAZUMI_RECORDS_TO=12 -- core_{playback,sim,base,import,scene}_tests hazumi-digests
  section "tsan: tests"
  printf '%s\n' build/tsan/bin/core_*_tests | xargs -P "$jobs" -I '{}' env '{}' '[threads]~[slow]' -w NoTests
  check tsan -L golden
fi

if [[ $what == long ]]; then
  build gcc -DHAZUMI_GUI=OFF
  check gcc
  section "release: thousands of random cases, and the references at length"
  for program in build/release/bin/core_*_tests; do "$program" '[.long]' -w NoTests -d yes; done
  build bench -DHAZUMI_TESTS=OFF -- hazumi_bench
  section "bench: every row, once"
  build/bench/bin/hazumi_bench --benchmark_min_time=0.001 >/dev/null
fi
