// Changes of a run in words.
#include "core/runtime/changes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 3> kind_keys{"off", "scale", "patch"};
constexpr std::array<std::string_view, 3> stack_words{"", "encoder.", "decoder."};

// Takes a text apart from its beginning on.
struct Words {
    std::string_view left;

    bool take(std::string_view word) {
        if (!left.starts_with(word)) return false;
        left.remove_prefix(word.size());
        return true;
    }
    std::string_view name() {
        const auto end = std::ranges::find_if_not(left, [](char c) { return is_letter_or_digit(c) || c == '_'; });
        const std::string_view found = left.substr(0, static_cast<std::size_t>(end - left.begin()));
        left.remove_prefix(found.size());
        return found;
    }
    bool number(std::int64_t& value) {
        const char* const end = left.data() + left.size();
        if (left.empty() || !is_digit(left.front())) return false;
        const auto [behind, failure] = std::from_chars(left.data(), end, value);
        left.remove_prefix(static_cast<std::size_t>(behind - left.data()));
        return failure == std::errc();
    }
};

bool read_place(Words words, ChangePlace& place) {
    for (const auto stack : {ChangePlace::Stack::encoder, ChangePlace::Stack::decoder})
        if (words.take(stack_words[static_cast<std::size_t>(stack)])) place.stack = stack;
    if (words.take("stream."))
        return words.number(place.layer) && words.take("@") && words.number(place.token.emplace()) &&
               words.left.empty();
    if (!words.take("layer.") || !words.number(place.layer) || !words.take(".")) return false;
    place.block = words.name();
    if (place.block.empty() || words.left.empty()) return !place.block.empty();
    std::optional<std::int64_t>* const part = words.take(".head:")     ? &place.head
                                              : words.take(".expert:") ? &place.expert
                                                                       : nullptr;
    return part && words.number(part->emplace()) && words.left.empty();
}

Result<ChangePlace> parse_place(std::string_view text) {
    ChangePlace place;
    if (read_place({text}, place)) return place;
    return Error{quote(text) + " is no place in a run", "",
                 "name layer.I.attention, layer.I.feed_forward, layer.I.attention.head:J, "
                 "layer.I.feed_forward.expert:K or stream.I@TOKEN, counted from 0"};
}

std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool whole = !text.empty() && *end == '\0' && end == text.c_str() + text.size();
    const bool fits = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
    return whole && fits ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view key(Change::Kind kind) {
    return kind_keys[static_cast<std::size_t>(kind)];
}

Result<Change> parse_change(Change::Kind kind, std::string_view text) {
    const bool off = kind == Change::Kind::off, scale = kind == Change::Kind::scale;
    const std::size_t equals = off ? text.size() : text.find('=');
    const Result<ChangePlace> place = parse_place(text.substr(0, equals));
    if (!place) return place.error();
    Change change{.kind = kind, .place = *place};
    if (off) return change;
    const std::string value(equals < text.size() ? text.substr(equals + 1) : "");
    const std::string where = place_text(*place);
    if (value.empty())
        return Error{scale ? "there is no factor" : "there is no file", where,
                     "write " + where + (scale ? "=0.5" : "=FILE, a file that --dump wrote")};
    if (!scale) {
        change.file = value;
        return change;
    }
    const std::optional<double> factor = number_of(value);
    if (!factor) return Error{quote(value) + " is no factor", where, "give a number such as 0.5"};
    change.factor = *factor;
    return change;
}

std::string place_text(const ChangePlace& place) {
    std::string text(stack_words[static_cast<std::size_t>(place.stack)]);
    text += (place.token ? "stream." : "layer.") + std::to_string(place.layer);
    if (place.token) return text + "@" + std::to_string(*place.token);
    text += "." + place.block;
    if (place.head) text += ".head:" + std::to_string(*place.head);
    if (place.expert) text += ".expert:" + std::to_string(*place.expert);
    return text;
}

std::string change_text(const Change& change) {
    const std::string place = place_text(change.place);
    if (change.kind == Change::Kind::off) return place + " off";
    if (change.kind == Change::Kind::scale) return place + " × " + factor_text(change.factor);
    return place + " from " + shown(change.file.string());
}

}  // namespace headcount
