// A question that has no words but those of the lecture, of the program, and such as say nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/ask.hpp"
#include "core/ask/words.hpp"

namespace headcount {

// What a question says that has no words but such.
struct Whole {
    std::vector<const AskTerm*> terms;
    std::vector<std::string> actions;
    std::string problem;  // of an action that there is not
    std::vector<AskReading> readings;
    const Preset* preset = nullptr;
    std::optional<Symbol> symbol;  // "what does T stand for"
    bool explains = false;
    bool whether = false;   // "is attention quadratic": both are explained where nothing else is known of it
    bool of_kinds = false;  // "which norm does it use": what kind of it is asked for
    bool compares = false;  // "gqa vs mha": both are explained where the graph has no comparison
    bool lists = false;     // "which models use gqa"

    // "attention queries" names a part of the graph, not two words to be explained.
    bool names_a_term() const { return actions.empty() && (explains || compares ? !terms.empty() : terms.size() == 1); }
    bool names_a_symbol() const { return symbol && explains && terms.empty() && actions.empty(); }
    bool does_something() const { return actions.size() == 1 && terms.empty() && !preset; }
};

// Nothing where some word is of another kind.
std::optional<Whole> whole_of(std::string_view text, const AskAbout& about);

}  // namespace headcount
