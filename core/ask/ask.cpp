// A typed question read, answered, and searched for.
#include "core/ask/ask.hpp"

#include <algorithm>

#include "core/ask/answer.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

// Words that say nothing of what is looked for.
bool idle(const Atom& atom) {
    return std::ranges::any_of(ask_phrases(), [&](const AskPhrase& phrase) {
        return std::holds_alternative<AskFiller>(phrase.meaning) && phrase.words == atom.text;
    });
}

// How well every typed word begins some word of a name: 0 where one does not, more the more of the name it is.
int likeness(std::span<const Atom> typed, const std::vector<Atom>& name) {
    if (typed.empty() || name.empty()) return 0;
    int score = 1;
    std::size_t from = 0;
    bool in_order = true;
    for (const Atom& word : typed) {
        auto begins = [&](const Atom& atom) { return atom.text.starts_with(word.text); };
        auto found = std::find_if(name.begin() + static_cast<std::ptrdiff_t>(from), name.end(), begins);
        if (found == name.end()) {
            in_order = false;
            found = std::ranges::find_if(name, begins);
        }
        if (found == name.end()) return 0;
        if (found->text == word.text) score += 2;
        from = static_cast<std::size_t>(found - name.begin()) + 1;
        if (from > name.size()) from = name.size();
    }
    if (in_order) score += 2;
    if (name.front().text.starts_with(typed.front().text)) score += 2;
    if (typed.size() == name.size()) score += 3;
    return score;
}

AskMatch preset_match(const Preset& preset) {
    return {.kind = AskMatch::Kind::preset,
            .id = preset.id,
            .title = preset.architecture.name,
            .detail = preset.year ? std::to_string(*preset.year) : ""};
}

// Looks for what is called as was typed.
class NameSearch {
  public:
    NameSearch(std::string_view text, const AskAbout& about) : about_(about), end_(text.size()) {
        for (Atom& atom : atoms_of(text))
            if (!idle(atom)) typed_.push_back(std::move(atom));
    }

    // Whether the words are a command's own, with all of each but what is still being typed.
    bool names_a_command() const {
        return std::ranges::any_of(about_.commands, [&](const AskCommand& command) {
            const std::vector<Atom> name = atoms_of(command.meaning);
            return !typed_.empty() && std::ranges::all_of(typed_, [&](const Atom& word) {
                const bool half = about_.typing && word.end == end_;
                return std::ranges::any_of(name, [&](const Atom& atom) {
                    return half ? atom.text.starts_with(word.text) : atom.text == word.text;
                });
            });
        });
    }
    void commands() {
        for (std::size_t i = 0; i < about_.commands.size(); ++i) {
            const AskCommand& command = about_.commands[i];
            add(likeness(typed_, atoms_of(command.meaning)), {.kind = AskMatch::Kind::command,
                                                              .id = "",
                                                              .title = std::string(command.meaning),
                                                              .detail = std::string(command.keys),
                                                              .command = i});
        }
    }
    void presets() {
        for (const ModelName& each : about_.memory->names(about_.presets))
            add(std::max(likeness(typed_, each.name), likeness(typed_, each.id)), preset_match(*each.preset));
    }
    void tensors(const CountedModel& model, const std::string& preset) {
        for (const Tensor& tensor : model.graph.tensors) {
            AskMatch match = tensor_match(tensor, model);
            const int score =
                std::max({likeness(typed_, atoms_of(match.title)), likeness(typed_, atoms_of(tensor.symbol)),
                          likeness(typed_, atoms_of(tensor.id))});
            match.preset = preset;
            if (tensor.role != Role::input) add(score, std::move(match));
        }
    }

    std::vector<AskMatch> best(std::size_t most) {
        std::ranges::stable_sort(found_, [](const Scored& a, const Scored& b) { return a.score > b.score; });
        std::vector<AskMatch> matches;
        for (Scored& each : found_)
            if (matches.size() < most) matches.push_back(std::move(each.match));
        return matches;
    }

  private:
    struct Scored {
        int score;
        AskMatch match;
    };
    void add(int score, AskMatch match) {
        if (score > 0) found_.push_back({score, std::move(match)});
    }

    const AskAbout& about_;
    std::size_t end_;
    std::vector<Atom> typed_;
    std::vector<Scored> found_;
};

// The question with what was not understood put right, if all of it is slips.
std::optional<std::string> mended(std::string_view text, std::vector<HeardUnknown> unknown) {
    if (unknown.empty()) return std::nullopt;
    std::ranges::sort(unknown, [](const HeardUnknown& a, const HeardUnknown& b) { return a.begin < b.begin; });
    std::string better;
    std::size_t from = 0;
    for (const HeardUnknown& each : unknown) {
        if (!each.slip || each.begin < from) return std::nullopt;
        better += std::string(text.substr(from, each.begin - from)) + each.unknown.nearest.front();
        from = each.end;
    }
    return better + std::string(text.substr(from));
}

