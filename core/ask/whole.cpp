// A question as a whole: a word of the lecture is explained and shown, a word of the program does something, and all
// else is asked of the graph.
#include <algorithm>

#include "core/arch/fields.hpp"
#include "core/ask/answer.hpp"
#include "core/ask/whole_words.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

bool has(const Architecture& model, const AskTerm& term, const Input& input) {
    if (term.where.empty()) return true;
    if (const std::size_t sign = term.where.find('='); sign != term.where.npos)
        return std::ranges::any_of(fields(), [&](const FieldInfo& each) {
            return each.key == term.where.substr(0, sign) &&
                   field_text(model, each.field) == term.where.substr(sign + 1);
        });
    const Result<std::int64_t> more = evaluate(*parse_expr(term.where), bindings(model, input));
    return more && *more > 0;
}

// Within a sentence: "grouped-query attention".
std::string in_sentence(const AskTerm& term) {
    const bool written_so =
        std::any_of(term.name.begin() + 1, term.name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });  // "RoPE"
    return written_so ? term.name : lower(term.name.substr(0, 1)) + term.name.substr(1);
}

// The figure that belongs to a term, of this model; `problem` says why there is none.
std::optional<AskAnswer> figure_of(const AskTerm& term, const Preset* of, const AskAbout& about, std::string& problem) {
    const Architecture& model = of ? of->architecture : about.architecture;
    if (!has(model, term, about.input)) {
        problem = model.name + " has no " + in_sentence(term) + ".";
        return std::nullopt;
    }
    for (const std::string& question : term.asks) {
        Asked asked = ask_graph(question + (of ? " of " + of->id : ""), about);
        if (asked.answer) return std::move(asked.answer);
        if (problem.empty()) problem = asked.problem;
    }
    return std::nullopt;
}

// Which kind of it the model has, where a field says so: "LayerNorm".
std::string kind_of(const AskTerm& term, const Architecture& model) {
    const auto field = std::ranges::find(fields(), std::string_view(term.field), &FieldInfo::key);
    return field == fields().end() ? "" : value_words(model, field->field);
}

// What a symbol of the formulas stands for, and the model's number of it.
void explain_symbol(Asked& asked, const Whole& whole, const AskAbout& about) {
    const SymbolInfo& symbol = info(*whole.symbol);
    const std::string of = whole.preset ? " of " + whole.preset->id : "";
    const std::string says = std::string(symbol.text) + " stands for " + std::string(symbol.name) + ".";
    Asked number = ask_graph(std::string(symbol.name) + of, about);
    asked.readings = whole.readings;
    asked.unknown.clear();
    asked.problem = number.answer ? "" : says + " " + number.problem;
    asked.answer = std::move(number.answer);
    if (!asked.answer) return;
    asked.answer->title = capitalized(symbol.name);
    asked.answer->says = says;
}

// The sentence, and the figure with its place: of the model that is named or at hand, else of one that has it.
AskAnswer explained(const AskTerm& term, const Preset* of, const AskAbout& about, bool of_kinds = false) {
    std::string problem;
    std::optional<AskAnswer> figure = figure_of(term, of, about, problem);
    const bool elsewhere = !figure && !of && !term.in.empty() && term.in != about.preset;
    if (elsewhere) {
        std::string none;
        figure = figure_of(term, find_preset(about.presets, term.in), about, none);
    }
    AskAnswer answer = figure ? *std::move(figure) : AskAnswer{};
    if (!answer.title.empty() && answer.title != term.name)
        answer.unit = answer.title + (answer.unit.empty() ? "" : ", " + answer.unit);
    answer.title = term.name;
    answer.says = term.says;
    answer.tour = term.tour;
    const Architecture& model = of ? of->architecture : about.architecture;
    if (const std::string kind = elsewhere ? "" : kind_of(term, model); !kind.empty() && of_kinds) {
        if (!answer.number.empty())
            answer.notes.insert(answer.notes.begin(), capitalized(answer.unit) + ": " + answer.number + ".");
        answer.about = model.name;
        answer.number = answer.result = kind;
        for (std::string AskAnswer::*text :
             {&AskAnswer::unit, &AskAnswer::symbols, &AskAnswer::numbers, &AskAnswer::in_short})
            (answer.*text).clear();
        answer.count.reset();
    } else if (!kind.empty()) {
        answer.notes.insert(answer.notes.begin(), model.name + " has it so: " + kind + ".");
    }
    if (!problem.empty() && (elsewhere || answer.number.empty())) answer.notes.insert(answer.notes.begin(), problem);
    return answer;
}

