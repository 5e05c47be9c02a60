// The JSON file of a configuration, or of a document that Headcount saved.
#include "core/files/config_file.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

// Those that are published have some kilobytes; as a value, JSON takes twenty times what it takes in the file.
constexpr std::uintmax_t largest_config = 8u << 20;

// The size of a file that is too large for one; nothing of any other.
std::optional<std::int64_t> too_large(const fs::path& path) {
    std::error_code failure;
    const std::uintmax_t size = fs::file_size(path, failure);
    if (failure || size <= largest_config || path.extension() == ".headcount") return std::nullopt;
    return static_cast<std::int64_t>(size);
}

}  // namespace

Result<nlohmann::json> read_config_file(const fs::path& path) {
    if (const std::optional<std::int64_t> size = too_large(path))
        return Error{"a configuration has at most 8 MiB; this file has " + bytes_text(*size), path.string(),
                     "name the model's config.json, or its weights"};
    return read_json(path);
}

bool is_large_index(const fs::path& path) {
    if (!too_large(path)) return false;
    if (path.filename().string().ends_with(".safetensors.index.json")) return true;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 65536> start{};
    file.read(start.data(), start.size());
    const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
    return text.find("\"weight_map\"") != std::string_view::npos;
}

}  // namespace headcount
