#!/usr/bin/env bash
# fuzz.sh [--built] SECONDS [TARGET...]: builds the fuzz targets (unless they are, and then the seed
# is always the same: what a test finds is due to the change) and runs each, or those named, for
# SECONDS. Starts from tests/fuzz/corpus/TARGET, with the words of
# tests/fuzz/TARGET.dict, and keeps what it finds in .cache/fuzz/TARGET; an input that fails is
# written beside it, and `build/fuzz/fuzz/TARGET FILE` runs it again.
set -euo pipefail

cd "$(dirname "$0")/.."
seed=0 # random
if [[ ${1:-} == --built ]]; then
  seed=1
  shift
else
  tools/install_deps.sh clang-19 libclang-rt-19-dev
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz --target fuzz_targets
fi
seconds=$1
shift
targets=("$@")
if ((${#targets[@]} == 0)); then
  for source in tests/fuzz/*.cpp; do targets+=("$(basename "$source" .cpp)"); done
fi

failed=0
for target in "${targets[@]}"; do
  mkdir -p ".cache/fuzz/$target"
  corpus=(".cache/fuzz/$target" "tests/fuzz/corpus/$target")
  [[ $target == parse ]] && corpus=(".cache/fuzz/$target" tests/files)
  [[ $target == script ]] && corpus=(".cache/fuzz/$target" tests/files/script)
  options=()
  [[ -e tests/fuzz/$target.dict ]] && options+=(-dict="tests/fuzz/$target.dict")
  echo "== fuzz $target for $seconds s"
  if "build/fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -seed="$seed" \
    -max_len=4096 -print_final_stats=1 -verbosity=0 -artifact_prefix=".cache/fuzz/$target-" \
    "${options[@]}" "${corpus[@]}"; then
    echo "fuzz $target: fine"
  else
    echo "fuzz $target: FAILED"
    failed=1
  fi
done
exit $failed
