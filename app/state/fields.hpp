// The fields of a saved object, walked alike for reading and for writing: a `saved_fields` names every field of a kind
// of value once. What is missing, of another kind or out of bounds stays as it is: as if nobody had saved it. Whoever
// wants to know hears what was refused, and why.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.hpp"

namespace headcount {

// Each field says whether it could be read; whoever writes always can.
class Fields {
  public:
    using Json = nlohmann::json;
    using Written = nlohmann::ordered_json;

    explicit Fields(const Json& saved, std::vector<Error>* refused = nullptr)
        : from_(saved.is_object() ? &saved : nullptr), refused_(refused) {}
    explicit Fields(Written& object) : into_(&object) {}

    bool writes() const { return into_ != nullptr; }

    // What is there for this key is not taken; returns false.
    bool refuse(const std::string& key, const std::string& allowed) {
        const Json* const found = find(key);
        if (refused_ && found)
            refused_->push_back(
                must_be(in_ + key, allowed, found->is_string() ? found->get<std::string>() : found->dump()));
        return false;
    }

    bool flag(const std::string& key, bool& value) {
        return field<bool>(key, value, &Json::is_boolean, [](bool) { return true; }) || refuse(key, "1 or 0");
    }

    template <class Number>
    bool whole(const std::string& key, Number& value, std::int64_t least,
               std::int64_t greatest = std::numeric_limits<std::int64_t>::max()) {
        // One that does not fit in 64 bits is read as a number below 0.
        return field<std::int64_t>(key, value, &Json::is_number_integer,
                                   [&](std::int64_t number) { return number >= least && number <= greatest; }) ||
               refuse(key, numbers_from(least, greatest));
    }

    // 64 bits without a sign.
    template <class Number>
    bool seed(const std::string& key, Number& value) {
        return field<std::uint64_t>(key, value, &Json::is_number_unsigned, [](std::uint64_t) { return true; }) ||
               refuse(key, numbers_from(0));
    }

    // From 0 to `greatest`.
    bool share(const std::string& key, double& value, double greatest) {
        return field<double>(key, value, &Json::is_number,
                             [&](double number) { return number >= 0 && number <= greatest; }) ||
               refuse(key, "a number from 0 to " + factor_text(greatest));
    }

    bool text(const std::string& key, std::string& value, std::size_t longest = std::string::npos) {
        return field<std::string>(key, value, &Json::is_string,
                                  [&](const std::string& text) { return text.size() <= longest; }) ||
               refuse(key, "a text that is shorter");
    }

    // One of the words that an enumeration has, in its order.
    template <class Choice>
    bool choice(const std::string& key, Choice& value, std::span<const std::string_view> words) {
        std::string word(word_of(words, value));
        if (!text(key, word)) return false;
        const auto found = choice_called<Choice>(words, word);
        if (!found) return refuse(key, listed(words, std::identity(), " or "));
        value = *found;
        return true;
    }

    // By its key in the list of all that there are, each with its value in `member`.
    template <class List, class Info, class Value>
    bool named(const std::string& key, Value& value, const List& all, Value Info::*member) {
        const auto own = std::ranges::find_if(all, [&](const Info& info) { return info.*member == value; });
        std::string name(own == all.end() ? "" : own->key);
        if (!text(key, name)) return false;
        const auto found = std::ranges::find_if(all, [&](const Info& info) { return info.key == name; });
        if (found == all.end())
            return refuse(key, listed(
                                   all, [](const Info& info) { return info.key; }, " or "));
        value = (*found).*member;
        return true;
    }

    // What of a list is text, in its order: a vector or a set.
    template <class Texts>
    void texts(const std::string& key, Texts& values, std::size_t limit) {
        if (into_) (*into_)[key] = values;
        for (const Json& each : list(key))
            if (each.is_string() && limit > 0) {
                values.insert(values.end(), each.get<std::string>());
                --limit;
            }
    }

