#!/usr/bin/env bash
# Puts the sources of Boost.Fiber and Boost.Context that the sanitized builds compile into DIR
# (default .cache/boost), out of the distribution's own source package.  Does nothing when they are
# there.  The machine's apt lists stay as they are: the deb-src list and apt's state live under DIR.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-$root/.cache/boost}
[[ -e $dir/complete ]] && exit 0
version=$(dpkg-query -W -f '${source:Version}' libboost-fiber1.81-dev)
echo "fetching the source of Boost.Fiber $version into $dir" >&2

rm -rf "$dir"
apt=$dir/apt
mkdir -p "$apt"/{sources,lists/partial,archives/partial}
cd "$apt"

# Debian's own entries, with deb replaced by deb-src.
for file in /etc/apt/sources.list.d/*.sources; do
  [[ -e $file ]] || continue
  awk 'BEGIN { RS = ""; ORS = "\n\n" }
       /URIs:[^\n]*\/debian/ && /Types:[^\n]*deb/ && !/Enabled: *no/ {
         sub(/Types:[^\n]*/, "Types: deb-src"); print }' "$file" > "sources/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [[ -e $file ]] || continue
  sed -n '/\/debian/ s/^deb\([[:space:]]\)/deb-src\1/p' "$file" > "sources/$(basename "$file" .list).list"
done

options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources"
  -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status=/var/lib/dpkg/status
  -o Dir::Cache="$apt" -o Acquire::Languages=none -o Acquire::Retries=3)
((UID == 0)) && options+=(-o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" source --download-only "boost1.81=$version" ||
  apt-get "${options[@]}" source --download-only boost1.81

# Only what is compiled.  The headers are the installed ones: they are of the same version.
tar -xf boost1.81_*.orig.tar.* -C "$dir" --strip-components=1 --wildcards \
  '*/libs/fiber/src/*' '*/libs/context/src/*'
cd "$dir"
[[ -e libs/fiber/src/fiber.cpp && -e libs/context/src/fiber.cpp ]]
rm -rf "$apt"
touch complete
