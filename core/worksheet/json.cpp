// Reads a worksheet's file. Whatever is wrong in it gets a sentence that says where.
#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "core/arch/fields.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/lesson_json.hpp"
#include "core/lesson/reference.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

using namespace lesson_json;

constexpr std::size_t most_questions = 500;
constexpr std::size_t most_entries = 100;

constexpr std::array<std::pair<QuestionKind, std::string_view>, 9> kinds{{{QuestionKind::shape, "shape"},
                                                                          {QuestionKind::count, "count"},
                                                                          {QuestionKind::choice, "choice"},
                                                                          {QuestionKind::order, "order"},
                                                                          {QuestionKind::select, "select"},
                                                                          {QuestionKind::formula, "formula"},
                                                                          {QuestionKind::text, "text"},
                                                                          {QuestionKind::experiment, "experiment"},
                                                                          {QuestionKind::mistake, "mistake"}}};

Wrong read_choices(const Json& json, std::string_view path, Question& question) {
    if (Wrong wrong = wrong_list(json, path, "choices", 2, 26)) return wrong;
    const std::string here = under(path, "choices");
    constexpr std::array<std::string_view, 2> known{"text", "why"};
    for (std::size_t i = 0; i < json["choices"].size(); ++i) {
        const Json& entry = json["choices"][i];
        Choice choice;
        const Json object = entry.is_string() ? Json{{"text", entry}} : entry;
        if (!object.is_object()) return Error{"this is not a choice", at(here, i), "give a text in quotes"};
        if (Wrong wrong = unknown_key(object, at(here, i), known)) return wrong;
        if (Wrong wrong = read_words(object, at(here, i), "text", choice.text, true)) return wrong;
        if (Wrong wrong = read_words(object, at(here, i), "why", choice.why)) return wrong;
        for (std::size_t k = 0; k < i; ++k)
            if (question.choices[k].text == choice.text)
                return Error{"this choice stands there twice", at(here, i), "change or remove one"};
        question.choices.push_back(std::move(choice));
    }
    const std::string& answer = question.parts.front().answer;
    if (std::ranges::any_of(question.choices, [&](const Choice& choice) { return choice.text == answer; }))
        return std::nullopt;
    std::vector<std::string_view> texts;
    for (const Choice& choice : question.choices) texts.push_back(choice.text);
    return Error{quote(answer) + " is none of the choices", under(path, "answer"),
                 did_you_mean(answer, texts, "repeat the right choice's text", 1)};
}

Wrong read_steps(const Json& json, std::string_view path, Question& question) {
    if (Wrong wrong = wrong_list(json, path, "steps", 2, 26)) return wrong;
    for (std::size_t i = 0; i < json["steps"].size(); ++i) {
        const Json& step = json["steps"][i];
        const std::string here = at(under(path, "steps"), i);
        if (!step.is_string()) return Error{"this is not text", here, "put it in quotes"};
        question.steps.push_back(step.get<std::string>());
        if (Wrong wrong = check_text(question.steps.back())) return within(here, *wrong);
        if (std::ranges::count(question.steps, question.steps.back()) > 1)
            return Error{"this step stands there twice", here, "change or remove one"};
    }
    return std::nullopt;
}

Wrong read_answer(const Json& json, std::string_view path, QuestionKind kind, QuestionPart& part) {
    const auto found = json.find("answer");
    const std::string here = under(path, "answer");
    if (kind == QuestionKind::text) return read_words(json, path, "answer", part.answer);
    if (found == json.end())
        return Error{"the answer is missing", here,
                     kind == QuestionKind::shape ? "give one, such as \"shape of layer.attention.head.queries\""
                                                 : "give one, such as \"count of model\""};
    if (kind == QuestionKind::select && found->is_array()) {
        if (Wrong wrong = wrong_list(json, path, "answer", 1, most_entries)) return wrong;
        for (std::size_t i = 0; i < found->size(); ++i) {
            if (!(*found)[i].is_string()) return Error{"this is not text", at(here, i), "give an id in quotes"};
            (i == 0 ? part.answer : part.also.emplace_back()) = (*found)[i].get<std::string>();
        }
        return std::nullopt;
    }
    if (found->is_number_unsigned())
        part.answer = found->dump();
    else if (Wrong wrong = read_text(json, path, "answer", part.answer, true))
        return wrong;
    if (kind == QuestionKind::select || kind == QuestionKind::choice || kind == QuestionKind::experiment ||
        kind == QuestionKind::mistake)
        return std::nullopt;
    if (kind == QuestionKind::shape && part.answer.find(" x ") != std::string::npos) {
        const std::size_t cross = part.answer.find(" x ");
        for (auto [side, before] :
             {std::pair(part.answer.substr(0, cross), std::size_t{0}), {part.answer.substr(cross + 3), cross + 3}})
            if (Wrong wrong = check_answer(side)) return within(here + (before > 0 ? ", columns" : ", rows"), *wrong);
        return std::nullopt;
    }
    if (Wrong wrong = check_answer(part.answer)) return within(here, *wrong);
    const bool shape = part.answer.starts_with("shape of ") || part.answer.starts_with("{shape of ");
    if (kind == QuestionKind::shape && !shape)
        return Error{quote(part.answer) + " is not a shape", here,
                     "write \"T x d\" (with spaces), or \"shape of\" a tensor"};
    if (kind != QuestionKind::shape && shape)
        return Error{quote(part.answer) + " is a shape, not a number", here, "write rows, columns or elements of it"};
    return std::nullopt;
}

