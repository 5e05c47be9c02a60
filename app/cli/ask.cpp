// headcount ask: a question in words, answered as the ask bar answers it.
#include "core/ask/ask.hpp"

#include <filesystem>
#include <ostream>
#include <tuple>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/state/lessons.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/measured.hpp"
#include "core/files/preset_search.hpp"
#include "core/files/presets.hpp"
#include "core/link/link_text.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

struct AskArguments {
    std::string first, second;  // the question, and perhaps a model before it or behind it
    ModelArguments model;
    InputArguments input;
    bool json = false;
    std::vector<AskCommand> actions;  // of the window, each with its key
};

Error not_understood(const Asked& asked, const std::string& question) {
    for (const AskUnknown& unknown : asked.unknown) {
        if (unknown.nearest.empty() && !asked.problem.empty()) break;  // which says what is known of it
        std::string nearest;
        for (const std::string& each : unknown.nearest) nearest += (nearest.empty() ? "" : ", ") + quote(each);
        return {quote(unknown.words) + " is not understood", "",
                nearest.empty() ? "ask in other words" : "did you mean " + nearest + "?"};
    }
    std::string problem = asked.problem;
    if (problem.ends_with('.')) problem.pop_back();
    if (!problem.empty()) return {std::move(problem), "", ""};
    return {quote(question) + " asks for nothing that is known", "",
            "ask for a number of a model, a shape, or a word of the lecture"};
}

nlohmann::ordered_json answer_json(const Asked& asked) {
    const AskAnswer& answer = *asked.answer;
    nlohmann::ordered_json understood = nlohmann::ordered_json::array();
    for (const AskReading& each : asked.readings) understood.push_back({{"words", each.words}, {"as", each.meaning}});
    return {{"title", answer.title},     {"says", answer.says},       {"about", answer.about},
            {"number", answer.number},   {"unit", answer.unit},       {"in_short", answer.in_short},
            {"symbols", answer.symbols}, {"numbers", answer.numbers}, {"result", answer.result},
            {"light", answer.light},     {"place", answer.place},     {"preset", answer.preset},
            {"tour", answer.tour},       {"understood", understood}};
}

void print_answer(const Asked& asked, std::ostream& out) {
    const AskAnswer& answer = *asked.answer;
    const auto line = [&](const std::string& text) {
        if (!text.empty()) out << printable(text) << '\n';
    };
    line(answer.title + (answer.about.empty() ? "" : ", " + answer.about));
    line(answer.says);
    if (!answer.number.empty())
        line(answer.number + (answer.unit.empty() ? "" : " " + answer.unit) +
             (answer.in_short.empty() ? "" : ", " + answer.in_short));
    for (const auto& [name, text] : {std::pair{"symbols", &answer.symbols}, std::pair{"numbers", &answer.numbers},
                                     std::pair{"result", &answer.result}})
        if (!text->empty()) out << "  " << name << "  " << printable(*text) << '\n';
    for (const std::string& note : answer.notes) line(note);
    out << "understood as:";
    const char* before = " ";
    for (const AskReading& each : asked.readings) {
        out << before << printable(each.words) << " = " << printable(each.meaning);
        before = "; ";
    }
    out << '\n';
}

// Letters and digits alone, small.
std::string bare_letters(std::string_view text) {
    std::string kept;
    for (const char letter : lower(text))
        if (is_letter_or_digit(letter)) kept += letter;
    return kept;
}

// The lesson with this title, as it is or without what it is.
const Lesson* titled(std::string_view question, std::span<const Lesson> lessons) {
    const std::string asks = bare_letters(question);
    for (const Lesson& lesson : lessons)
        for (const std::string_view title :
             {std::string_view(lesson.title), std::string_view(lesson.title).substr(lesson.title.find(' '))})
            if (!asks.empty() && bare_letters(title) == asks) return &lesson;
    return nullptr;
}

// The command that is meant, by what people call it; nothing where a figure is.
std::optional<std::size_t> called(const Asked& asked) {
    const bool by_name = !asked.answer && asked.problem.empty() && asked.unknown.empty() && !asked.matches.empty() &&
                         asked.matches.front().kind == AskMatch::Kind::command;
    return by_name ? std::optional(asked.matches.front().command) : std::nullopt;
}

// Where in the window an action is.
std::string place_of(const AskCommand& action, std::span<const AskCommand> actions) {
    if (!action.keys.empty()) return "In the window it is " + std::string(action.keys) + ".";
    const auto ask = std::ranges::find(actions, "ask", &AskCommand::id);
    const std::string bar = ask == actions.end() ? "the ask bar" : std::string(ask->keys);
    return "In the window it is in the list of " + bar + ".";
}

// Whether a word names what can be opened, and is no question.
bool names_model(const std::string& word, std::span<const Preset> presets) {
    std::error_code ignored;
    return word == standard_input || is_link(word) || std::filesystem::exists(word, ignored) ||
           !presets_called(presets, word).empty();
}

// The model stands before the question or behind it; where it is neither, a question is what has several words.
std::pair<std::string, std::string> model_and_question(const AskArguments& arguments, std::span<const Preset> presets) {
    const auto& [first, second] = std::tie(arguments.first, arguments.second);
    if (second.empty()) return {"", first};
    const auto about = [&](const std::string& word) { return !presets_about(presets, word).empty(); };
    const bool behind =
        !names_model(first, presets) &&
        (names_model(second, presets) || first.find(' ') != first.npos || (about(second) && !about(first)));
    return behind ? std::pair(second, first) : std::pair(first, second);
}

