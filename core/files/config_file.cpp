// The JSON file of a configuration, or of a document that Headcount saved.
#include "core/files/config_file.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/checkpoints/json_walk.hpp"

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

// Stops at the first key that its object has already.
class RepeatedName : public JsonVisitor {
  public:
    bool opens(const JsonPath& path, bool array) override {
        if (!is_new(path)) return false;
        open_.push_back({array, {}});
        return true;
    }
    bool closes(const JsonPath&) override {
        open_.pop_back();
        return true;
    }
    bool text(const JsonPath& path, const std::string&) override { return is_new(path); }
    bool plain(const JsonPath& path, const nlohmann::json&) override { return is_new(path); }

  private:
    struct Open {
        bool array;
        std::set<std::string, std::less<>> names;
    };

    bool is_new(const JsonPath& path) {
        if (open_.empty() || open_.back().array) return true;
        return open_.back().names.emplace(path.key(path.depth() - 1)).second || refuse("", "");
    }

    std::vector<Open> open_;  // the objects and arrays around the place in hand
};

// Of a number that is too large and of a key that stands twice the parser says no place: a second look finds it.
Error placed(Error error, std::string_view text, const std::string& file) {
    if (error.where != file || is_blank(text)) return error;
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const std::size_t first = text.starts_with(mark) ? mark.size() : 0;
    RepeatedName names;
    if (const std::optional<Error> found = walk_json(text.substr(first), file, first, names))
        error.where = found->where;
    return error;
}

}  // namespace

Result<nlohmann::json> read_config_file(const fs::path& path) {
    if (const std::optional<std::int64_t> size = too_large(path))
        return Error{"a configuration has at most 8 MiB; this file has " + bytes_text(*size), path.string(),
                     "name the model's config.json, or its weights"};
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    Result<nlohmann::json> json = parse_json(*text, path.string());
    if (!json) return placed(json.error(), *text, path.string());
    // The parser takes one as the text's end.
    if (const std::size_t zero = text->find('\0'); zero != std::string::npos)
        return Error{"a zero byte after the JSON", path.string() + ", byte " + std::to_string(zero),
                     "mend the file there"};
    return json;
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
