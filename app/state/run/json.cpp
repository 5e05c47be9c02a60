// Writes and reads what runs and how it is looked at.
#include "app/state/run/json.hpp"

#include <algorithm>
#include <span>

namespace headcount {
namespace {

using Json = nlohmann::json;

constexpr double hottest = 100;

const Json* part_of(const Json& json, const char* key) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

template <class Choice>
Choice choice_at(const Json& json, const char* key, std::span<const std::string_view> keys, Choice otherwise) {
    const Json* const word = part_of(json, key);
    const auto found =
        word && word->is_string() ? std::find(keys.begin(), keys.end(), word->get<std::string>()) : keys.end();
    return found == keys.end() ? otherwise : static_cast<Choice>(found - keys.begin());
}

std::string text_at(const Json& json, const char* key, const std::string& otherwise) {
    const Json* const text = part_of(json, key);
    if (!text || !text->is_string()) return otherwise;
    auto read = text->get<std::string>();
    return read.size() > longest_prompt ? otherwise : read;
}

double part_at(const Json& json, const char* key, double most, double otherwise) {
    const Json* const number = part_of(json, key);
    if (!number || !number->is_number()) return otherwise;
    const auto value = number->get<double>();
    return value >= 0 && value <= most ? value : otherwise;
}

bool true_at(const Json& json, const char* key) {
    const Json* const flag = part_of(json, key);
    return flag && flag->is_boolean() && flag->get<bool>();
}

RunSampling sampling_from(const Json& json) {
    RunSampling sampling;
    sampling.greedy = true_at(json, "greedy");
    sampling.temperature = part_at(json, "temperature", hottest, sampling.temperature);
    sampling.top_p = part_at(json, "top_p", 1, sampling.top_p);
    sampling.min_p = part_at(json, "min_p", 1, sampling.min_p);
    const Json* const top_k = part_of(json, "top_k");
    if (top_k && top_k->is_number_integer() && top_k->get<std::int64_t>() >= 0)
        sampling.top_k = top_k->get<std::int64_t>();
    const Json* const seed = part_of(json, "seed");
    if (seed && seed->is_number_unsigned()) sampling.seed = seed->get<std::uint64_t>();
    return sampling;
}

}  // namespace

Json run_json(const RunPlace& place) {
    const RunSampling& sampling = place.sampling;
    return {{"source", run_source_keys[static_cast<std::size_t>(place.source)]},
            {"prompt", place.prompt},
            {"ids", place.ids},
            {"greedy", sampling.greedy},
            {"temperature", sampling.temperature},
            {"top_k", sampling.top_k},
            {"top_p", sampling.top_p},
            {"min_p", sampling.min_p},
            {"seed", sampling.seed},
            {"speed", run_speed_keys[static_cast<std::size_t>(place.speed)]},
            {"tab", run_tab_keys[static_cast<std::size_t>(place.tab)]},
            {"shared_scale", place.shared_scale}};
}

RunPlace run_from_json(const Json& json) {
    RunPlace place;
    place.source = choice_at(json, "source", run_source_keys, place.source);
    place.prompt = text_at(json, "prompt", place.prompt);
    place.ids = text_at(json, "ids", place.ids);
    place.sampling = sampling_from(json);
    place.speed = choice_at(json, "speed", run_speed_keys, place.speed);
    place.tab = choice_at(json, "tab", run_tab_keys, place.tab);
    place.shared_scale = true_at(json, "shared_scale");
    return place;
}

}  // namespace headcount
