// Reads and writes JSON files, treating what is read as somebody else's.
#include "core/base/json_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;
constexpr int deepest = 64;

// The byte at which brackets are nested too deep, if they are. Brackets within strings do not count.
std::optional<std::size_t> too_deep(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest) return i;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return std::nullopt;
}

// Watches a text being parsed for a key that an object has twice, of which the parser keeps the last without a word.
class RepeatedKey {
  public:
    using Json = nlohmann::json;

    bool operator()(Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::object_start) open_.emplace_back();
        if (event == Json::parse_event_t::object_end) open_.pop_back();
        if (event != Json::parse_event_t::key || key_) return true;
        const auto& key = parsed.get_ref<const std::string&>();
        if (!open_.back().insert(key).second) key_ = key;
        return true;
    }

    const std::optional<std::string>& key() const { return key_; }

  private:
    std::vector<std::set<std::string>> open_;  // the keys of the objects around the place in hand
    std::optional<std::string> key_;
};

// In quotes, at most a line of it, with nothing that steers a terminal.
std::string shown(const std::string& key) {
    constexpr std::size_t longest = 60;
    return nlohmann::json(key.substr(0, longest)).dump(-1, ' ', true, nlohmann::json::error_handler_t::ignore);
}

}  // namespace

std::string what_is_no_json(std::string_view said) {
    const auto has = [&](std::string_view words) { return said.find(words) != std::string_view::npos; };
    if (has("UTF-8")) return "a text is not UTF-8";
    const std::string none = "this is not JSON: ";
    if (has("unexpected end of input") || has("empty input") || has("missing closing quote"))
        return none + "it ends in the middle";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{
        {{"expected ':'", "':'"},
         {"expected '}'", "',' or '}'"},
         {"expected ']'", "',' or ']'"},
         {"expected end of input", "nothing more"},
         {"expected string literal", "a key in quotes"}}};
    for (const auto& [ending, words] : known)
        if (said.ends_with(ending)) return none + std::string(words) + " was expected";
    return none + (has("invalid string") ? "a text is written wrongly" : "a value was expected");
}

Result<std::string> read_text(const std::filesystem::path& path) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) return Error{"this is a directory", path.string(), "name a file"};
    // A device or a pipe has no size, and may have no end.
    std::filesystem::file_status there = std::filesystem::status(path, failure);
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return Error{"this is not a regular file", path.string(), "name a file that is stored on disk"};
    std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (failure) return Error{failure.message(), path.string(), "check the path"};
    if (size > largest_file)
        return Error{bytes_text(static_cast<std::int64_t>(size)) + " are too many for a configuration", path.string(),
                     "give a file of at most " + bytes_text(largest_file)};
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (!file) return Error{"cannot be read", path.string(), "check its permissions"};
    return text;
}

Result<nlohmann::json> parse_json(std::string_view text, std::string_view where) {
    auto at_byte = [&](std::size_t byte) { return std::string(where) + ", byte " + std::to_string(byte); };
    if (std::optional<std::size_t> byte = too_deep(text))
        return Error{"nested more than " + std::to_string(deepest) + " deep", at_byte(*byte), "flatten it"};
    try {
        RepeatedKey repeated;
        nlohmann::json json = nlohmann::json::parse(
            text,
            [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) { return repeated(event, parsed); });
        if (repeated.key())
            return Error{"the key " + shown(*repeated.key()) + " stands twice in one object", std::string(where),
                         "keep one of the two"};
        if (json.is_object()) return json;
        return Error{"a JSON object was expected, not " + std::string(json.type_name()), std::string(where),
                     "put it in { }"};
    } catch (const nlohmann::json::parse_error& error) {
        if (is_blank(text)) return Error{"there is nothing in it", std::string(where), "copy the whole file again"};
        return Error{what_is_no_json(error.what()), at_byte(error.byte), "mend the file there"};
    } catch (const nlohmann::json::exception&) {
        // Of a number such as 1e999 the library says no place.
        return Error{"a number is too large", std::string(where), "give numbers that fit 64 bits"};
    }
}

Result<nlohmann::json> read_json(const std::filesystem::path& path) {
    Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_json(*text, path.string());
}

bool meant_as(const std::filesystem::path& path, std::string_view key) {
    std::error_code failure;
    if (path.extension() != ".json" || !std::filesystem::is_regular_file(path, failure)) return false;
    const Result<std::string> text = read_text(path);
    if (!text) return false;
    const Result<nlohmann::json> json = parse_json(*text, path.string());
    return json ? json->contains(key) : text->find('"' + std::string(key) + '"') != std::string::npos;
}

Result<std::filesystem::path> write_text(const std::filesystem::path& path, std::string_view text) {
    std::error_code ignored, failure;
    std::filesystem::file_status there = std::filesystem::status(path, ignored);
    // Putting a file in the place of a directory or a device would take it away from everybody else.
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return Error{"cannot be written: this is not a file", path.string(), "choose another place"};
    std::filesystem::path beside = path;
    beside += ".part";
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (file) std::filesystem::rename(beside, path, failure);
    if (file && !failure) return path;
    std::string reason = failure ? failure.message() : std::strerror(errno);
    std::filesystem::remove(beside, ignored);
    return Error{"cannot be written: " + reason, path.string(), "choose another place"};
}

}  // namespace headcount
