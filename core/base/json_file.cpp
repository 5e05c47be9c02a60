// Reads JSON files, treating what is read as somebody else's.
#include "core/base/json_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/foreign.hpp"
#include "core/base/json_walk.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;

// A value takes 16 bytes, a key or a container up to 200 more while it is read, so that this many of them take at most
// 32 times the text, and 12 MiB. Tokenizers have one in 5 bytes, other files one in 10.
constexpr std::size_t values_of_any = 100'000, bytes_a_value = 4;

// Makes a value of what a walk passes. A key that an object has twice is an error: the library would keep the last.
class ValueBuilder : public JsonVisitor {
    using Json = nlohmann::json;

  public:
    enum class Top { object, any };

    // The value is of a text of so many bytes; of one that is written again it is known that it is none too many.
    ValueBuilder(std::size_t bytes, Top top)
        : most_(top == Top::any ? bytes : values_of_any + bytes / bytes_a_value), top_(top) {}

    bool opens(const JsonPath&, bool array) override {
        if (array && !may_be_top(Json::value_t::array)) return false;
        open_.push_back({array, {}, {}});
        return true;
    }
    bool closes(const JsonPath& path) override {
        Open done = std::move(open_.back());
        open_.pop_back();
        if (done.array) return add(path, Json(std::move(done.list)));
        std::optional<Json> object = object_of(std::move(done.members));
        return object && add(path, *std::move(object));
    }
    bool text(const JsonPath& path, const std::string& value) override { return add(path, value); }
    bool plain(const JsonPath& path, const Json& value) override { return add(path, value); }

    Json value() && { return std::move(whole_); }

  private:
    using Member = std::pair<std::string, Json>;
    struct Open {
        bool array;
        Json::array_t list;
        std::vector<Member> members;
    };

    bool may_be_top(const Json& value) {
        if (!open_.empty() || top_ == Top::any || value.is_object()) return true;
        return refuse("a JSON object was expected, not " + std::string(value.type_name()),
                      "give a file that begins with {");
    }

    bool add(const JsonPath& path, Json value) {
        if (!may_be_top(value)) return false;
        if (open_.empty()) {
            whole_ = std::move(value);
            return true;
        }
        Open& around = open_.back();
        values_ += around.array ? 1 : 2;  // a key is a text of its own
        if (values_ > most_)
            return refuse("more than " + grouped(static_cast<std::int64_t>(most_)) +
                              " values and keys, which no file of its size has that people use",
                          "leave out what is not needed");
        if (around.array)
            around.list.push_back(std::move(value));
        else
            around.members.emplace_back(path.key(path.depth() - 1), std::move(value));
        return true;
    }

    // Sorted first, because to find a place for each key in a large object is to look all over the memory.
    std::optional<Json> object_of(std::vector<Member> members) {
        const auto before = [](const Member& a, const Member& b) { return a.first < b.first; };
        if (!std::ranges::is_sorted(members, before)) std::ranges::sort(members, before);
        Json::object_t object;
        for (Member& member : members) {
            if (!object.empty() && object.rbegin()->first == member.first) {
                refuse("the key " + quote(member.first) + " stands twice in one object", "keep one of the two",
                       json_pointer({member.first}));
                return std::nullopt;
            }
            object.emplace_hint(object.end(), std::move(member));
        }
        return Json(std::move(object));
    }

    const std::size_t most_;
    const Top top_;
    Json whole_;
    std::vector<Open> open_;  // the containers around the place in hand
    std::size_t values_ = 0;
};

}  // namespace

std::optional<Error> leads_nowhere(const std::filesystem::path& path) {
    std::error_code failure;
    if (std::filesystem::exists(path, failure)) return std::nullopt;
    if (failure) return Error{failure.message(), path.string(), "check the path"};
    if (!std::filesystem::is_symlink(path, failure)) return std::nullopt;
    return Error{"this link leads nowhere", path.string(), "name the file itself"};
}

