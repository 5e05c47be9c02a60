// The nearest words to those of a question that were not understood.
#include <algorithm>

#include "core/ask/read.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A name as it is shown, and as atoms spell it.
struct Known {
    std::string spelled;
    std::string_view shown;
};

std::vector<Known> vocabulary(std::span<const GraphPhrase> graph_phrases, std::span<const ModelName> models) {
    std::vector<Known> all;
    for (const AskPhrase& phrase : ask_phrases())
        if (!std::holds_alternative<AskFiller>(phrase.meaning)) all.push_back({phrase.words, phrase.words});
    for (const GraphPhrase& phrase : graph_phrases) all.push_back({phrase.words, phrase.words});
    for (const ModelName& model : models) all.push_back({joined(model.name), model.preset->architecture.name});
    // The families: "lama".
    for (const ModelName& model : models)
        if (!model.name.empty() && all.back().spelled != model.name.front().text)
            all.push_back({model.name.front().text, model.name.front().text});
    return all;
}

// What begins so comes first, then what differs in a few letters.
std::vector<std::string> nearest(std::string_view word, std::span<const Known> all) {
    constexpr std::size_t most = 3;
    std::vector<const Known*> begun;
    std::vector<std::string_view> others;
    for (const Known& each : all) {
        if (word.size() >= 3 && each.spelled.starts_with(word)) begun.push_back(&each);
        if (each.spelled.size() >= std::min<std::size_t>(word.size(), 3)) others.push_back(each.spelled);
    }
    std::ranges::stable_sort(begun,
                             [](const Known* a, const Known* b) { return a->spelled.size() < b->spelled.size(); });
    std::vector<std::string> names;
    auto add = [&](const Known& name) {
        if (names.size() < most && !contains(names, name.shown)) names.emplace_back(name.shown);
    };
    for (const Known* each : begun) add(*each);
    for (const std::string& each : nearest_names(word, others, most))
        add(*std::ranges::find_if(all, [&](const Known& name) { return name.spelled == each; }));
    return names;
}

// Whether two words differ in one place only, by a letter or by two that changed places; or one begins the other.
bool one_slip(std::string_view typed, std::string_view word) {
    constexpr std::size_t shortest = 4;  // of what is shorter too many words are near
    const std::size_t least = std::min(typed.size(), word.size()), most = std::max(typed.size(), word.size());
    if (typed.size() < shortest || typed.front() != word.front()) return false;  // "watch" is no "batch"
    const auto front = static_cast<std::size_t>(
        std::mismatch(typed.begin(), typed.begin() + static_cast<std::ptrdiff_t>(least), word.begin()).first -
        typed.begin());
    std::size_t back = 0;
    while (back < least - front && typed[typed.size() - 1 - back] == word[word.size() - 1 - back]) ++back;
    const bool changed_places = typed.size() == word.size() && front + back + 2 == most &&
                                typed[front] == word[front + 1] && typed[front + 1] == word[front];
    return front == typed.size() || front + back + 1 >= most || changed_places;
}

}  // namespace

void QuestionReader::report(const std::vector<std::size_t>& unread) {
    const std::vector<Known> all = unread.empty() ? std::vector<Known>{} : vocabulary(graph_phrases_, models_);
    constexpr std::size_t most = 6;  // that near ones are looked for
    std::size_t looked = 0;
    for (std::size_t i = 0; i < unread.size();) {
        std::size_t run = 1;
        while (i + run < unread.size() && unread[i + run] == unread[i] + run) ++run;
        std::size_t taken = 1;
        while (taken < run && atoms_[unread[i + taken]].glued) ++taken;
        std::vector<std::string> names;
        if (looked++ < most) {
            for (std::size_t count = std::min<std::size_t>(run, 3); count > taken && names.empty(); --count) {
                names = nearest(joined(std::span(atoms_).subspan(unread[i], count)), all);
                if (!names.empty()) taken = count;
            }
            if (names.empty()) names = nearest(joined(std::span(atoms_).subspan(unread[i], taken)), all);
        }
        const std::string typed = joined(std::span(atoms_).subspan(unread[i], taken));
        const bool slip = !names.empty() && one_slip(typed, joined(atoms_of(names.front()))) &&
                          model_at(atoms_of(names.front()), 0, models_, "").atoms == 0;
        heard_.unknown.push_back({{words(unread[i], taken), std::move(names)},
                                  atoms_[unread[i]].begin,
                                  atoms_[unread[i] + taken - 1].end,
                                  slip});
        i += taken;
    }
}

}  // namespace headcount
