// Writes and reads what runs and how it is looked at.
#include "app/state/run/json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::json;

constexpr double hottest = 100;

RunSampling sampling_from(const Fields& saved) {
    RunSampling sampling;
    sampling.greedy = saved.flag("greedy");
    sampling.temperature = saved.share("temperature", hottest).value_or(sampling.temperature);
    sampling.top_p = saved.share("top_p", 1).value_or(sampling.top_p);
    sampling.min_p = saved.share("min_p", 1).value_or(sampling.min_p);
    sampling.top_k = saved.whole("top_k", 0).value_or(sampling.top_k);
    sampling.seed = saved.seed("seed").value_or(sampling.seed);
    return sampling;
}

}  // namespace

Json run_json(const RunPlace& place) {
    const RunSampling& sampling = place.sampling;
    return {{"source", word_of(run_source_keys, place.source)},
            {"prompt", place.prompt},
            {"ids", place.ids},
            {"greedy", sampling.greedy},
            {"temperature", sampling.temperature},
            {"top_k", sampling.top_k},
            {"top_p", sampling.top_p},
            {"min_p", sampling.min_p},
            {"seed", sampling.seed},
            {"speed", word_of(run_speed_keys, place.speed)},
            {"tab", word_of(run_tab_keys, place.tab)},
            {"shared_scale", place.shared_scale}};
}

RunPlace run_from(const Fields& saved) {
    RunPlace place;
    place.source = saved.choice("source", run_source_keys, place.source);
    place.prompt = saved.text("prompt", longest_prompt, place.prompt);
    place.ids = saved.text("ids", longest_prompt, place.ids);
    place.sampling = sampling_from(saved);
    place.speed = saved.choice("speed", run_speed_keys, place.speed);
    place.tab = saved.choice("tab", run_tab_keys, place.tab);
    place.shared_scale = saved.flag("shared_scale");
    return place;
}

}  // namespace headcount
