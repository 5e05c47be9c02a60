// Walks JSON text with nlohmann's SAX parser, which needs no stack of its own however deep the text is nested.
#include "core/base/json_walk.hpp"

#include <array>
#include <utility>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::size_t deepest = 64;

// A key as a JSON pointer has it, with nothing that steers a terminal.
void append_escaped(std::string& pointer, std::string_view key) {
    for (const char c : shown(key)) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
}

// "this is not JSON: ',' or '}' was expected", from what the parser's exception says at its end.
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

}  // namespace

std::string JsonPath::pointer() const {
    std::string pointer;
    for (std::size_t i = 0; i < depth_; ++i) {
        pointer += '/';
        if (steps_[i].array)
            pointer += std::to_string(steps_[i].index);
        else
            append_escaped(pointer, steps_[i].key);
    }
    return pointer;
}

std::string json_pointer(std::initializer_list<std::string_view> keys) {
    std::string pointer;
    for (const std::string_view key : keys) {
        pointer += '/';
        append_escaped(pointer, key);
    }
    return pointer;
}

// What nlohmann's parser calls.
class JsonWalk : public nlohmann::json_sax<nlohmann::json> {
  public:
    JsonWalk(std::string_view text, const JsonSource& source, JsonVisitor& visitor)
        : text_(text), source_(source), visitor_(visitor) {}

    // Why the walk stopped; asked only where it did.
    Error error() const {
        if (error_) return *error_;
        Error error = visitor_.refusal().value_or(Error{});
        error.where = place(error.where);
        return error;
    }

    bool null() override { return next(visitor_.plain(path_, nullptr)); }
    bool boolean(bool value) override { return next(visitor_.plain(path_, value)); }
    bool number_integer(std::int64_t value) override { return next(visitor_.plain(path_, value)); }
    bool number_unsigned(std::uint64_t value) override { return next(visitor_.plain(path_, value)); }
    bool number_float(double value, const std::string&) override { return next(visitor_.plain(path_, value)); }
    bool string(std::string& value) override { return next(visitor_.text(path_, value)); }
    bool binary(nlohmann::json::binary_t&) override { return false; }  // JSON text has none

    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& key) override {
        path_.steps_[path_.depth_ - 1].key = key;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& exception) override {
        // The library says this of a number such as 1e999, and has no other word for bytes that are no text.
        const bool number = exception.id == 406;
        error_ = Error{number ? "a number is too large" : what_is_no_json(exception.what()),
                       source_.at_byte(text_, position > 0 ? position - 1 : 0), source_.fix};
        return false;
    }

  private:
    bool open(bool array) {
        if (path_.depth_ == deepest) {
            error_ = Error{"nested more than " + std::to_string(deepest) + " deep", place(""), source_.fix};
            return false;
        }
        if (!visitor_.opens(path_, array)) return false;
        if (path_.steps_.size() == path_.depth_) path_.steps_.emplace_back();
        JsonPath::Step& step = path_.steps_[path_.depth_++];
        step.array = array;
        step.index = 0;
        step.key.clear();
        return true;
    }

    bool close() {
        --path_.depth_;
        return next(visitor_.closes(path_));
    }

    bool next(bool go_on) {
        if (go_on && path_.depth_ > 0) ++path_.steps_[path_.depth_ - 1].index;
        return go_on;
    }

    std::string place(std::string_view below) const {
        const std::string pointer = path_.pointer() + std::string(below);
        return pointer.empty() ? source_.file : source_.file + ", " + pointer;
    }

    std::string_view text_;
    const JsonSource& source_;
    JsonVisitor& visitor_;
    JsonPath path_;
    std::optional<Error> error_;
};

std::string JsonSource::at_byte(std::string_view text, std::size_t byte) const {
    if (first_byte) return file + ", byte " + std::to_string(*first_byte + byte);
    const std::string_view before = text.substr(0, byte);
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // 0 where there is none
    const auto begins_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return file + ", line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
           std::to_string(1 + std::ranges::count_if(line, begins_letter));
}

std::optional<Error> walk_json(std::string_view text, const JsonSource& source, JsonVisitor& visitor) {
    // As some editors save it.
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return Error{"this is UTF-16", source.file, "save it as UTF-8"};
    // The parser would take a zero byte as the text's end, and a byte order mark as nothing.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        return Error{"a zero byte within JSON", source.at_byte(text, zero), source.fix};
    if (text.starts_with(byte_order_mark))
        return Error{"a byte order mark before JSON", source.at_byte(text, 0), "save it without one"};
    if (is_blank(text)) return Error{"there is nothing in it", source.file, "copy the whole file again"};
    JsonWalk walk(text, source, visitor);
    if (nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &walk)) return std::nullopt;
    return walk.error();
}

}  // namespace headcount