// Whether a link says this of the input.
bool says(const std::string& arch, std::string_view key) {
    const Result<LinkEntries> entries = is_link(arch) ? parse_link(arch) : LinkEntries{};
    return entries && contains(*entries, key, &LinkEntry::key);
}

// What the question is asked of, whatever its words.
struct AskedOf {
    std::span<const Preset> presets;
    std::span<const AskCommand> commands;
    std::vector<Device> devices;
    std::shared_ptr<const Reached> reached;
};

struct AskedOnce {
    CountedDocument counted;
    Asked asked;
};

Result<AskedOnce> ask_once(const std::string& question, const ModelArguments& model, bool model_said,
                           const InputArguments& words, const AskedOf& of, Notes& said) {
    Result<CountedDocument> counted = count_document(model, said, words);
    if (!counted) return counted.error();
    const Document& document = counted->document;
    const bool as_shipped = document.architecture == document.base;
    const AskSaid beside{.model = model_said,
                         .tokens = words.tokens || says(model.arch, "tokens"),
                         .batch = words.batch || says(model.arch, "batch"),
                         .cached = words.cached || says(model.arch, "cached"),
                         .precision = words.precision || says(model.arch, "dtype"),
                         .device = counted->pass.device.has_value(),
                         .training = counted->pass.phase == Phase::training};
    Asked asked = ask(question, {.architecture = counted->model.architecture,
                                 .input = document.input,
                                 .preset = as_shipped ? document.preset : std::string_view(),
                                 .presets = of.presets,
                                 .commands = of.commands,
                                 .pass = counted->pass,
                                 .devices = of.devices,
                                 .reached = of.reached,
                                 .stored = document.stored,
                                 .said = beside,
                                 .doubt = counted->doubt,
                                 .weights_doubt = counted->weights_doubt});
    return AskedOnce{*std::move(counted), std::move(asked)};
}

// Of each word beside the question without which the answer is the same, though what it is about is another.
Notes idle_notes(const std::string& question, const ModelArguments& model, bool model_said, const InputArguments& words,
                 const AskedOf& of, const AskedOnce& now) {
    Notes notes;
    for (const SaidWord& each : words.said) {
        Notes ignored;
        const Result<AskedOnce> other = ask_once(question, model, model_said, without(each.word, words), of, ignored);
        const bool same = other && other->counted.document.input == now.counted.document.input &&
                          other->counted.pass == now.counted.pass;
        const bool answered = other && !same && other->asked.answer;
        if (answered && answer_json(other->asked) == answer_json(now.asked) &&
            other->asked.answer->notes == now.asked.answer->notes)
            notes.push_back(each.flag + " plays no part in this answer.");
    }
    return notes;
}

Failure print_ask(const AskArguments& arguments, Output& output) {
    const Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    ModelArguments model = arguments.model;
    std::string question;
    std::tie(model.arch, question) = model_and_question(arguments, *presets);
    const bool model_said = !model.arch.empty();
    if (!model_said) model.arch = first_preset;
    Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    const Result<std::shared_ptr<const Reached>> reached = reached_by_all();
    if (!reached) return reached.error();
    const std::vector<Lesson> lessons = lessons_of(all_tours().tours);
    std::vector<AskCommand> commands;
    for (const Lesson& lesson : lessons) commands.push_back({lesson.command, lesson.title, lesson.id});
    commands.insert(commands.end(), arguments.actions.begin(), arguments.actions.end());
    const AskedOf of{*presets, commands, std::move(known->devices), *reached};
    InputArguments words = arguments.input;
    words.several = true;  // the question may be about another model
    Result<AskedOnce> once = ask_once(question, model, model_said, words, of, output.notes);
    if (!once) return once.error();
    Asked& asked = once->asked;
    if (asked.answer)
        for (std::string& note : idle_notes(question, model, model_said, words, of, *once))
            asked.answer->notes.push_back(std::move(note));
    const Lesson* lesson = titled(question, lessons);
    const std::optional<std::size_t> command = called(asked);
    if (!lesson && command && *command < lessons.size()) lesson = &lessons[*command];
    if (lesson) {
        asked.answer = AskAnswer{.title = lesson->title, .says = "It opens with: " + lesson->command};
        asked.readings = {{question, lesson->title}};
    } else if (command) {
        const AskCommand& action = commands[*command];
        asked.readings = {{question, std::string(action.meaning)}};
        asked.answer = AskAnswer{.title = std::string(action.meaning), .says = place_of(action, arguments.actions)};
    }
    if (!asked.answer) return not_understood(asked, question);
    if (!arguments.json) {
        print_answer(asked, output.out);
        return std::nullopt;
    }
    Notes notes = asked.answer->notes;
    notes.insert(notes.end(), once->counted.notes.begin(), once->counted.notes.end());
    output.out << noted_json(answer_json(asked), notes);
    return std::nullopt;
}

}  // namespace

Command ask_command(std::span<const AskCommand> actions) {
    const auto describe = [actions](CLI::App* command, AskArguments& arguments) {
        arguments.actions.assign(actions.begin(), actions.end());
        command
            ->add_option("QUESTION", arguments.first, "in words, as one quoted argument; the model may stand before it")
            ->required();
        command
            ->add_option("ARCH", arguments.second,
                         "what it is about where it names no model (" + std::string(first_preset) + ")")
            ->type_name("ARCH");
        add_set(command, arguments.model.set);
        // Only some of the models that may be asked about have experts to divide.
        add_input_but(InputWord::expert, command, arguments.input);
        add_json(command, arguments.json);
    };
    return make_command("ask", "answer a question in words: a figure, how it comes about, what a word means", describe,
                        print_ask);
}

}  // namespace headcount