Wrong read_parts(const Json& json, std::string_view path, Question& question) {
    if (!json.contains("parts")) {
        QuestionPart part;
        if (question.kind != QuestionKind::order)
            if (Wrong wrong = read_answer(json, path, question.kind, part)) return wrong;
        question.parts.push_back(std::move(part));
        return std::nullopt;
    }
    const std::string here = under(path, "parts");
    if (question.kind == QuestionKind::choice || question.kind == QuestionKind::order ||
        question.kind == QuestionKind::experiment || question.kind == QuestionKind::mistake)
        return Error{"a question of this kind has no parts", here, "make each part a question"};
    if (json.contains("answer"))
        return Error{"there are both an answer and parts", here, "move the answer into a part"};
    if (Wrong wrong = wrong_list(json, path, "parts", 1, most_entries)) return wrong;
    constexpr std::array<std::string_view, 4> known{"id", "label", "answer", "hint"};
    std::set<std::string> ids;
    for (std::size_t i = 0; i < json["parts"].size(); ++i) {
        const Json& entry = json["parts"][i];
        if (!entry.is_object()) return Error{"this is not an object", at(here, i), "put it in { }"};
        if (Wrong wrong = unknown_key(entry, at(here, i), known)) return wrong;
        QuestionPart part;
        if (Wrong wrong = read_text(entry, at(here, i), "id", part.id, true)) return wrong;
        if (!is_id(part.id))
            return Error{quote(part.id) + " is not an id", under(at(here, i), "id"), "use letters, digits, - and _"};
        if (!ids.insert(part.id).second)
            return Error{"the id " + quote(part.id) + " is there twice", under(at(here, i), "id"), "change one"};
        if (Wrong wrong = read_words(entry, at(here, i), "label", part.label, true)) return wrong;
        if (Wrong wrong = read_words(entry, at(here, i), "hint", part.hint)) return wrong;
        if (Wrong wrong = read_answer(entry, at(here, i), question.kind, part)) return wrong;
        question.parts.push_back(std::move(part));
    }
    return std::nullopt;
}

Wrong read_kind(const Json& json, std::string_view path, QuestionKind& kind) {
    std::string key;
    if (Wrong wrong = read_text(json, path, "kind", key, true)) return wrong;
    std::vector<std::string_view> known;
    for (const auto& [each, name] : kinds) {
        known.push_back(name);
        if (name != key) continue;
        kind = each;
        return std::nullopt;
    }
    return no_such("kind", key, under(path, "kind"), known);
}

Wrong read_question(const Json& json, std::string_view path, const Input& input, Question& question) {
    if (!json.is_object()) return Error{"this is not a question", std::string(path), "put it in { }"};
    constexpr std::array<std::string_view, 17> known{
        "id",    "kind", "title",        "ask",   "answer", "parts",      "choices", "steps", "lines",
        "round", "hint", "architecture", "input", "why",    "experiment", "planted", "at"};
    if (Wrong wrong = unknown_key(json, path, known)) return wrong;
    if (Wrong wrong = read_text(json, path, "id", question.id, true)) return wrong;
    if (!is_id(question.id))
        return Error{quote(question.id) + " is not an id", under(path, "id"), "use letters, digits, - and _"};
    if (Wrong wrong = read_kind(json, path, question.kind)) return wrong;
    for (auto [key, text, required] : {std::tuple("ask", &question.ask, true),
                                       {"title", &question.title, false},
                                       {"hint", &question.hint, false},
                                       {"why", &question.why, false}})
        if (Wrong wrong = read_words(json, path, key, *text, required)) return wrong;
    const bool of_choices = question.kind == QuestionKind::choice || question.kind == QuestionKind::mistake;
    for (auto [key, kind] : {std::pair("choices", of_choices ? question.kind : QuestionKind::choice),
                             {"planted", QuestionKind::mistake},
                             {"steps", QuestionKind::order},
                             {"lines", QuestionKind::text},
                             {"round", QuestionKind::count},
                             {"experiment", QuestionKind::experiment}})
        if (json.contains(key) && question.kind != kind)
            return Error{"a question of kind " + std::string(kind_key(question.kind)) + " has no " + quote(key),
                         under(path, key), "remove it, or change the kind to " + std::string(kind_key(kind))};
    std::int64_t round = 0, lines = question.lines;
    if (Wrong wrong = read_number(json, path, "round", 1, 15, round)) return wrong;
    if (Wrong wrong = read_number(json, path, "lines", 1, 40, lines)) return wrong;
    question.round = static_cast<int>(round);
    question.lines = static_cast<int>(lines);
    if (json.contains("architecture"))
        if (Wrong wrong = read_model(json["architecture"], under(path, "architecture"), true, question.model.emplace()))
            return wrong;
    if (json.contains("input"))
        if (Wrong wrong = read_input(json, path, question.input.emplace(input))) return wrong;
    if (Wrong wrong = read_text(json, path, "at", question.at)) return wrong;
    if (question.kind == QuestionKind::experiment)
        if (Wrong wrong = read_experiment(json, path, question.experiment.emplace())) return wrong;
    if (Wrong wrong = read_parts(json, path, question)) return wrong;
    if (question.kind == QuestionKind::mistake)
        if (Wrong wrong = read_planted(json, path, question.planted.emplace())) return wrong;
    if (of_choices) return read_choices(json, path, question);
    if (question.kind == QuestionKind::order) return read_steps(json, path, question);
    return std::nullopt;
}

