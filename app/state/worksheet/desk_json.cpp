// Writes and reads the desk.
#include "app/state/worksheet/desk_json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::size_t longest_answer = 100'000, most_sheets = 10'000, most_given = 10'000;

void put_choice(Ordered& json, const SheetChoice& choice) {
    json["sheet"] = choice.worksheet;
    if (choice.seed) json["seed"] = *choice.seed;
}

SheetChoice choice_from(const Fields& saved) {
    return {saved.text("sheet", longest_answer), saved.seed("seed")};
}

std::set<std::string> names_from(const Fields& saved, const char* key) {
    const std::vector<std::string> names = saved.texts(key, most_given);
    return {names.begin(), names.end()};
}

Progress progress_from(const Fields& saved) {
    Progress progress;
    progress.question = saved.seed("question").value_or(progress.question);
    if (const Fields given = saved["given"]; given.object)
        for (const auto& [blank, text] : given.object->items())
            if (std::string typed = given.text(blank, longest_answer);
                !typed.empty() && progress.given.size() < most_given)
                progress.given[blank] = std::move(typed);
    progress.checked = names_from(saved, "checked");
    progress.shown = names_from(saved, "shown");
    progress.hinted = names_from(saved, "hinted");
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

DeskState desk_from(const Fields& saved) {
    DeskState desk;
    desk.sheet = choice_from(saved);
    desk.student = saved.text("student", longest_answer);
    desk.at_end = saved.flag("check_at_end");
    if (const Fields seeds = saved["seeds"]; seeds.object)
        for (const auto& [worksheet, seed] : seeds.object->items())
            if (seed.is_number_unsigned() && desk.seeds.size() < most_sheets)
                desk.seeds[worksheet] = seed.get<std::uint64_t>();
    for (const Json& each : saved.list("progress")) {
        const SheetChoice choice = choice_from(fields_of(each));
        if (!choice.worksheet.empty() && desk.progress.size() < most_sheets)
            desk.progress[choice] = progress_from(fields_of(each));
    }
    return desk;
}

}  // namespace headcount
