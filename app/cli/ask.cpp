// headcount ask: a question in words, answered as the ask bar answers it.
#include "core/ask/ask.hpp"

#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/claims/claims.hpp"
#include "core/files/devices.hpp"
#include "core/files/presets.hpp"
#include "core/report/json.hpp"
#include "core/tours/tour.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

struct AskArguments {
    std::string question;
    ModelArguments model;
    InputArguments input;
    bool json = false;
};

Error not_understood(const Asked& asked, const std::string& question) {
    for (const AskUnknown& unknown : asked.unknown) {
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

// What a question may name by its title, and the command that opens it.
struct AskedLesson {
    std::string id, title, opens;
};

std::vector<AskedLesson> asked_lessons(std::span<const Preset> presets) {
    std::vector<AskedLesson> lessons;
    for (const Tour& tour : all_tours().tours)
        lessons.push_back({"tour." + tour.id, "Tour: " + tour.title, "headcount --tour " + tour.id});
    if (const auto sheets = shipped_worksheets(presets))
        for (const Worksheet& sheet : *sheets)
            lessons.push_back(
                {"sheet." + sheet.id, "Worksheet: " + sheet.title, "headcount worksheet show " + sheet.id});
    if (const auto files = shipped_claims())
        for (const ClaimsFile& file : *files)
            lessons.push_back({"claims." + file.id, "Claims: " + file.title, "headcount --view claims"});
    return lessons;
}

// Letters and digits alone, small.
std::string bare_letters(std::string_view text) {
    std::string kept;
    for (const char letter : lower(text))
        if (is_letter_or_digit(letter)) kept += letter;
    return kept;
}

// The lesson that is meant: its title, as it is or without what it is, or what people call it.
const AskedLesson* lesson_of(const Asked& asked, std::string_view question, std::span<const AskedLesson> lessons) {
    const std::string asks = bare_letters(question);
    for (const AskedLesson& lesson : lessons)
        for (const std::string_view title :
             {std::string_view(lesson.title), std::string_view(lesson.title).substr(lesson.title.find(' '))})
            if (!asks.empty() && bare_letters(title) == asks) return &lesson;
    const bool called = !asked.answer && asked.problem.empty() && asked.unknown.empty() && !asked.matches.empty() &&
                        asked.matches.front().kind == AskMatch::Kind::command;
    return called ? &lessons[asked.matches.front().command] : nullptr;
}

Failure print_ask(const AskArguments& arguments, Output& output) {
    ModelArguments model = arguments.model;
    if (model.arch.empty()) model.arch = first_preset;
    const Result<CountedDocument> counted = count_document(model, output.notes, arguments.input);
    if (!counted) return counted.error();
    const Result<std::vector<Preset>> presets = shipped_presets();
    if (!presets) return presets.error();
    const Result<std::vector<Device>> devices = shipped_devices();
    if (!devices) return devices.error();
    const Document& document = counted->document;
    const bool as_shipped = document.architecture == document.base;
    const std::vector<AskedLesson> lessons = asked_lessons(*presets);
    std::vector<AskCommand> commands;
    for (const AskedLesson& lesson : lessons) commands.push_back({lesson.opens, lesson.title, lesson.id});
    Asked asked = ask(arguments.question, {.architecture = counted->model.architecture,
                                           .input = document.input,
                                           .preset = as_shipped ? document.preset : std::string_view(),
                                           .presets = *presets,
                                           .commands = commands,
                                           .pass = counted->pass,
                                           .devices = *devices});
    if (const AskedLesson* const lesson = lesson_of(asked, arguments.question, lessons)) {
        asked.answer = AskAnswer{.title = lesson->title, .says = "It opens with: " + lesson->opens};
        asked.readings = {{arguments.question, lesson->title}};
    }
    if (!asked.answer) return not_understood(asked, arguments.question);
    if (!arguments.json) {
        print_answer(asked, output.out);
        return std::nullopt;
    }
    Notes notes = asked.answer->notes;
    notes.insert(notes.end(), counted->notes.begin(), counted->notes.end());
    output.out << noted_json(answer_json(asked), notes);
    return std::nullopt;
}

}  // namespace

Command ask_command() {
    const auto describe = [](CLI::App* command, AskArguments& arguments) {
        command->add_option("QUESTION", arguments.question, "in words, as one quoted argument")->required();
        command
            ->add_option("ARCH", arguments.model.arch,
                         "what it is about where it names no model (" + std::string(first_preset) + ")")
            ->type_name("ARCH");
        add_set(command, arguments.model.set);
        add_input(command, arguments.input);
        add_json(command, arguments.json);
    };
    return make_command("ask", "answer a question in words: a figure, how it comes about, what a word means", describe,
                        print_ask);
}

}  // namespace headcount
