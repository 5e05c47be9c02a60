// Finds files of tours and reads them. Whatever is wrong in one gets a sentence that says where.
#include <algorithm>
#include <array>
#include <tuple>

#include "core/arch/fields.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/graph/graph.hpp"
#include "core/lesson/lesson_json.hpp"
#include "core/runtime/changes.hpp"
#include "core/tours/tour.hpp"

namespace headcount {
namespace {

using namespace lesson_json;
namespace fs = std::filesystem;

constexpr std::size_t most_steps = 200, most_ids = 100, longest_id = 200;
constexpr std::int64_t most_copies = 1'000'000;
constexpr std::int64_t most_learned = 100'000;  // steps: a class waits for them

Wrong read_id(const Json& value, std::string_view path, std::string& into) {
    if (!value.is_string()) return Error{"this is not text", std::string(path), "put it in quotes"};
    into = value.get<std::string>();
    const bool plain = into.size() <= longest_id &&
                       std::ranges::all_of(into, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_'; });
    if (plain) return std::nullopt;
    return Error{quote(into) + " is no id of a tensor or a block", std::string(path),
                 "\"headcount shapes\" lists the ids"};
}

Wrong unknown_name(std::string_view name, std::string_view what, std::string_view path,
                   std::span<const std::string_view> known) {
    if (contains(known, name)) return std::nullopt;
    return no_such(what, name, std::string(path), known);
}

std::vector<std::string_view> field_keys() {
    std::vector<std::string_view> keys;
    for (const FieldInfo& field : fields()) keys.push_back(field.key);
    return keys;
}

// "component.attention" and "field.dim" can be checked without a model, ids of its graph cannot.
Wrong check_subject(std::string_view key, std::string_view path, bool may_be_field) {
    constexpr std::string_view component = "component.", field = "field.";
    if (key.starts_with(component)) {
        std::vector<std::string_view> known;
        for (Component each : components) known.push_back(component_key(each));
        return unknown_name(key.substr(component.size()), "component", path, known);
    }
    if (!key.starts_with(field)) return std::nullopt;
    if (!may_be_field) return Error{"a field cannot be in the spotlight", std::string(path), "give tensors or blocks"};
    return unknown_name(key.substr(field.size()), "field", path, field_keys());
}

Wrong read_ids(const Json& json, std::string_view path, std::string_view key, std::vector<std::string>& into) {
    const auto found = json.find(key);
    if (found == json.end()) return std::nullopt;
    if (found->is_string()) return read_id(*found, under(path, key), into.emplace_back());
    if (Wrong wrong = wrong_list(json, path, key, 1, most_ids)) return wrong;
    for (std::size_t i = 0; i < found->size(); ++i)
        if (Wrong wrong = read_id((*found)[i], at(under(path, key), i), into.emplace_back())) return wrong;
    return std::nullopt;
}

Wrong read_place(const Json& json, std::string_view path, TourStep& step) {
    if (const auto found = json.find("at"); found != json.end())
        if (Wrong wrong = read_id(*found, under(path, "at"), step.at.emplace())) return wrong;
    if (Wrong wrong = read_number(json, path, "copy", 0, most_copies, step.copy)) return wrong;
    if (json.contains("copy") && !step.at)
        return Error{"a copy of what?", under(path, "copy"), "give \"at\" too, such as \"layer.attention.head\""};
    if (const auto found = json.find("select"); found != json.end())
        if (Wrong wrong = read_id(*found, under(path, "select"), step.select)) return wrong;
    if (Wrong wrong = check_subject(step.select, under(path, "select"), true)) return wrong;
    for (auto [key, ids] : {std::pair("light", &step.light), {"needs", &step.needs}, {"unless", &step.unless}})
        if (Wrong wrong = read_ids(json, path, key, *ids)) return wrong;
    for (const std::string& id : step.light)
        if (Wrong wrong = check_subject(id, under(path, "light"), false)) return wrong;
    return std::nullopt;
}

Wrong read_changes(const Json& json, std::string_view path, TourStep& step) {
    if (json.contains("preset"))
        if (Wrong wrong = read_text(json, path, "preset", step.preset.emplace(), true)) return wrong;
    if (Wrong wrong = read_fields(json, path, step.set)) return wrong;
    const std::vector<std::string_view> known = field_keys();
    for (const auto& [key, text] : step.set)
        if (Wrong wrong = unknown_name(key, "field", under(under(path, "set"), key), known)) return wrong;
    if (json.contains("input")) return read_input(json, path, step.input.emplace());
    return std::nullopt;
}

// Places of the model that ships; a list, each as the command line has it.
Wrong read_off(const Json& json, std::string_view path, RunLook& look) {
    if (!json.contains("off")) return std::nullopt;
    if (look.experiment) return Error{"an experiment is for the class to do", under(path, "off"), "leave it out"};
    if (Wrong wrong = wrong_list(json, path, "off", 1, most_ids)) return wrong;
    for (std::size_t i = 0; i < json["off"].size(); ++i) {
        const std::string place = at(under(path, "off"), i);
        if (!json["off"][i].is_string()) return Error{"this is not text", place, "put it in quotes"};
        const std::string text = json["off"][i].get<std::string>();
        if (const Result<Change> change = parse_change(Change::Kind::off, text); !change)
            return within(place, change.error());
        look.off.push_back(text);
    }
    return std::nullopt;
}

Wrong read_looks_at(const Json& json, std::string_view path, RunLook& look) {
    if (!json.contains("looks_at")) return std::nullopt;
    const std::string here = under(path, "looks_at");
    std::string key;
    if (Wrong wrong = read_text(json, path, "looks_at", key, true)) return wrong;
    if (Wrong wrong = unknown_name(key, "way of looking", here, head_role_keys)) return wrong;
    if (json.contains("layer") || json.contains("head"))
        return Error{"which head that is, is measured", here, "leave \"layer\" and \"head\" out, or this"};
    if (look.prompt.empty()) return Error{"in which text?", here, "give \"prompt\", too"};
    look.looks_at = choice_called<HeadRole>(head_role_keys, key);
    return std::nullopt;
}

// Tensors are known only where the model is: the Run view pins none that it has not.
Wrong read_run(const Json& json, std::string_view path, TourStep& step) {
    const auto found = json.find("run");
    if (found == json.end()) return std::nullopt;
    const std::string inside = under(path, "run");
    if (!found->is_object())
        return Error{"this is no place in the Run view", inside, "give {\"layer\": 0, \"head\": 0}"};
    constexpr std::array<std::string_view, 11> keys{"layer", "head",       "tensor", "row", "column",  "prompt",
                                                    "token", "experiment", "shows",  "off", "looks_at"};
    if (Wrong wrong = unknown_key(*found, inside, keys)) return wrong;
    RunLook& look = step.run.emplace();
    for (auto [key, number] :
         {std::pair("layer", &look.layer), {"head", &look.head}, {"row", &look.row}, {"column", &look.column}})
        if (Wrong wrong = read_number(*found, inside, key, 0, most_copies, *number)) return wrong;
    if (found->contains("token"))
        if (Wrong wrong = read_number(*found, inside, "token", 0, most_copies, look.token.emplace())) return wrong;
    if (const auto tensor = found->find("tensor"); tensor != found->end())
        if (Wrong wrong = read_id(*tensor, under(inside, "tensor"), look.tensor)) return wrong;
    if (Wrong wrong = read_text(*found, inside, "prompt", look.prompt)) return wrong;
    if (found->contains("experiment")) {
        if (Wrong wrong = read_experiment(*found, inside, look.experiment.emplace())) return wrong;
        if (!look.prompt.empty())
            return Error{"the prompt stands there twice", under(inside, "prompt"), "an experiment has its own"};
        look.prompt = look.experiment->prompt;
        if (step.answer.empty())
            return Error{"an experiment has no answer", under(path, "answer"), "say what it shows once it is done"};
    }
    if (Wrong wrong = read_text(*found, inside, "shows", look.shows)) return wrong;
    if (!look.shows.empty())
        if (Wrong wrong = unknown_name(look.shows, "page", under(inside, "shows"), run_pages)) return wrong;
    if (Wrong wrong = read_off(*found, inside, look)) return wrong;
    if (Wrong wrong = read_looks_at(*found, inside, look)) return wrong;
    if (look.tensor.empty() && (found->contains("row") || found->contains("column")))
        return Error{"a cell of what?", inside, "give \"tensor\" too, such as \"layer.attention.queries\""};
    return std::nullopt;
}

Wrong read_train(const Json& json, std::string_view path, TourStep& step) {
    const auto found = json.find("train");
    if (found == json.end()) return std::nullopt;
    const std::string inside = under(path, "train");
    if (!found->is_object())
        return Error{"this is no place in the Train view", inside, "give {\"task\": \"reverse\", \"letters\": 8}"};
    if (step.run) return Error{"a step is in one view", inside, "leave \"run\" out, or this"};
    constexpr std::array<std::string_view, 6> keys{"task", "letters", "layer", "head", "shows", "learned"};
    if (Wrong wrong = unknown_key(*found, inside, keys)) return wrong;
    LearnLook& look = step.train.emplace();
    std::string task;
    if (Wrong wrong = read_text(*found, inside, "task", task, true)) return wrong;
    const auto made = std::span(task_words).first<task_words.size() - 1>();  // but for a text, which is a file's
    const auto known = choice_called<TaskKind>(made, task);
    if (!known) return no_such("task", task, under(inside, "task"), made);
    look.task.kind = *known;
    for (auto [key, number] : {std::pair("letters", &look.task.letters), {"layer", &look.layer}, {"head", &look.head}})
        if (Wrong wrong = read_number(*found, inside, key, 0, most_copies, *number)) return wrong;
    if (found->contains("learned"))
        if (Wrong wrong = read_number(*found, inside, "learned", 0, most_learned, look.learned.emplace())) return wrong;
    if (const Result<Task> works = Task::make(look.task); !works)
        return within(under(inside, "letters"), works.error());
    if (Wrong wrong = read_text(*found, inside, "shows", look.shows)) return wrong;
    return look.shows.empty() ? std::nullopt : unknown_name(look.shows, "part", under(inside, "shows"), train_parts);
}

Wrong read_view(const Json& json, std::string_view path, TourStep& step) {
    if (Wrong wrong = read_text(json, path, "view", step.view)) return wrong;
    if (Wrong wrong = read_text(json, path, "with", step.with)) return wrong;
    if (!step.view.empty()) {
        if (step.run || step.train) return Error{"a step is in one view", under(path, "view"), "leave it out"};
        if (Wrong wrong = unknown_name(step.view, "view", under(path, "view"), toured_views)) return wrong;
    }
    if (!step.with.empty() && step.view != "compare")
        return Error{"only Compare shows a second model", under(path, "with"), "give \"view\": \"compare\", too"};
    return std::nullopt;
}

Wrong read_step(const Json& json, std::string_view path, TourStep& step) {
    if (!json.is_object()) return Error{"this is not a step", std::string(path), "put it in { }"};
    constexpr std::array<std::string_view, 17> keys{"view",   "with",  "title",  "caption", "at",     "copy",
                                                    "select", "light", "needs",  "unless",  "preset", "set",
                                                    "input",  "ask",   "answer", "run",     "train"};
    if (Wrong wrong = unknown_key(json, path, keys)) return wrong;
    for (auto [key, text, required] : {std::tuple("title", &step.title, true),
                                       {"caption", &step.caption, false},
                                       {"ask", &step.ask, false},
                                       {"answer", &step.answer, false}})
        if (Wrong wrong = read_words(json, path, key, *text, required)) return wrong;
    if (step.caption.empty() && step.ask.empty())
        return Error{"this step says nothing", under(path, "caption"), "give a caption, or something to ask"};
    if (!step.answer.empty() && step.ask.empty())
        return Error{"there is an answer and no question", under(path, "ask"), "give what the class is asked"};
    if (Wrong wrong = read_place(json, path, step)) return wrong;
    if (Wrong wrong = read_run(json, path, step)) return wrong;
    if (Wrong wrong = read_train(json, path, step)) return wrong;
    if (Wrong wrong = read_view(json, path, step)) return wrong;
    return read_changes(json, path, step);
}

Wrong read_whole_tour(const Json& json, Tour& tour) {
    constexpr std::array<std::string_view, 5> keys{"title", "about", "preset", "input", "steps"};
    if (Wrong wrong = unknown_key(json, "", keys)) return wrong;
    if (Wrong wrong = read_text(json, "", "title", tour.title, true)) return wrong;
    if (Wrong wrong = read_text(json, "", "about", tour.about)) return wrong;
    if (json.contains("preset"))
        if (Wrong wrong = read_text(json, "", "preset", tour.preset.emplace(), true)) return wrong;
    if (json.contains("input"))
        if (Wrong wrong = read_input(json, "", tour.input.emplace())) return wrong;
    if (Wrong wrong = wrong_list(json, "", "steps", 1, most_steps)) return wrong;
    for (std::size_t i = 0; i < json["steps"].size(); ++i)
        if (Wrong wrong = read_step(json["steps"][i], at("steps", i), tour.steps.emplace_back())) return wrong;
    return std::nullopt;
}

}  // namespace

Result<Tour> parse_tour(std::string_view text, std::string id, std::string_view where) {
    Tour tour;
    tour.id = std::move(id);
    return parse_lesson(text, JsonKind::tour, where, std::move(tour), read_whole_tour);
}

Result<Tour> read_tour(const fs::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_tour(*text, path.stem().string(), path.string());
}

void add_tour(std::vector<Tour>& tours, Tour tour) {
    const auto same = std::ranges::find_if(tours, [&](const Tour& each) { return each.id == tour.id; });
    if (same != tours.end())
        *same = std::move(tour);
    else
        tours.push_back(std::move(tour));
}

FoundTours find_tours(const fs::path& directory) {
    FoundTours found;
    std::error_code failure;
    if (!fs::exists(directory, failure) && !failure) return found;
    const Result<std::vector<fs::path>> files = json_files(directory);
    if (!files) {
        found.failures.push_back(files.error());
        return found;
    }
    for (const fs::path& file : *files) {
        Result<Tour> tour = read_tour(file);
        if (tour)
            found.tours.push_back(std::move(*tour));
        else
            found.failures.push_back(tour.error());
    }
    return found;
}

Result<std::vector<Tour>> shipped_tours() {
    const Result<fs::path> assets = assets_directory();
    if (!assets) return assets.error();
    FoundTours found = find_tours(*assets / "tours");
    if (!found.failures.empty()) return found.failures.front();
    return std::move(found.tours);
}

FoundTours all_tours() {
    FoundTours all;
    if (Result<std::vector<Tour>> shipped = shipped_tours())
        all.tours = std::move(*shipped);
    else
        all.failures.push_back(shipped.error());
    const fs::path directory = own_file("tours");
    if (directory.empty()) return all;
    FoundTours own = find_tours(directory);
    for (Tour& tour : own.tours) add_tour(all.tours, std::move(tour));
    all.failures.insert(all.failures.end(), own.failures.begin(), own.failures.end());
    return all;
}

}  // namespace headcount
