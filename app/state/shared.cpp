// Merges three ways, down to the single answer.
#include "app/state/shared.hpp"

#include <optional>

#include "core/base/find.hpp"

namespace headcount {
namespace {

using Texts = std::vector<std::string>;

template <class Value>
Value later(const Value& base, const Value& ours, const Value& theirs) {
    return ours == base ? theirs : ours;
}

// Each key's value by `each`, of which nothing is what is not there.
template <class Key, class Value, class Each>
std::map<Key, Value> by_key(const std::map<Key, Value>& base, const std::map<Key, Value>& ours,
                            const std::map<Key, Value>& theirs, const Each& each) {
    const auto of = [](const std::map<Key, Value>& values, const Key& key) {
        const auto found = values.find(key);
        return found == values.end() ? std::nullopt : std::optional<Value>(found->second);
    };
    std::map<Key, Value> all = ours, result;
    all.insert(theirs.begin(), theirs.end());
    for (const auto& [key, unused] : all)
        if (std::optional<Value> value = each(of(base, key), of(ours, key), of(theirs, key)))
            result.emplace(key, std::move(*value));
    return result;
}

std::set<std::string> each_of(const std::set<std::string>& base, const std::set<std::string>& ours,
                              const std::set<std::string>& theirs) {
    std::set<std::string> all = ours, result;
    all.insert(theirs.begin(), theirs.end());
    for (const std::string& name : all)
        if (later(base.contains(name), ours.contains(name), theirs.contains(name))) result.insert(name);
    return result;
}

bool has(const Texts& texts, const std::string& text) { return contains(texts, text); }

// What we put in comes first, then theirs without what we took out.
Texts listed(const Texts& base, const Texts& ours, const Texts& theirs, std::size_t most) {
    if (ours == base) return theirs;
    if (theirs == base) return ours;
    Texts result;
    std::copy_if(ours.begin(), ours.end(), std::back_inserter(result),
                 [&](const std::string& text) { return !has(base, text); });
    for (const std::string& text : theirs)
        if (!has(result, text) && (has(ours, text) || !has(base, text))) result.push_back(text);
    if (result.size() > most) result.resize(most);
    return result;
}

struct Merging {
    bool clash = false;

    std::string typed(const std::string& base, const std::string& ours, const std::string& theirs) {
        if (ours == base) return theirs;
        if (theirs == base || theirs == ours || theirs.empty()) return ours;
        if (ours.empty()) return theirs;
        clash = true;
        return ours;
    }

    Progress progress(const Progress& base, const Progress& ours, const Progress& theirs) {
        const auto answer = [&](const auto& before, const auto& mine, const auto& other) {
            std::string text = typed(before.value_or(""), mine.value_or(""), other.value_or(""));
            return text.empty() ? std::nullopt : std::optional(std::move(text));
        };
        return {.question = later(base.question, ours.question, theirs.question),
                .given = by_key(base.given, ours.given, theirs.given, answer),
                .checked = each_of(base.checked, ours.checked, theirs.checked),
                .shown = each_of(base.shown, ours.shown, theirs.shown),
                .hinted = each_of(base.hinted, ours.hinted, theirs.hinted)};
    }

    DeskState desk(const DeskState& base, const DeskState& ours, const DeskState& theirs) {
        DeskState result{.sheet = later(base.sheet, ours.sheet, theirs.sheet),
                         .student = typed(base.student, ours.student, theirs.student),
                         .at_end = later(base.at_end, ours.at_end, theirs.at_end),
                         .key = ours.key,
                         .key_word = later(base.key_word, ours.key_word, theirs.key_word),
                         .progress = {},
                         .seeds = {}};
        result.progress =
            by_key(base.progress, ours.progress, theirs.progress, [&](auto before, auto mine, auto other) {
                const Progress none;
                Progress done = progress(before.value_or(none), mine.value_or(none), other.value_or(none));
                return done == none ? std::nullopt : std::optional(std::move(done));
            });
        result.seeds = by_key(base.seeds, ours.seeds, theirs.seeds,
                              [](auto before, auto mine, auto other) { return later(before, mine, other); });
        return result;
    }
};

}  // namespace

Shared shared_of(const View& view, const DeskState& desk) {
    return {view.recent, view.claims_files, view.tour_files, desk};
}

MergedShared merged(const Shared& base, const Shared& ours, const Shared& theirs) {
    Merging merging;
    Shared shared{listed(base.recent, ours.recent, theirs.recent, most_recent),
                  listed(base.claims_files, ours.claims_files, theirs.claims_files, most_opened_files),
                  listed(base.tour_files, ours.tour_files, theirs.tour_files, most_opened_files),
                  merging.desk(base.desk, ours.desk, theirs.desk)};
    return {std::move(shared), merging.clash};
}

}  // namespace headcount