// Both texts where they differ.
std::string both(const std::string& a, const std::string& b) { return a == b ? a : a + " and " + b; }

// The other word beside the first: its sentence, and where both have a figure of the same kind both figures.
void set_beside(AskAnswer& answer, const AskTerm& term, const AskAnswer& other) {
    answer.title += " and " + in_sentence(term);
    std::string says = term.name + ": " + term.says;
    if (answer.unit == other.unit && answer.symbols == other.symbols && !other.number.empty()) {
        answer.about = both(answer.about, other.about);
        for (std::string AskAnswer::*text : {&AskAnswer::number, &AskAnswer::numbers, &AskAnswer::result})
            answer.*text = both(answer.*text, other.*text);
        if (!answer.in_short.empty()) answer.in_short = both(answer.in_short, other.in_short);
        answer.count.reset();
    } else if (!other.number.empty()) {
        says += " " + other.about + ": " + other.number + (other.unit.empty() ? "" : " " + other.unit) + ".";
    }
    answer.notes.insert(answer.notes.begin(), std::move(says));
}

// "which models use gqa"
void list_with(Asked& asked, const AskTerm& term, const AskAbout& about) {
    AskOutcome outcome = list_models(
        "Shipped models with " + in_sentence(term), about,
        [&](const Preset& each, const CountedModel&) { return has(each.architecture, term, Input{.tokens = 1}); });
    outcome.answer->says = term.says;
    outcome.answer->tour = term.tour;
    asked.answer = std::move(outcome.answer);
    asked.matches = std::move(outcome.found);
}

// Several words are explained one after the other, and set beside each other where they are compared.
AskAnswer explained(const Whole& whole, const AskAbout& about) {
    AskAnswer answer = explained(*whole.terms.front(), whole.preset, about, whole.of_kinds);
    for (std::size_t i = 1; i < whole.terms.size(); ++i) {
        const AskTerm& term = *whole.terms[i];
        if (whole.compares)
            set_beside(answer, term, explained(term, whole.preset, about));
        else
            answer.notes.push_back(term.name + ": " + term.says);
    }
    return answer;
}

// The command of this action first, and nothing else as the answer.
void do_it(Asked& asked, const std::string& action, std::string_view text, const AskAbout& about) {
    asked.answer.reset();
    asked.unknown.clear();
    asked.readings.clear();
    asked.problem.clear();
    const auto command = std::find_if(about.commands.begin(), about.commands.end(),
                                      [&](const AskCommand& each) { return each.id == action; });
    if (command == about.commands.end()) {
        asked.problem = quote(text) + " is something that is done in the window.";
        return;
    }
    asked.readings.push_back({std::string(text), std::string(command->meaning)});
    const auto place = static_cast<std::size_t>(command - about.commands.begin());
    std::erase_if(asked.matches, [&](const AskMatch& each) {
        return each.kind == AskMatch::Kind::wording || (each.kind == AskMatch::Kind::command && each.command == place);
    });
    asked.matches.insert(asked.matches.begin(), {.kind = AskMatch::Kind::command,
                                                 .id = "",
                                                 .title = std::string(command->meaning),
                                                 .detail = std::string(command->keys),
                                                 .command = place});
}

// The first word of the lecture in a text, also where it stands in the plural; null where there is none.
const AskTerm* first_term(std::vector<Atom> atoms) {
    for (std::size_t at = 0; at < atoms.size(); ++at) {
        const auto spelled = [&] {
            return longest_spelled<AskWord>(ask_words(), atoms, at, [](const AskWord& each) {
                return std::holds_alternative<const AskTerm*>(each.meaning);
            });
        };
        auto term = spelled();
        if (!term.first && atoms[at].text.ends_with('s')) {
            atoms[at].text.pop_back();
            term = spelled();
        }
        if (term.first) return std::get<const AskTerm*>(term.first->meaning);
    }
    return nullptr;
}

// Of a figure that "why" was asked of. It says how much, and for what reason only where it follows from other numbers;
// what the thing is for, and which tour shows it, is known of the words of the lecture.
void say_why(AskAnswer& answer, std::string_view text) {
    const std::vector<Atom> atoms = atoms_of(text);
    if (std::none_of(atoms.begin(), atoms.end(), [](const Atom& each) { return each.text == "why"; })) return;
    if (const AskTerm* const near = first_term(atoms)) {
        if (answer.says.empty()) answer.says = near->says;
        if (answer.tour.empty()) answer.tour = near->tour;
    }
    const bool alone = !answer.symbols.empty() && std::ranges::all_of(answer.symbols, [](char letter) {
        return is_letter_or_digit(letter) || letter == '_';
    });
    if (answer.reasoned || !alone) return;
    answer.notes.push_back("This says how many, not why: that was a choice of those who made the model." +
                           (answer.tour.empty() ? "" : " What it is for is shown by the tour " + answer.tour + "."));
}

