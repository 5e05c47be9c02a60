// Words that are a question by themselves: those of the lecture and those of the program, assets/ask/words.json.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ask/words.hpp"
#include "embedded_phrases.hpp"

namespace headcount {
namespace {

struct Words {
    std::vector<AskTerm> terms;
    std::vector<AskWord> words;

    void add(const nlohmann::json& spelled, const AskSaying& meaning) {
        for (const nlohmann::json& each : spelled) words.push_back({each.get<std::string>(), meaning});
    }
};

Words read_words() {
    const auto files = embedded_phrases();
    const auto file = std::ranges::find_if(files, [](const EmbeddedPhrases& each) { return each.name == "words"; });
    const nlohmann::json read = nlohmann::json::parse(file->bytes.begin(), file->bytes.end());
    const nlohmann::json& terms = read.at("terms");
    Words all;
    for (const nlohmann::json& term : terms)
        all.terms.push_back({.name = term.at("name"),
                             .says = term.at("says"),
                             .asks = term.at("asks"),
                             .where = term.value("where", std::string()),
                             .field = term.value("field", std::string()),
                             .in = term.value("in", std::string()),
                             .tour = term.value("tour", std::string())});
    for (std::size_t i = 0; i < terms.size(); ++i) all.add(terms[i].at("words"), &all.terms[i]);
    const nlohmann::json& numbered = read.at("numbered");
    for (const auto& [action, words] : read.at("actions").items())
        all.add(words, AskDoes{action, numbered.value(action, std::string())});
    all.add(read.at("explains"), AskExplains{});
    return all;
}

// Whose terms stay where they are: words point at them.
const Words& shipped_words() {
    static const Words read = read_words();
    return read;
}

}  // namespace

std::span<const AskTerm> ask_terms() { return shipped_words().terms; }

std::span<const AskWord> ask_words() { return shipped_words().words; }

}  // namespace headcount
