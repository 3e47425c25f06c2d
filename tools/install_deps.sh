#!/usr/bin/env bash
# Installs the Debian packages that Tine is built and tested with, and those given as arguments.
# Says which are missing; without root and sudo prints the command to run, and fails.
set -euo pipefail

packages=(
  build-essential cmake ninja-build ccache git python3 clang-format xz-utils pkgconf gdb
  llvm-19-dev libboost-fiber1.81-dev libboost-context1.81-dev
  libgtest-dev libgmock-dev libbenchmark-dev relacy-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev libzip-dev libdlpack-dev
  "$@"
)

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
  sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  [[ $'\n'$installed$'\n' == *$'\n'$package$'\n'* ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "missing packages: ${missing[*]}"
sudo=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "run as root: apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
"${sudo[@]}" apt-get update -q
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -yq --no-install-recommends "${missing[@]}"
