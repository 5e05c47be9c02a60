# Shared by ./run and ./test: packages, configuration, build. Sourced with bash from the repository's root; not a program.
# Whatever it says goes to standard error, so that the output of `./run count ...` is the program's alone.

say() { printf 'headcount: %s\n' "$*" >&2; }
give_up() { say "$@"; exit 1; }

build_packages="g++ cmake ninja-build pkg-config libimgui-dev libstb-dev libglfw3-dev python3 python3-glad
    nlohmann-json3-dev libcli11-dev libglm-dev libhwy-dev libpcre2-dev libutf8proc-dev libmd4c-dev libqrencode-dev
    libxlsxwriter-dev zlib1g-dev libgif-dev libegl-dev libgl-dev libegl1 libgl1 libgl1-mesa-dri fonts-inter fonts-jetbrains-mono file dpkg-dev"
test_packages="libgtest-dev libgmock-dev libbenchmark-dev xvfb xdotool"
fuzz_packages="clang libclang-rt-dev"
web_packages="cmake ninja-build python3 python3-fonttools libstb-dev zstd fonts-inter fonts-jetbrains-mono"
emscripten_packages="clang-19 lld-19 llvm-19 nodejs node-acorn"  # what Emscripten is made of, where it is not the system's own
web_test_packages="chromium firefox-esr python3-websockets"

# need_packages NAME...: installs what is missing. A stamp remembers the answer, since asking dpkg takes longer than starting.
need_packages() {
    local stamp=build/.packages missing="" package
    [ "$(cat "$stamp" 2>/dev/null)" = "$*" ] && return
    [ "$(cat "$stamp" 2>/dev/null)" = "$(echo $build_packages $test_packages $fuzz_packages)" ] && return
    if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
        for package in "$@"; do
            dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=" $package"
        done
        [ -z "$missing" ] || install_packages $missing
    else
        need_tools
    fi
    mkdir -p build
    echo "$*" >"$stamp"
}

# The version of Emscripten that is here, or that Debian would install; empty where neither says.
emscripten_version() {
    { em++ --version || apt-cache policy emscripten; } 2>/dev/null |
        sed -n 's/^emcc .* \([0-9]\+\.[0-9.]*[0-9]\) .*/\1/p; s/^ *Candidate: \([0-9.]*[0-9]\).*/\1/p' | head -1
}

# build_page [TARGET...]: the page for browsers, in build/web/site; without a target all that there is, configured with
# $web_options.
build_page() {
    local least=3.1.69 version
    version=$(emscripten_version)
    if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then
        need_packages $web_packages $emscripten_packages
        export HEADCOUNT_EMSCRIPTEN=$PWD/build/emscripten
        [ -f "$HEADCOUNT_EMSCRIPTEN/.complete" ] ||
            say "Debian 12's Emscripten cannot compile Headcount: unpacking Debian 13's into build/emscripten, 2 GB"
        cmake/emscripten.sh "$HEADCOUNT_EMSCRIPTEN" || give_up "Debian 13's Emscripten could not be had from deb.debian.org"
    elif [ "$(printf '%s\n' "$least" "${version:-$least}" | sort -V | head -1)" = "$least" ]; then
        need_packages $web_packages emscripten
    else
        give_up "the page needs Emscripten $least or newer, which Debian 13 has; this system has $version"
    fi
    [ -f build/web/CMakeCache.txt ] || say "first build of the page, this takes ten minutes or more"
    configure web ${web_options:-}
    build web "$@" || give_up "the build of the page failed"
}

install_packages() {
    local as_root="env"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || give_up "these Debian packages are missing; install them as root: apt-get install $*"
        as_root="sudo env"
    fi
    say "installing the Debian packages that are missing: $*"
    $as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq >/dev/null || say "apt-get update failed; trying with what it knew"
    $as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        give_up "apt-get could not install: $*"
}

# Elsewhere than on Debian: the tools must be there; libraries that are not are fetched by CMake, at pinned versions.
need_tools() {
    local missing="" tool
    for tool in cmake git python3; do command -v "$tool" >/dev/null || missing+=" $tool"; done
    command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || missing+=" a-C++20-compiler"
    [ -z "$missing" ] || give_up "this is not Debian, and these are missing:$missing. Install them; CMake fetches the libraries"
    say "this is not Debian: libraries that CMake does not find here, it fetches"
}

# configure PRESET [OPTION...]: once; after that the build notices by itself what changed in CMake's files.
configure() {
    local preset=$1 log
    shift
    [ -f "build/$preset/CMakeCache.txt" ] && [ $# = 0 ] && return
    command -v ninja >/dev/null || set -- -G "Unix Makefiles" "$@"
    mkdir -p build
    log=build/$preset.configure.log
    cmake --preset "$preset" "$@" >"$log" 2>&1 || { cat "$log" >&2; give_up "configuring $preset failed"; }
    grep -A3 'CMake Warning' "$log" >&2 || true
}

# build PRESET [TARGET...]: silent when there is nothing to do.
build() {
    local preset=$1 status
    shift
    set +o pipefail
    cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"} 2>&1 |
        { grep --line-buffered -vE '^ninja: (no work to do\.|Entering)|Re-checking globbed directories' || true; } >&2
    status=${PIPESTATUS[0]}
    set -o pipefail
    return "$status"
}