Wrong read_new_numbers(const Json& json, Worksheet& sheet) {
    const auto found = json.find("new_numbers");
    if (found == json.end()) return std::nullopt;
    sheet.new_numbers.emplace();
    if (found->is_boolean() && !found->get<bool>()) return std::nullopt;
    if (Wrong wrong = wrong_list(json, "", "new_numbers", 1, most_entries)) return wrong;
    std::vector<std::string_view> known{"tokens", "source", "batch", "cached"};
    for (const FieldInfo& field : fields())
        if (field.kind == FieldKind::number) known.push_back(field.key);
    for (std::size_t i = 0; i < found->size(); ++i) {
        const std::string key = (*found)[i].is_string() ? (*found)[i].get<std::string>() : (*found)[i].dump();
        if (!contains(known, key)) {
            return Error{quote(key) + " is no number that can be drawn", at("new_numbers", i),
                         did_you_mean(key, known, "use fields such as heads, or tokens, source, batch, cached")};
        }
        sheet.new_numbers->push_back(key);
    }
    return std::nullopt;
}

Wrong read_sheet(const Json& json, Worksheet& sheet) {
    constexpr std::array<std::string_view, 8> known{"title",        "about", "minutes",     "key_word",
                                                    "architecture", "input", "new_numbers", "questions"};
    if (Wrong wrong = unknown_key(json, "", known)) return wrong;
    if (Wrong wrong = read_words(json, "", "title", sheet.title, true)) return wrong;
    if (Wrong wrong = read_words(json, "", "about", sheet.about)) return wrong;
    if (Wrong wrong = read_words(json, "", "key_word", sheet.key_word)) return wrong;
    std::int64_t minutes = 0;
    if (Wrong wrong = read_number(json, "", "minutes", 1, 1000, minutes)) return wrong;
    sheet.minutes = static_cast<int>(minutes);
    if (!json.contains("architecture"))
        return Error{"there is no \"architecture\"", "architecture", "write a preset's id, such as \"llama-7b\""};
    if (Wrong wrong = read_model(json["architecture"], "architecture", true, sheet.model)) return wrong;
    if (Wrong wrong = read_input(json, "", sheet.input)) return wrong;
    if (Wrong wrong = read_new_numbers(json, sheet)) return wrong;
    if (Wrong wrong = wrong_list(json, "", "questions", 1, most_questions)) return wrong;
    for (std::size_t i = 0; i < json["questions"].size(); ++i) {
        Question question;
        const std::string here = at("questions", i);
        if (Wrong wrong = read_question(json["questions"][i], here, sheet.input, question)) return wrong;
        for (std::size_t k = 0; k < i; ++k)
            if (sheet.questions[k].id == question.id)
                return Error{"the id " + quote(question.id) + " is also that of questions[" + std::to_string(k) + "]",
                             under(here, "id"), "change one"};
        sheet.questions.push_back(std::move(question));
    }
    return std::nullopt;
}

}  // namespace

std::string_view kind_key(QuestionKind kind) { return kinds[static_cast<std::size_t>(kind)].second; }

Result<Worksheet> parse_worksheet(std::string_view text, std::string id, std::string_view where) {
    Worksheet sheet;
    sheet.id = std::move(id);
    return parse_lesson(text, JsonKind::worksheet, where, std::move(sheet), read_sheet);
}

}  // namespace headcount
