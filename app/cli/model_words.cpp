// How a model's input, and the devices that it runs on, are said: in a heading and in JSON.
#include <nlohmann/json.hpp>

#include "app/cli/model.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"
#include "core/report/costs_report.hpp"

namespace headcount {

namespace {

// A number of the input, or what it takes: a range, or "1,024, 8,192".
std::string number_words(const Input& input, std::int64_t Input::*number, std::span<const ValueRange> varied) {
    for (const ValueRange& range : varied)
        if (range.input && range.input->number == number)
            return range.listed.empty() ? range_text(range) : listed(range.listed, grouped);
    return grouped(input.*number);
}

std::string input_words(const Architecture& arch, const Input& input, std::span<const ValueRange> varied) {
    if (arch.patches)
        return "T = " + grouped(most_tokens(arch)) + " rows of an image of " + grouped(arch.patches->height) + " × " +
               grouped(arch.patches->width);
    const std::string cached = number_words(input, &Input::cached, varied);
    std::string before = arch.encoder ? ", S = " + number_words(input, &Input::source, varied) + " source tokens" : "";
    if (cached != "0") before += ", P = " + cached + " cached before them";
    return "T = " + number_words(input, &Input::tokens, varied) + " tokens" + before;
}

}  // namespace

std::string read_words(const Architecture& arch, const Input& input) {
    return input_words(arch, input, {});
}

std::string pass_words(const Architecture& arch, const Input& input) {
    return read_words(arch, input) + ", B = " + grouped(input.batch) + " side by side";
}

namespace {

// What is varied of it, or else as it is.
std::string chosen_words(std::string as_it_is, Choices::Of of, std::span<const ValueRange> varied) {
    for (const ValueRange& range : varied)
        if (range.choices && range.choices->of == of) return range_text(range);
    return as_it_is;
}

}  // namespace

std::string pass_words(const OpenedDocument& opened, std::span<const ValueRange> varied) {
    const Input& input = opened.document.input;
    const PassOptions& pass = opened.pass;
    std::string words = input_words(opened.document.architecture, input, varied) +
                        ", B = " + number_words(input, &Input::batch, varied) + " side by side, " +
                        chosen_words(formats_text(input.precision), Choices::Of::weights, varied);
    const std::string cache = input.cache ? precision_text(*input.cache) : std::string();
    if (const std::string chosen = chosen_words(cache, Choices::Of::cache, varied); !chosen.empty())
        words += ", cache in " + chosen;
    if (pass.phase != Phase::prefill) words += pass.phase == Phase::decode ? ", decoding" : ", training";
    if (pass.pairs == Pairs::full) words += ", full scores";
    if (pass.sharding.devices > 1) words += ", " + sharding_words(pass.sharding);
    for (const ValueRange& range : varied)
        if (range.choices && range.choices->counts_devices())
            words += ", " + std::string(range.key()) + "=" + range_text(range);
    return words;
}

std::string device_words(const PassOptions& pass) {
    if (!pass.device) return "";
    return (pass.sharing() > 1 ? grouped(pass.sharing()) + " × " : "") + printable(pass.device->name);
}

std::string sharding_words(const Sharding& sharding) {
    return grouped(sharding.devices) + " devices: " + grouped(sharding.data()) + " data × " + grouped(sharding.tensor) +
           " tensor × " + grouped(sharding.pipeline) + " pipeline" +
           (sharding.context > 1 ? " × " + grouped(sharding.context) + " context" : "");
}

namespace {

nlohmann::ordered_json training_json(const Training& training) {
    nlohmann::ordered_json json{{"optimizer", optimizer_words()[static_cast<std::size_t>(training.optimizer)]},
                                {"recompute", recompute_words()[static_cast<std::size_t>(training.recompute)]},
                                {"dropout", training.dropout},
                                {"whole_scores", training.scores}};
    if (!training.adapters) {
        json["recipe"] = mixed_words()[static_cast<std::size_t>(training.mixed)];
        return json;
    }
    const Adapters& adapters = *training.adapters;
    json["adapters"] = {{"rank", adapters.rank}, {"magnitudes", adapters.magnitudes}};
    if (adapters.all)
        json["adapters"]["targets"] = "all";
    else if (!adapters.modules.empty())
        json["adapters"]["targets"] = adapters.modules;
    return json;
}

}  // namespace

nlohmann::ordered_json input_json(const OpenedDocument& opened) {
    const Input& input = opened.document.input;
    const PassOptions& pass = opened.pass;
    nlohmann::ordered_json json{{"tokens", input.tokens},
                                {"batch", input.batch},
                                {"cached", input.cached},
                                {"dtype", formats_text(input.precision)},
                                {"kv_dtype", precision_text(input.cached_in())},
                                {"phase", phase_words[static_cast<std::size_t>(pass.phase)]},
                                {"scores", pass.pairs == Pairs::full ? "full" : "causal"},
                                {"devices", pass.sharding.devices}};
    for (const auto& [key, count] : {std::pair("tensor", pass.sharding.tensor),
                                     {"pipeline", pass.sharding.pipeline},
                                     {"context", pass.sharding.context},
                                     {"expert", pass.sharding.expert}})
        if (count > 1) json[key] = count;
    if (pass.phase == Phase::training) json["training"] = training_json(pass.training.value_or(Training{}));
    if (pass.device) json["device"] = pass.device->id;
    if (opened.document.architecture.encoder) json["source"] = input.source;
    return json;
}

}  // namespace headcount