// A few shipped models that have what this one has not.
void find_elsewhere(Asked& asked, const Heard& heard, const AskAbout& about) {
    constexpr std::size_t most = 4;
    std::size_t found = 0;
    AskMemory& memory = *about.memory;
    const std::optional<Input> own =
        heard.published ? std::optional(published_input(about.architecture, about.stored)) : std::nullopt;
    for (const Preset& preset : about.presets) {
        if (found == most) break;
        const CountedModelPtr model = memory.model(preset, heard.input, own);
        if (!model) continue;
        AskOutcome outcome = heard.sides ? find_sides(heard.sides->first, heard.sides->second, *model)
                                         : find_number(heard.numbers.front(), *model);
        if (outcome.found.empty()) continue;
        AskMatch match = std::move(outcome.found.front());
        match.title += " of " + preset.architecture.name;
        match.preset = preset.id;
        asked.matches.push_back(std::move(match));
        ++found;
    }
}

class Asking {
  public:
    Asking(std::string_view text, const AskAbout& about) : text_(text), about_(about) {}

    Asked asked() {
        const Result<CountedModelPtr> own = counted_model(about_.architecture, about_.input);
        Heard heard = QuestionReader(text_, about_, own ? (*own)->graph : ModelGraph{}).read();
        const bool other = heard.preset && heard.preset->id != about_.preset;
        const Architecture& base = other ? heard.preset->architecture : about_.architecture;
        const Result<Supposed> supposed = supposed_of(base, heard);
        if (!supposed) {
            take_readings(heard);
            asked_.problem = sentence(supposed.error());
            return std::move(asked_);
        }
        const Architecture& architecture = supposed->architecture;
        if (heard.training && !heard.adapters()) heard.published = false;  // what is trained is not quantized
        if (other && heard.published)
            heard.input = input_for_other(heard.input, published_input(about_.architecture, about_.stored),
                                          published_input(base));
        if (heard.full_context) {
            heard.input.tokens = architecture.context;
            heard.input.cached = 0;
        }
        if (heard.has(AskScope::one_token)) {
            // What it computes hangs on how many stand before it: "per token at 32k" is of the last of them, and of
            // those that are read together of a token on the average.
            const bool of_pass = heard.wide == AskWide::flops || heard.wide == AskWide::intensity;
            const bool said = of_pass && (heard.tokens_given || heard.full_context);
            const bool together = heard.training || sees_all(architecture);
            if (!of_pass || together || !heard.cached_given)
                heard.input.cached = said && !together ? heard.input.tokens - 1 : 0;
            if (!said || !together) heard.input.tokens = 1;
        }
        const bool as_shown = !other && !heard.changes() && heard.input == about_.input;
        const Result<CountedModelPtr> model = as_shown ? own : counted_model(architecture, heard.input);
        if (!model) {
            take_readings(heard);
            asked_.problem = sentence(model.error());
            search(nullptr, "");
            return std::move(asked_);
        }
        // Another graph has other words; where one of them is the model's name, that is what was meant.
        if (other) {
            Heard again = QuestionReader(text_, about_, (*model)->graph).read();
            if (again.preset == heard.preset) {
                again.input = heard.input;
                heard = std::move(again);
            }
        }
        if (heard.problem.empty()) heard.problem = choose_layer(heard, **model);
        take_readings(heard);
        if (heard.wide != AskWide::design) note_context(heard, architecture);
        if (heard.changes() && heard.wide != AskWide::design) note_change(heard, base, *supposed, **model);
        take_answer(heard, **model, other ? heard.preset->id : "");
        search(model->get(), other ? heard.preset->id : "");
        return std::move(asked_);
    }

  private:
    void take_readings(const Heard& heard) {
        asked_.readings = heard.readings;
        for (const HeardUnknown& each : heard.unknown) asked_.unknown.push_back(each.unknown);
        if (const std::optional<std::string> better = mended(text_, heard.unknown))
            asked_.matches.push_back({.kind = AskMatch::Kind::wording, .id = *better, .title = *better, .detail = ""});
        asked_.problem = heard.problem;
        preset_ = heard.preset;
        others_ = heard.other_presets;
    }

    // What lies beyond the context can be counted all the same, where positions are not learned.
    static void note_context(Heard& heard, const Architecture& architecture) {
        const bool of_one = !heard.compares() && !heard.ranks() && (heard.wide != AskWide::fits || heard.preset);
        const std::optional<std::int64_t> tokens = checked_add(heard.input.tokens, heard.input.cached);
        if (!(heard.tokens_given || heard.cached_given) || !of_one || !tokens) return;
        if (std::string note = beyond_context(*tokens, architecture); !note.empty())
            heard.notes.push_back(std::move(note));
    }

