#!/usr/bin/env bash
# Debian 13's Emscripten for Debian 12, whose own is too old: unpacked into FOLDER, nothing is installed. The compiler and node
# are the system's (clang-19, lld-19, llvm-19, nodejs, node-acorn); Binaryen runs with a C library of its own, which is newer.
# apt fetches the packages and checks what Debian has signed.
# usage: cmake/emscripten.sh FOLDER
set -euo pipefail
root=$(realpath -m "$1")
[ ! -f "$root/.complete" ] || exit 0
apt=$root/apt emscripten=$root/usr/share/emscripten
rm -rf "$root"
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root/bin"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$apt/sources"
trixie() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$apt/lists" \
        -o Dir::State::Status=/dev/null -o Dir::Cache="$apt" -o APT::Sandbox::User=root "$@"
}
cd "$apt"
trixie update
trixie download emscripten binaryen libc6 libgcc-s1 libstdc++6
for package in *.deb; do dpkg-deb -x "$package" "$root"; done

libraries=$(echo "$root"/usr/lib/*-linux-gnu)
for program in "$root"/usr/bin/wasm*; do
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
        "$(echo "$libraries"/ld-linux-*)" "$libraries" "$program" >"$root/bin/${program##*/}"
done
chmod +x "$root"/bin/*
sed -i "s|^BINARYEN_ROOT = .*|BINARYEN_ROOT = '$root'|" "$emscripten/.emscripten"
ln -s /usr/share/nodejs "$emscripten/node_modules"  # where a node that is not Debian's does not look
rm -rf "$apt"
touch "$root/.complete"
