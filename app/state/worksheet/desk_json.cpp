// Writes and reads the desk.
#include "app/state/worksheet/desk_json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t longest_text = 100'000, most_sheets = 10'000, most_answers = 10'000;

void put_choice(Ordered& json, const SheetChoice& choice) {
    json["sheet"] = choice.worksheet;
    if (choice.seed) json["seed"] = *choice.seed;
}

std::string label_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) return {};
    auto text = found->get<std::string>();
    return text.size() > longest_text ? std::string() : text;
}

SheetChoice choice_at(const Json& json) {
    SheetChoice choice{label_at(json, "sheet"), std::nullopt};
    const auto seed = json.find("seed");
    if (seed != json.end() && seed->is_number_unsigned()) choice.seed = seed->get<std::uint64_t>();
    return choice;
}

std::map<std::string, std::uint64_t> seeds_at(const Json& json) {
    std::map<std::string, std::uint64_t> seeds;
    const auto found = json.find("seeds");
    if (found == json.end() || !found->is_object()) return seeds;
    for (const auto& [worksheet, seed] : found->items())
        if (seed.is_number_unsigned() && seeds.size() < most_sheets) seeds[worksheet] = seed.get<std::uint64_t>();
    return seeds;
}

std::set<std::string> names_at(const Json& json, const char* key) {
    std::set<std::string> names;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()) return names;
    for (const Json& name : *found)
        if (name.is_string() && names.size() < most_answers) names.insert(name.get<std::string>());
    return names;
}

Progress progress_at(const Json& json) {
    Progress progress;
    const auto question = json.find("question");
    if (question != json.end() && question->is_number_unsigned()) progress.question = question->get<std::size_t>();
    if (const auto given = json.find("given"); given != json.end() && given->is_object())
        for (const auto& [blank, text] : given->items())
            if (text.is_string() && progress.given.size() < most_answers)
                if (auto typed = text.get<std::string>(); !typed.empty() && typed.size() <= longest_text)
                    progress.given[blank] = std::move(typed);
    progress.checked = names_at(json, "checked");
    progress.shown = names_at(json, "shown");
    progress.hinted = names_at(json, "hinted");
    return progress;
}

}  // namespace

Ordered desk_json(const DeskState& desk) {
    Ordered json = Ordered::object();
    put_choice(json, desk.sheet);
    json["student"] = desk.student;
    json["check_at_end"] = desk.at_end;
    json["seeds"] = Ordered(desk.seeds);
    json["progress"] = Ordered::array();
    for (const auto& [choice, progress] : desk.progress) {
        if (progress == Progress{}) continue;
        Ordered entry = Ordered::object();
        put_choice(entry, choice);
        entry["question"] = progress.question;
        entry["given"] = progress.given;
        entry["checked"] = progress.checked;
        entry["shown"] = progress.shown;
        entry["hinted"] = progress.hinted;
        json["progress"].push_back(std::move(entry));
    }
    return json;
}

DeskState desk_from_json(const Json& json) {
    DeskState desk;
    if (!json.is_object()) return desk;
    desk.sheet = choice_at(json);
    desk.student = label_at(json, "student");
    desk.at_end = json.value("check_at_end", Json(false)) == Json(true);
    desk.seeds = seeds_at(json);
    const auto all = json.find("progress");
    if (all == json.end() || !all->is_array()) return desk;
    for (const Json& entry : *all) {
        if (!entry.is_object() || desk.progress.size() >= most_sheets) continue;
        const SheetChoice choice = choice_at(entry);
        if (!choice.worksheet.empty()) desk.progress[choice] = progress_at(entry);
    }
    return desk;
}

}  // namespace headcount