    // What may be absent; field(value) reads or writes it.
    template <class Value, class Field>
    void maybe(std::optional<Value>& value, Field field) {
        if (into_ && !value) return;
        Value there = value.value_or(Value{});
        if (field(there)) value = std::move(there);
    }

    // An object in this one; walk(fields) names what is in it.
    template <class Walk>
    bool inside(const std::string& key, Walk walk) {
        Fields there;
        there.refused_ = refused_;
        there.in_ = in_ + key + ".";
        if (into_) there.into_ = &((*into_)[key] = Written::object());
        if (const Json* const found = find(key); found && found->is_object()) there.from_ = found;
        walk(there);
        return there.into_ || there.from_;
    }
    template <class Value>
    bool object(const std::string& key, Value& value) {
        return inside(key, [&](Fields& there) { saved_fields(there, value); });
    }

    // A list of objects; walk(fields, value) says whether one is as it should be.
    template <class Value, class Walk>
    void objects(const std::string& key, std::vector<Value>& values, std::size_t limit, Walk walk) {
        if (into_) (*into_)[key] = Written::array();
        for (std::size_t i = 0; into_ && i < values.size(); ++i) {
            Fields there((*into_)[key].emplace_back(Written::object()));
            walk(there, values[i]);
        }
        for (const Json& each : list(key)) {
            Fields there(each);
            if (Value value{}; walk(there, value) && values.size() < limit) values.push_back(std::move(value));
        }
    }

    // An object of values alike; walk(fields, key, value) says whether one is as it should be.
    template <class Value, class Walk>
    void entries(const std::string& key, std::map<std::string, Value>& values, std::size_t limit, Walk walk) {
        inside(key, [&](Fields& there) {
            if (there.into_)
                for (auto& [name, value] : values) walk(there, name, value);
            else if (there.from_)
                for (const auto& [name, json] : there.from_->items())
                    if (Value value{}; walk(there, name, value) && values.size() < limit)
                        values[name] = std::move(value);
        });
    }

    // Whole numbers from `least` to `greatest`, as many as there are.
    template <std::size_t count>
    bool numbers(const std::string& key, std::array<int, count>& values, std::int64_t least, std::int64_t greatest) {
        if (into_) (*into_)[key] = values;
        const std::span<const Json> all = list(key);
        const bool fits = all.size() == count && std::ranges::all_of(all, [&](const Json& each) {
                              return each.is_number_integer() && each.get<std::int64_t>() >= least &&
                                     each.get<std::int64_t>() <= greatest;
                          });
        if (fits)
            std::transform(all.begin(), all.end(), values.begin(), [](const Json& each) { return each.get<int>(); });
        return into_ || fits;
    }

  private:
    Fields() = default;

    const Json* find(const std::string& key) const {
        if (!from_) return nullptr;
        const auto found = from_->find(key);
        return found == from_->end() ? nullptr : &*found;
    }

    std::span<const Json> list(const std::string& key) const {
        const Json* const found = find(key);
        if (!found || !found->is_array()) return {};
        return found->get_ref<const Json::array_t&>();
    }

    template <class Read, class Value, class Fits>
    bool field(const std::string& key, Value& value, bool (Json::*kind)() const noexcept, Fits fits) {
        if (into_) (*into_)[key] = value;
        const Json* const found = find(key);
        if (!found || !(found->*kind)() || !fits(found->get<Read>())) return into_;
        value = static_cast<Value>(found->get<Read>());
        return true;
    }

    const Json* from_ = nullptr;  // null: nothing was saved there
    Written* into_ = nullptr;     // null: it is read
    std::vector<Error>* refused_ = nullptr;
    std::string in_;  // "costs.": before the keys of an object in another
};

// By value: a walk over what is written may change it.
template <class Value>
nlohmann::ordered_json json_of(Value value) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    Fields fields(json);
    saved_fields(fields, value);
    return json;
}

template <class Value>
Value value_from(const nlohmann::json& saved) {
    Value value;
    Fields fields(saved);
    saved_fields(fields, value);
    return value;
}

}  // namespace headcount
