// Walks JSON text with nlohmann's SAX parser, which needs no stack of its own however deep the text is nested.
#include "core/checkpoints/json_walk.hpp"

#include "core/base/json_file.hpp"
#include "core/checkpoints/written.hpp"

namespace headcount {
namespace {

constexpr std::size_t deepest = 64, longest_key_shown = 100;

// A key as a JSON pointer has it, with nothing that steers a terminal.
void append_escaped(std::string& pointer, std::string_view key) {
    const bool cut = key.size() > longest_key_shown;
    if (cut) {
        std::size_t end = longest_key_shown;
        while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0) == 0x80) --end;  // not within a letter
        key = key.substr(0, end);
    }
    for (const char c : key) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            pointer += '?';
        else
            pointer += c;
    }
    if (cut) pointer += "...";
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
    JsonWalk(const std::string& file, std::uint64_t first_byte, JsonVisitor& visitor)
        : file_(file), first_byte_(first_byte), visitor_(visitor) {}

    // Why the walk stopped; asked only where it did.
    Error error() const {
        if (error_) return *error_;
        Error error = visitor_.refusal().value_or(Error{});
        error.where = path_.depth() == 0 ? file_ : file_ + ", " + path_.pointer();
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
        const std::uint64_t byte = first_byte_ + (position > 0 ? position - 1 : 0);
        error_ = Error{number ? "a number does not fit 64 bits" : what_is_no_json(exception.what()),
                       file_ + ", byte " + std::to_string(byte), check_writer};
        return false;
    }

  private:
    bool open(bool array) {
        if (path_.depth_ == deepest) {
            error_ = Error{"nested more than " + std::to_string(deepest) + " deep", file_ + ", " + path_.pointer(),
                           check_writer};
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

    const std::string& file_;
    const std::uint64_t first_byte_;
    JsonVisitor& visitor_;
    JsonPath path_;
    std::optional<Error> error_;
};

std::optional<Error> walk_json(std::string_view text, const std::string& file, std::uint64_t first_byte,
                               JsonVisitor& visitor) {
    const auto at = [&](std::size_t byte) { return file + ", byte " + std::to_string(first_byte + byte); };
    // The parser would take a zero byte as the text's end, and a byte order mark as nothing.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        return Error{"a zero byte within JSON", at(zero), check_writer};
    if (text.starts_with("\xEF\xBB\xBF")) return Error{"a byte order mark before JSON", at(0), "save it without one"};
    JsonWalk walk(file, first_byte, visitor);
    if (nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &walk)) return std::nullopt;
    return walk.error();
}

}  // namespace headcount
