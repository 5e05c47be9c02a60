// The fields of a saved object. Whatever is missing, of another kind or out of bounds is as if nobody had saved it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headcount {

struct Fields {
    const nlohmann::json* object;  // null where there is none

    const nlohmann::json* find(const std::string& key) const {
        const auto found = object ? object->find(key) : nlohmann::json::const_iterator();
        return object && found != object->end() ? &*found : nullptr;
    }

    std::optional<std::int64_t> whole(const std::string& key, std::int64_t least,
                                      std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
        const nlohmann::json* const number = find(key);
        if (!number || !number->is_number_integer()) return std::nullopt;
        const auto value = number->get<std::int64_t>();  // below 0 where it does not fit
        return value < least || value > most ? std::nullopt : std::optional(value);
    }

    std::optional<std::uint64_t> seed(const std::string& key) const {
        const nlohmann::json* const number = find(key);
        return number && number->is_number_unsigned() ? std::optional(number->get<std::uint64_t>()) : std::nullopt;
    }

    // From 0 to `most`.
    std::optional<double> share(const std::string& key, double most) const {
        const nlohmann::json* const number = find(key);
        const double value = number && number->is_number() ? number->get<double>() : -1;
        return value >= 0 && value <= most ? std::optional(value) : std::nullopt;
    }

    bool flag(const std::string& key, bool otherwise = false) const {
        const nlohmann::json* const flag = find(key);
        return flag && flag->is_boolean() ? flag->get<bool>() : otherwise;
    }

    std::string text(const std::string& key, std::size_t longest = std::string::npos,
                     const std::string& otherwise = {}) const {
        const nlohmann::json* const text = find(key);
        if (!text || !text->is_string() || text->get_ref<const std::string&>().size() > longest) return otherwise;
        return text->get<std::string>();
    }

    // One of the words that an enumeration has, in its order.
    template <class Choice>
    Choice choice(const std::string& key, std::span<const std::string_view> words, Choice otherwise) const {
        const auto found = std::find(words.begin(), words.end(), text(key));
        return found == words.end() ? otherwise : static_cast<Choice>(found - words.begin());
    }

    // What of a list is text, in its order.
    std::vector<std::string> texts(const std::string& key, std::size_t most) const {
        std::vector<std::string> texts;
        for (const nlohmann::json& each : list(key))
            if (each.is_string() && texts.size() < most) texts.push_back(each.get<std::string>());
        return texts;
    }

    // Empty where there is no list.
    std::span<const nlohmann::json> list(const std::string& key) const {
        const nlohmann::json* const list = find(key);
        if (!list || !list->is_array()) return {};
        return list->get_ref<const nlohmann::json::array_t&>();
    }

    // The fields of what is saved there; none where it is no object.
    Fields operator[](const std::string& key) const;
};

// None where it is no object.
inline Fields fields_of(const nlohmann::json& json) {
    return {json.is_object() ? &json : nullptr};
}

inline Fields Fields::operator[](const std::string& key) const {
    const nlohmann::json* const there = find(key);
    return {there && there->is_object() ? there : nullptr};
}

// The word of a choice.
template <class Choice>
std::string_view word_of(std::span<const std::string_view> words, Choice choice) {
    return words[static_cast<std::size_t>(choice)];
}

}  // namespace headcount
