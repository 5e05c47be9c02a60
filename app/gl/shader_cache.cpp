#include "app/gl/shader_cache.hpp"

#include <cstdlib>
#include <filesystem>

#include "core/base/write_file.hpp"

namespace headcount {
namespace {

// Where Mesa keeps them, as its documentation of environment variables says.
std::filesystem::path cache_folder() {
    const auto named = [](const char* name) -> std::filesystem::path {
        const char* const value = std::getenv(name);
        return value ? value : "";
    };
    for (const char* const name : {"MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"})
        if (const auto folder = named(name); !folder.empty()) return folder;
    return named("HOME") / ".cache";
}

}  // namespace

void spare_full_disk() {
    constexpr std::uintmax_t least = 16 << 20;
    if (free_room(cache_folder()).value_or(least) < least) setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

}  // namespace headcount