    void take_answer(const Heard& heard, const CountedModel& model, const std::string& preset) {
        // What was not understood may be a model's name, or what is asked: a number would be another's.
        if (!heard.unknown.empty() || !heard.problem.empty()) return;
        AskOutcome outcome = heard.wide ? answer_wide({heard, model, about_})
                                        : AskAnswerer(heard, model, about_.presets, about_.pass).outcome();
        asked_.problem = std::move(outcome.problem);
        asked_.answer = std::move(outcome.answer);
        if (asked_.answer) {
            if (asked_.answer->preset.empty()) asked_.answer->preset = preset;
            if (asked_.answer->preset.empty()) say_doubt(*asked_.answer, heard);
            // What the question says of the input goes along to where the answer is looked into.
            const bool said = heard.tokens_given || heard.batch_given || heard.cached_given || heard.full_context;
            if (said && !asked_.answer->input && !heard.has(AskScope::one_token)) asked_.answer->input = heard.input;
            if (asked_.answer->unit == "bytes" && heard.precision_given)
                for (const Formats& each : heard.formats)
                    if (std::string kept = kept_words(each.rest); !kept.empty() && !each.recipe)
                        asked_.answer->notes.push_back(std::move(kept));
            if (!others_.empty() && preset_)
                asked_.answer->notes.push_back("Taken as " + preset_->architecture.name + "; it could also be " +
                                               other_models() + ".");
        }
        if (asked_.answer && !others_.empty() && !preset_) {
            asked_.problem = "Say which model is meant: " + other_models() + ".";
            asked_.answer.reset();
        }
        const bool one = outcome.found.size() == 1;
        for (AskMatch& match : outcome.found) {
            if (match.kind != AskMatch::Kind::preset) match.preset = preset;
            if (!one || match.kind == AskMatch::Kind::preset) asked_.matches.push_back(std::move(match));
        }
        const bool looked_up = heard.sides || heard.numbers.size() == 1;
        if (!asked_.answer && looked_up && !heard.preset && heard.subjects.empty() && heard.symbols.empty())
            find_elsewhere(asked_, heard, about_);
    }

    // Of the model at hand: of all that hangs on its tensors, and of bytes on how these are stored.
    void say_doubt(AskAnswer& answer, const Heard& heard) const {
        const bool held =
            heard.wide == AskWide::fits || heard.wide == AskWide::memory || heard.wide == AskWide::devices;
        const bool whole = std::ranges::all_of(
            heard.subjects, [](const AskSubject& each) { return each.notion == &notion("the model"); });
        const bool stored =
            !heard.precision_given && (held || (answer.amount && whole && heard.quantity == AskQuantity::bytes));
        std::string_view sign = answer.amount || heard.wide ? doubt_sign(about_.doubt) : "";
        if (stored && sign.empty()) sign = doubt_sign(about_.weights_doubt);
        for (std::string* const text : {&answer.number, &answer.in_short})
            if (!text->empty()) text->insert(0, sign);
    }

    std::string other_models() const {
        std::string names;
        for (std::size_t i = 0; i < others_.size() && i < 3; ++i)
            names += (i > 0 ? ", " : "") + others_[i]->architecture.name;
        if (others_.size() > 3) names += " or others";
        return names;
    }

    void search(const CountedModel* model, const std::string& preset) {
        constexpr std::size_t most = 8;
        auto add = [&](AskMatch match) {
            const bool known = std::ranges::any_of(asked_.matches, [&](const AskMatch& each) {
                return each.kind == match.kind && each.id == match.id && each.command == match.command &&
                       each.preset == match.preset && each.place == match.place;
            });
            if (!known && asked_.matches.size() < 2 * most) asked_.matches.push_back(std::move(match));
        };
        auto add_preset = [&](const Preset& each) {
            if (each.id != about_.preset) add(preset_match(each));
        };
        if (preset_) add_preset(*preset_);
        for (const Preset* each : others_) add_preset(*each);
        NameSearch names(text_, about_);
        names.commands();
        names.presets();
        if (model) names.tensors(*model, preset);
        for (AskMatch& match : names.best(most)) {
            const bool answered =
                asked_.answer && match.kind == AskMatch::Kind::tensor && match.id == asked_.answer->light;
            if (!answered && !(match.kind == AskMatch::Kind::preset && match.id == about_.preset))
                add(std::move(match));
        }
        // Words that name a command, and nothing of a model, are understood.
        if (asked_.readings.empty() && names.names_a_command()) asked_.unknown.clear();
    }

    std::string_view text_;
    const AskAbout& about_;
    Asked asked_;
    const Preset* preset_ = nullptr;
    std::vector<const Preset*> others_;
};

}  // namespace

Asked ask_graph(std::string_view text, const AskAbout& about) {
    if (text.size() > longest_question) {
        Asked asked;
        asked.problem = "A question has at most " + std::to_string(longest_question) + " letters.";
        return asked;
    }
    if (atoms_of(text).empty()) return {};
    return Asking(text, about).asked();
}

}  // namespace headcount
