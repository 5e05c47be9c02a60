// Changes of a run in words.
#include "core/runtime/changes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

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

// "feed_forward", "attention.head.scores": up to a part of it.
std::string dotted_name(Words& words) {
    std::string name(words.name());
    while (words.left.starts_with('.')) {
        Words behind{words.left.substr(1)};
        const std::string_view next = behind.name();
        if (next.empty() || behind.left.starts_with(':')) break;
        name.append(".").append(next);
        words = behind;
    }
    return name;
}

bool read_place(Words words, ChangePlace& place) {
    for (const auto stack : {ChangePlace::Stack::encoder, ChangePlace::Stack::decoder})
        if (words.take(word_of(stack_words, stack))) place.stack = stack;
    const bool stream = words.take("stream.");
    if (stream || words.take("layer.")) {
        if (!words.number(place.layer) || (!stream && !words.take("."))) return false;
    } else {
        place.layer = ChangePlace::outside;
    }
    if (!stream) place.block = dotted_name(words);
    if (!stream && place.block.empty()) return false;
    const auto read = [&](std::string_view word, std::optional<std::int64_t>& part) {
        return !words.take(word) || words.number(part.emplace());
    };
    return read(".head:", place.head) && read(".expert:", place.expert) &&
           read(place.is_activation() || stream ? ".column:" : ".neuron:", place.column) && read("@", place.token) &&
           words.left.empty();
}

Result<ChangePlace> parse_place(std::string_view text) {
    ChangePlace place;
    if (read_place({text}, place)) return place;
    return Error{quote(text) + " is no place in a run", "",
                 "name layer.I.attention, layer.I.feed_forward, layer.I.attention.head:J, "
                 "layer.I.feed_forward.expert:K, layer.I.feed_forward.neuron:N, stream.I@TOKEN or an activation as "
                 "layer.I.attention.keys.column:C@TOKEN, counted from 0"};
}

std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool whole = !text.empty() && *end == '\0' && end == text.c_str() + text.size();
    const bool fits = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
    return whole && fits ? std::optional(value) : std::nullopt;
}

// The shortest that is read back as the same number.
std::string exact_number(double number) {
    std::array<char, 32> text{};
    for (int digits = 4; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
        std::snprintf(text.data(), text.size(), "%.*g", digits, number);
        if (std::strtod(text.data(), nullptr) == number) break;
    }
    return text.data();
}

}  // namespace

std::string_view key(Change::Kind kind) { return Change::kinds[static_cast<std::size_t>(kind)]; }

Result<Change> parse_change(Change::Kind kind, std::string_view text) {
    const bool number = takes_number(kind), value_follows = number || kind == Change::Kind::patch;
    const std::size_t equals = value_follows ? text.find('=') : text.size();
    const Result<ChangePlace> place = parse_place(text.substr(0, equals));
    if (!place) return place.error();
    Change change{.kind = kind, .place = *place};
    if (!value_follows) return change;
    const std::string value(equals < text.size() ? text.substr(equals + 1) : "");
    const std::string where = place_text(*place);
    const std::string_view what = kind == Change::Kind::scale ? "factor" : number ? "number" : "file";
    if (value.empty())
        return Error{"there is no " + std::string(what), where,
                     "write " + where + (number ? "=0.5" : "=FILE, a file that --dump wrote")};
    if (!number) {
        change.file = value;
        return change;
    }
    const std::optional<double> read = number_of(value);
    if (!read) return Error{quote(value) + " is no " + std::string(what), where, "give a number such as 0.5"};
    change.number = *read;
    return change;
}

std::string place_text(const ChangePlace& place) {
    std::string text(word_of(stack_words, place.stack));
    const bool stream = place.block.empty();
    if (place.layer != ChangePlace::outside) text += (stream ? "stream." : "layer.") + std::to_string(place.layer);
    if (!stream) text += (place.layer == ChangePlace::outside ? "" : ".") + place.block;
    if (place.head) text += ".head:" + std::to_string(*place.head);
    if (place.expert) text += ".expert:" + std::to_string(*place.expert);
    if (place.column)
        text += (place.is_activation() || stream ? ".column:" : ".neuron:") + std::to_string(*place.column);
    if (place.token) text += "@" + std::to_string(*place.token);
    return text;
}

std::string written_change(const Change& change) {
    return place_text(change.place) + (takes_number(change.kind) ? "=" + exact_number(change.number) : "");
}

std::string change_text(const Change& change) {
    const std::string place = place_text(change.place);
    switch (change.kind) {
        case Change::Kind::off: return place + " off";
        case Change::Kind::scale: return place + " × " + exact_number(change.number);
        case Change::Kind::patch: return place + " from " + shown(change.file.string());
        case Change::Kind::mean: return place + " as it is on average";
        case Change::Kind::put: return place + " = " + exact_number(change.number);
    }
    return place;
}

}  // namespace headcount
