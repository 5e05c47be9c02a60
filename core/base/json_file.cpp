// Reads JSON files, treating what is read as somebody else's.
#include "core/base/json_file.hpp"

#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/json_walk.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;

// A value takes 16 bytes and a container around 64 more, so that this many values take at most 24 times the text, and
// 8 MiB. Tokenizers have one in 5 bytes, other files one in 10.
constexpr std::size_t values_of_any = 100'000, bytes_a_value = 4;

// Makes a value of what a walk passes. A key that an object has twice is an error: the library would keep the last.
class ValueBuilder : public JsonVisitor {
    using Json = nlohmann::json;

  public:
    enum class Top { object, any };

    // The value is of a text of so many bytes; of one that is written again it is known that it is none too many.
    ValueBuilder(std::size_t bytes, Top top)
        : most_(top == Top::any ? bytes : values_of_any + bytes / bytes_a_value), top_(top) {}

    bool opens(const JsonPath& path, bool array) override {
        Json* const made = add(path, array ? Json::array() : Json::object());
        if (made) open_.push_back(made);
        return made;
    }
    bool closes(const JsonPath&) override {
        open_.pop_back();
        return true;
    }
    bool text(const JsonPath& path, const std::string& value) override { return add(path, value); }
    bool plain(const JsonPath& path, const Json& value) override { return add(path, value); }

    Json value() && { return std::move(whole_); }

  private:
    // Where it is now; null where it may not be there.
    Json* add(const JsonPath& path, Json value) {
        if (open_.empty()) {
            if (top_ == Top::object && !value.is_object())
                return stop("a JSON object was expected, not " + std::string(value.type_name()), "put it in { }");
            whole_ = std::move(value);
            return &whole_;
        }
        Json& around = *open_.back();
        values_ += around.is_object() ? 2 : 1;  // a key is a text of its own
        if (values_ > most_)
            return stop("more than " + grouped(static_cast<std::int64_t>(most_)) +
                            " values and keys, which no file of its size has that people use",
                        "leave out what is not needed");
        if (around.is_array()) {
            auto& list = around.get_ref<Json::array_t&>();
            list.push_back(std::move(value));
            return &list.back();
        }
        auto& members = around.get_ref<Json::object_t&>();
        const std::string key(path.key(path.depth() - 1));
        const std::size_t before = members.size();
        const auto member = members.emplace_hint(members.end(), key, std::move(value));  // files are often in order
        if (members.size() > before) return &member->second;
        return stop("the key " + quote(key) + " stands twice in one object", "keep one of the two");
    }

    Json* stop(std::string what, std::string fix) {
        refuse(std::move(what), std::move(fix));
        return nullptr;
    }

    const std::size_t most_;
    const Top top_;
    Json whole_;
    std::vector<Json*> open_;  // the containers around the place in hand, none of which moves while it is open
    std::size_t values_ = 0;
};

}  // namespace

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
    const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    ValueBuilder builder(text.size(), ValueBuilder::Top::object);
    if (std::optional<Error> error = walk_json(text.substr(mark), {std::string(where), mark}, builder))
        return *std::move(error);
    return std::move(builder).value();
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

bool meant_as(const std::filesystem::path& path, std::string_view key) {
    std::error_code failure;
    if (path.extension() != ".json" || !std::filesystem::is_regular_file(path, failure)) return false;
    const Result<std::string> text = read_text(path);
    if (!text) return false;
    const Result<nlohmann::json> json = parse_json(*text, path.string());
    return json ? json->contains(key) : text->find('"' + std::string(key) + '"') != std::string::npos;
}

}  // namespace headcount
