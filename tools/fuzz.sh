#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: builds the fuzz targets and runs each (or those named) for SECONDS.
# Starts from tests/fuzz/corpus/TARGET and keeps what it finds in .cache/fuzz/TARGET.
set -euo pipefail

cd "$(dirname "$0")/.."
seconds=$1
shift
shopt -s nullglob
sources=(tests/fuzz/*.cpp)
if ((${#sources[@]} == 0)); then
  echo "no fuzz targets yet" >&2
  exit 1
fi
tools/install_deps.sh clang libclang-rt-dev
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_targets

targets=("$@")
((${#targets[@]})) || for source in "${sources[@]}"; do targets+=("$(basename "$source" .cpp)"); done
failed=0
for target in "${targets[@]}"; do
  mkdir -p ".cache/fuzz/$target"
  corpus=(".cache/fuzz/$target")
  [[ -d tests/fuzz/corpus/$target ]] && corpus+=("tests/fuzz/corpus/$target")
  echo "== fuzz $target for $seconds s"
  if "build/fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix=".cache/fuzz/$target-" "${corpus[@]}"; then
    echo "fuzz $target: fine"
  else
    echo "fuzz $target: FAILED"
    failed=1
  fi
done
exit $failed
