// A question as a whole: a word of the lecture is explained and shown, a word of the program does something, and all
// else is asked of the graph.
#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/arch/fields.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// What a question says that has no words but such.
struct Whole {
    std::vector<const AskTerm*> terms;
    std::vector<std::string> actions;
    std::string problem;  // of an action that there is not
    std::vector<AskReading> readings;
    const Preset* preset = nullptr;
    bool explains = false;
    bool compares = false;  // "gqa vs mha": both are explained where the graph has no comparison
    bool lists = false;     // "which models use gqa"

    // "attention queries" names a part of the graph, not two words to be explained.
    bool names_a_term() const { return actions.empty() && (explains || compares ? !terms.empty() : terms.size() == 1); }
    bool does_something() const { return actions.size() == 1 && terms.empty() && !preset; }
};

class WholeReader {
  public:
    WholeReader(std::string_view text, const AskAbout& about) : text_(text), atoms_(atoms_of(text)), about_(about) {}

    // Nothing where some word is of another kind.
    std::optional<Whole> read() {
        for (std::size_t at = 0; at < atoms_.size();) {
            const std::size_t atoms = take(at);
            if (atoms == 0) return std::nullopt;
            at += atoms;
        }
        // "the tour about heads" is the one that shows them.
        if (tours_ && whole_.terms.size() == 1 && !whole_.terms.front()->tour.empty()) {
            whole_.actions = {"tour." + whole_.terms.front()->tour};
            whole_.terms.clear();
            whole_.explains = false;
        }
        return std::move(whole_);
    }

  private:
    std::size_t take(std::size_t at) {
        if (const std::size_t atoms = lesson(at)) return atoms;
        const auto word = longest_spelled<AskWord>(ask_words(), atoms_, at, [](const AskWord&) { return true; });
        const auto filler = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [](const AskPhrase& each) {
            return std::holds_alternative<AskFiller>(each.meaning) || each.meaning == AskMeaning(AskWide::compare) ||
                   each.meaning == AskMeaning(AskWide::models);
        });
        if (word.second == 0 || word.second < filler.second) {
            if (!filler.first && tours_ && atoms_[at].text.ends_with('s')) {  // "the tour about heads"
                atoms_[at].text.pop_back();
                return take(at);
            }
            if (!filler.first) return model(at);
            if (filler.first->meaning == AskMeaning(AskWide::models)) whole_.lists = true;
            if (filler.first->meaning == AskMeaning(AskWide::compare)) whole_.compares = true;
            return filler.second;
        }
        if (const auto* term = std::get_if<const AskTerm*>(&word.first->meaning)) {
            // "divide by the square root" says one twice
            if (std::find(whole_.terms.begin(), whole_.terms.end(), *term) == whole_.terms.end())
                whole_.terms.push_back(*term);
            understood(at, word.second, (*term)->name);
        } else if (const auto* does = std::get_if<AskDoes>(&word.first->meaning)) {
            whole_.actions.push_back(does->action);
            tours_ = does->numbered == "tour.";
        } else if (std::holds_alternative<AskExplains>(word.first->meaning)) {
            whole_.explains = true;
        }
        return word.second;
    }
    // "worksheet 5", "tour number 3", "the 3rd tour": a lesson by its number.
    std::size_t lesson(std::size_t at) {
        const bool first = atoms_[at].number;
        const std::size_t behind = first && at + 1 < atoms_.size() && is_ordinal(atoms_[at + 1]) ? 2 : 1;
        if (first && behind == 1) return 0;
        const auto kind =
            longest_spelled<AskWord>(ask_words(), atoms_, first ? at + behind : at, [](const AskWord& each) {
                const auto* does = std::get_if<AskDoes>(&each.meaning);
                return does && !does->numbered.empty();
            });
        if (!kind.first) return 0;
        std::size_t end = at + kind.second + (first ? behind : 0), number = at;
        if (!first) {
            for (const std::string_view word : {"number", "no", "nr"}) end += spelled_at(atoms_, end, word);
            number = end++;
        }
        const ReadNumber read = number_at(atoms_, number);
        if (read.atoms != 1) return 0;
        choose(std::get<AskDoes>(kind.first->meaning).numbered, kind.first->words, read.value);
        return end - at;
    }
    static bool is_ordinal(const Atom& atom) {
        return atom.glued && (atom.text == "st" || atom.text == "nd" || atom.text == "rd" || atom.text == "th");
    }
    void choose(std::string_view lessons, std::string_view word, std::int64_t number) {
        std::int64_t last = 0;
        for (const AskCommand& each : about_.commands) {
            if (!each.id.starts_with(lessons)) continue;
            std::int64_t own = 0;
            const std::string_view id = each.id.substr(lessons.size());
            if (std::from_chars(id.data(), id.data() + id.size(), own).ec != std::errc()) continue;
            last = std::max(last, own);
            if (own == number) whole_.actions.emplace_back(each.id);
        }
        if (whole_.actions.empty())
            whole_.problem = "There is no " + std::string(word) + " " + grouped(number) +
                             (last > 0 ? ": they are numbered from 1 to " + grouped(last) + "." : ".");
    }
    std::size_t model(std::size_t at) {
        const NamedModel named = model_at(atoms_, at, about_.memory->names(about_.presets), about_.preset);
        if (!named.preset || whole_.preset) return 0;
        whole_.preset = named.preset;
        understood(at, named.atoms, named.preset->architecture.name);
        return named.atoms;
    }
    void understood(std::size_t at, std::size_t count, std::string meaning) {
        const std::size_t begin = atoms_[at].begin;
        whole_.readings.push_back(
            {std::string(text_.substr(begin, atoms_[at + count - 1].end - begin)), std::move(meaning)});
    }

    std::string_view text_;
    std::vector<Atom> atoms_;
    const AskAbout& about_;
    Whole whole_;
    bool tours_ = false;  // a tour is asked for, and not said which
};

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

// The sentence, and the figure with its place: of the model that is named or at hand, else of one that has it.
AskAnswer explained(const AskTerm& term, const Preset* of, const AskAbout& about) {
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
    if (!problem.empty() && (elsewhere || answer.number.empty())) answer.notes.insert(answer.notes.begin(), problem);
    return answer;
}

// Both texts where they differ.
std::string both(const std::string& a, const std::string& b) {
    return a == b ? a : a + " and " + b;
}

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
    AskAnswer answer = explained(*whole.terms.front(), whole.preset, about);
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
    const std::optional<Whole> whole = WholeReader(text, about).read();
    if (!whole) return asked;
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
