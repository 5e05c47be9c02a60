// Takes a question apart, word by word.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/graph_words.hpp"
#include "core/ask/read.hpp"

namespace headcount {

class QuestionReader {
  public:
    QuestionReader(std::string_view text, const AskAbout& about, const ModelGraph& graph)
        : text_(text),
          about_(about),
          graph_(graph),
          atoms_(atoms_of(text)),
          models_(model_names(about.presets)),
          graph_phrases_(phrases_of(graph)) {
        heard_.input = about.input;
    }

    Heard read();

  private:
    // A reading of some atoms: how many, and what it says of the question.
    struct Found {
        std::size_t atoms = 0;
        std::function<void()> take;
    };
    // "tokens", and "context" beside a number.
    struct UnitAt {
        AskUnit unit = AskUnit::tokens;
        std::size_t atoms = 0;
    };

    bool asks() const { return heard_.quantity || !heard_.subjects.empty() || !heard_.symbols.empty(); }
    std::string words(std::size_t at, std::size_t count) const {
        const std::size_t begin = atoms_[at].begin;
        return std::string(text_.substr(begin, atoms_[at + count - 1].end - begin));
    }
    void understood(std::size_t at, std::size_t count, std::string meaning) {
        heard_.readings.push_back({words(at, count), std::move(meaning)});
    }

    // The longest reading of the words from here on; of two that are as long the first.
    Found longest_at(std::size_t at);
    // Inputs and sides (read_numbers.cpp): "8k tokens"; "4096x11008", but "4 x 100 tokens" is an input; a number
    // alone, or one of something that the model has: "32 layers".
    UnitAt unit_at(std::size_t at) const;
    Found input(std::size_t at);
    void set(AskUnit unit, const ReadNumber& number, std::size_t at, std::size_t atoms);
    Found sides(std::size_t at);
    // "24 GB" of memory, or the device that has it: "h100" (devices.cpp).
    Found budget(std::size_t at);
    Found device(std::size_t at);
    Found number(std::size_t at);
    // "v100", "2 h100": a name begins here, though its letter alone is a symbol.
    bool stuck(std::size_t at) const;
    bool named_by_article(std::size_t at) const;  // "a b200" is a thing, "b200" may be an input
    // An id or a name as the checkpoint has it, typed in full.
    Found path(std::size_t at);
    Found phrase(std::size_t at);
    void take(const AskMeaning& meaning, std::size_t at, std::size_t atoms);
    // "dense layer" where layers differ.
    Found layer_kind(std::size_t at);
    Found graph_phrase(std::size_t at);
    Found model(std::size_t at);
    // "llama 3.1 8b" is no model that is known: the nearest names are said.
    void miss(std::size_t at, const NamedModel& named);
    // What the question is about where that depends on all of its words: "24 GB" alone asks what fits.
    void settle_wide();
    // What was understood and makes no difference is said.
    void note_idle();
    // Words next to each other that were not understood may be one with a slip: "fed forward".
    void report(const std::vector<std::size_t>& unread);

    std::string_view text_;
    const AskAbout& about_;
    const ModelGraph& graph_;
    std::vector<Atom> atoms_;
    std::vector<ModelName> models_;
    std::vector<GraphPhrase> graph_phrases_;
    Heard heard_;
};

}  // namespace headcount