// One letter missing, one too many, or two that changed places.
bool is_slip_of(std::string_view typed, std::string_view word) {
    constexpr std::size_t shortest = 3;
    const std::string_view one = typed.size() < word.size() ? typed : word, other = one == typed ? word : typed;
    if (one.size() < shortest || other.size() > one.size() + 1) return false;
    const auto front =
        static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
    if (one.size() < other.size()) return one.substr(front) == other.substr(front + 1);
    return front + 1 < one.size() && one[front] == other[front + 1] && one[front + 1] == other[front] &&
           one.substr(front + 2) == other.substr(front + 2);
}

// The question with the slips in such words mended, each said as a reading; nothing where there are none.
std::optional<std::string> with_small_words(std::string_view text, const std::vector<AskUnknown>& unknown,
                                            std::vector<AskReading>& readings) {
    std::string better;
    std::size_t from = 0;
    for (const Atom& atom : atoms_of(text)) {
        const std::string typed(text.substr(atom.begin, atom.end - atom.begin));
        if (std::none_of(unknown.begin(), unknown.end(), [&](const AskUnknown& each) { return each.words == typed; }))
            continue;
        const auto meant = std::find_if(ask_phrases().begin(), ask_phrases().end(), [&](const AskPhrase& each) {
            return each.meaning == AskMeaning(AskFiller{true}) && is_slip_of(atom.text, each.words);
        });
        if (meant == ask_phrases().end()) continue;
        readings.push_back({typed, meant->words});
        better += std::string(text.substr(from, atom.begin - from)) + meant->words;
        from = atom.end;
    }
    if (readings.empty()) return std::nullopt;
    return better + std::string(text.substr(from));
}

Asked ask_spelled(std::string_view text, const AskAbout& about) {
    Asked asked = ask_graph(text, about);
    if (text.size() > longest_question) return asked;
    if (asked.answer) say_why(*asked.answer, text);
    std::optional<Whole> whole = whole_of(text, about);
    if (!whole) return asked;
    const bool of_kind = whole->of_kinds && whole->terms.size() == 1 && !whole->terms.front()->field.empty();
    if ((whole->whether && !asked.answer) || of_kind) whole->explains = true;
    if (!whole->problem.empty()) {
        asked = {};
        asked.problem = whole->problem;
        return asked;
    }
    // "zoom to fit" is done, and "does it fit" asked.
    const bool of_model = is_of_one(atoms_of(text), about);
    if (whole->does_something() && !(of_model && (asked.answer || !asked.problem.empty()))) {
        do_it(asked, whole->actions.front(), text, about);
    } else if (whole->names_a_term() && whole->lists && !(asked.answer && asked.answer->of_models)) {
        const AskTerm& term = *whole->terms.front();
        const bool known = !term.where.empty() && !whole->preset;
        asked.answer.reset();
        asked.unknown.clear();
        asked.problem = known ? "" : "It is not known which models have " + in_sentence(term) + ".";
        if (known) list_with(asked, term, about);
    } else if (whole->names_a_term() && asked.answer && !whole->explains) {
        if (whole->compares) return asked;
        if (asked.answer->says.empty()) asked.answer->says = whole->terms.front()->says;
        asked.answer->tour = whole->terms.front()->tour;
    } else if (whole->names_a_symbol()) {
        explain_symbol(asked, *whole, about);
    } else if (whole->names_a_term()) {
        asked.answer = explained(*whole, about);
        asked.readings = whole->readings;
        asked.unknown.clear();
        asked.problem.clear();
        std::erase_if(asked.matches, [](const AskMatch& each) { return each.kind == AskMatch::Kind::wording; });
    }
    return asked;
}

}  // namespace

Asked ask(std::string_view text, const AskAbout& asked_about) {
    AskMemory forgotten;
    AskAbout about = asked_about;
    if (!about.memory) about.memory = &forgotten;
    Asked asked = ask_spelled(text, about);
    std::vector<AskReading> slips;
    const std::optional<std::string> better = with_small_words(text, asked.unknown, slips);
    if (!better) return asked;
    asked = ask_spelled(*better, about);
    asked.readings.insert(asked.readings.begin(), slips.begin(), slips.end());
    return asked;
}

}  // namespace headcount