Result<std::string> read_text(const std::filesystem::path& path) {
    std::error_code failure;
    const std::filesystem::file_status there = std::filesystem::status(path, failure);
    if (std::filesystem::is_directory(there)) return Error{"this is a directory", path.string(), "name a file"};
    // A device or a pipe has no size, and may have no end.
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return Error{"this is not a regular file", path.string(), "name a file that is stored on disk"};
    std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (failure) return Error{failure.message(), path.string(), "check the path"};
    if (size > largest_file)
        return Error{bytes_text(static_cast<std::int64_t>(size)) + " are too many for a file that is read whole",
                     path.string(), "give a file of at most " + bytes_text(largest_file)};
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    if (!file) return Error{"cannot be read", path.string(), "check its permissions"};
    return text;
}

namespace {

// What Python writes for a number without end, and what is no JSON.
constexpr std::string_view infinity = "Infinity";

// The text with such numbers in quotes.
std::string with_quoted_infinities(std::string_view text) {
    std::string quoted;
    bool within = false;  // a text in quotes
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool number = !within && text.substr(i, infinity.size()) == infinity;
        if (text[i] == '"') within = !within;
        const std::size_t taken = number ? infinity.size() : within && text[i] == '\\' ? 2 : 1;
        if (number) quoted += '"';
        quoted += text.substr(i, taken);
        if (number) quoted += '"';
        i += taken - 1;
    }
    return quoted;
}

Result<nlohmann::json> parse_object(std::string_view text, const JsonSource& source) {
    ValueBuilder builder(text.size(), ValueBuilder::Top::object);
    if (std::optional<Error> error = walk_json(text, source, builder)) return *std::move(error);
    return std::move(builder).value();
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, std::string_view where) {
    const JsonSource source{std::string(where)};
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    Result<nlohmann::json> parsed = parse_object(text, source);
    if (parsed) return parsed;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    if (std::optional<Error> foreign = foreign_format(std::as_bytes(std::span(text.substr(begin))), source.file))
        return *std::move(foreign);
    if (text.find(infinity) == std::string_view::npos) return parsed;
    Result<nlohmann::json> again = parse_object(with_quoted_infinities(text), source);
    return again ? again : parsed;  // the first error knows its place
}

nlohmann::json parsed_again(std::string_view written) {
    ValueBuilder builder(written.size(), ValueBuilder::Top::any);
    if (walk_json(written, {}, builder)) return nlohmann::json::value_t::discarded;
    return std::move(builder).value();
}

Result<nlohmann::json> read_json(const std::filesystem::path& path) {
    Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_json(*text, path.string());
}

Result<std::vector<std::filesystem::path>> json_files(const std::filesystem::path& directory, std::string fix) {
    // "10-..." comes behind "9-...", and what has no number behind all that have one.
    const auto placed = [](std::string name) {
        std::int64_t number = 0;
        const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
        const bool numbered = failed == std::errc{} && number >= 0;
        return std::pair(numbered ? number : std::numeric_limits<std::int64_t>::max(), std::move(name));
    };
    std::error_code failure;
    std::vector<std::pair<std::int64_t, std::string>> names;
    // A range-for would throw where the folder becomes unreadable midway.
    for (std::filesystem::directory_iterator at(directory, failure), end; !failure && at != end; at.increment(failure))
        if (at->path().extension() == ".json") names.push_back(placed(at->path().filename().string()));
    if (failure) return Error{failure.message(), directory.string(), std::move(fix)};
    std::ranges::sort(names);
    std::vector<std::filesystem::path> files;
    for (const auto& [number, name] : names) files.push_back(directory / name);
    return files;
}

bool meant_as(const std::filesystem::path& path, std::string_view key) {
    std::error_code failure;
    if (path.extension() != ".json" || !std::filesystem::is_regular_file(path, failure)) return false;
    const Result<std::string> text = read_text(path);
    if (!text) return false;
    const Result<nlohmann::json> json = parse_json(*text, path.string());
    return json ? json->contains(key) : text->find('"' + std::string(key) + '"') != std::string::npos;
}

}  // namespace headcount
