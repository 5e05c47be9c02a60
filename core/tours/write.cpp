// Writes a tour as its file has it.
#include <nlohmann/json.hpp>

#include "core/arch/formats.hpp"
#include "core/base/text.hpp"
#include "core/tours/tour.hpp"

namespace headcount {
namespace {

using Written = nlohmann::ordered_json;

void put(Written& json, const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
}
void put(Written& json, const char* key, std::int64_t number) {
    if (number != 0) json[key] = number;
}
void put(Written& json, const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) json[key] = list;
}

Written input_json(const Input& input) {
    Written json{{"tokens", input.tokens}};
    const Input usual;
    if (input.source != usual.source) json["source"] = input.source;
    if (input.batch != usual.batch) json["batch"] = input.batch;
    if (input.cached != usual.cached) json["cached"] = input.cached;
    if (input.precision != usual.precision) json["precision"] = formats_text(input.precision);
    return json;
}

Written run_json(const RunLook& look) {
    Written json{{"layer", look.layer}, {"head", look.head}};
    if (look.looks_at) json = {{"looks_at", word_of(head_role_keys, *look.looks_at)}};
    if (!look.tensor.empty()) {
        json["tensor"] = look.tensor;
        json["row"] = look.row;
        json["column"] = look.column;
    }
    if (look.experiment) {
        Written& asked = json["experiment"];
        asked = {{"prompt", look.experiment->prompt}, {"from", look.experiment->from}, {"to", look.experiment->to}};
        put(asked, "most", look.experiment->most);
    } else {
        put(json, "prompt", look.prompt);
    }
    if (look.token) json["token"] = *look.token;
    put(json, "shows", look.shows);
    put(json, "off", look.off);
    return json;
}

Written step_json(const TourStep& step) {
    Written json{{"title", step.title}};
    put(json, "caption", step.caption);
    if (step.preset) json["preset"] = *step.preset;
    for (const auto& [key, text] : step.set) json["set"][key] = text;
    if (step.input) json["input"] = input_json(*step.input);
    if (step.at) json["at"] = *step.at;
    put(json, "copy", step.copy);
    put(json, "select", step.select);
    put(json, "light", step.light);
    put(json, "needs", step.needs);
    put(json, "unless", step.unless);
    put(json, "view", step.view);
    put(json, "with", step.with);
    if (step.run) json["run"] = run_json(*step.run);
    if (step.train) {
        json["train"] = {{"task", word_of(task_words, step.train->task.kind)},
                         {"letters", step.train->task.letters},
                         {"layer", step.train->layer},
                         {"head", step.train->head}};
        put(json["train"], "shows", step.train->shows);
        if (step.train->learned) json["train"]["learned"] = *step.train->learned;
    }
    put(json, "ask", step.ask);
    put(json, "answer", step.answer);
    return json;
}

}  // namespace

nlohmann::ordered_json tour_json(const Tour& tour) {
    Written json{{"title", tour.title}};
    put(json, "about", tour.about);
    if (tour.preset) json["preset"] = *tour.preset;
    if (tour.input) json["input"] = input_json(*tour.input);
    json["steps"] = Written::array();
    for (const TourStep& step : tour.steps) json["steps"].push_back(step_json(step));
    return json;
}

}  // namespace headcount
