// How a model's input, and the devices that it runs on, are said: in a heading and in JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/model.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/table.hpp"

namespace headcount {

std::string rough_words(const OpenedDocument& opened, std::span<const ValueRange> varied) {
    const bool chosen = std::ranges::any_of(
        varied, [](const ValueRange& range) { return range.choices && range.choices->of == Choices::Of::weights; });
    return opened.weights_doubt.empty() || chosen ? "" : " (≈: " + printable(opened.weights_doubt) + ")";
}

std::string pass_words(const OpenedDocument& opened, std::span<const ValueRange> varied) {
    const Document& document = opened.document;
    return pass_words(document.architecture, document.input, opened.pass, varied) + rough_words(opened, varied);
}

std::string made_for(const OpenedDocument& opened, std::span<const ValueRange> varied) {
    const Document& document = opened.document;
    return made_for(title_as_known(document), document.architecture, document.input, opened.pass, varied) +
           rough_words(opened, varied);
}

void write_figures(std::ostream& out, const Table& table, const OpenedDocument& opened) {
    write_text(out, marked(table, doubt_sign(opened.doubt)));
}

std::string command_text(std::span<const std::string> words) {
    std::string text = "headcount";
    for (const std::string& word : words) {
        const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
            return is_letter_or_digit(c) || std::string_view("-_./,:=+%@").find(c) != std::string_view::npos;
        });
        text += ' ';
        if (plain) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
        text += '\'';
    }
    return text;
}

namespace {

nlohmann::ordered_json training_json(const Training& training, bool of_weights) {
    nlohmann::ordered_json json{{"optimizer", word_of(optimizer_words(), training.optimizer)},
                                {"recompute", word_of(recompute_words(), training.recompute)},
                                {"dropout", training.dropout},
                                {"whole_scores", training.scores}};
    if (of_weights) json["recipe"] = word_of(mixed_words(), training.mixed);
    return json;
}

nlohmann::ordered_json adapters_json(const Adapters& adapters) {
    nlohmann::ordered_json json{{"rank", adapters.rank}, {"magnitudes", adapters.magnitudes}};
    if (adapters.all)
        json["targets"] = "all";
    else if (!adapters.modules.empty())
        json["targets"] = adapters.modules;
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
                                {"phase", word_of(phase_words, pass.phase)},
                                {"scores", pass.pairs == Pairs::full ? "full" : "causal"},
                                {"devices", pass.sharding.devices}};
    for (const auto& [key, count] : {std::pair("tensor", pass.sharding.tensor),
                                     {"pipeline", pass.sharding.pipeline},
                                     {"context", pass.sharding.context},
                                     {"expert", pass.sharding.expert}})
        if (count > 1) json[key] = count;
    if (pass.link) json["link"] = *pass.link;
    for (const auto& [key, tokens] : {std::pair("block", pass.serving.block), {"pad", pass.serving.pad}})
        if (tokens > 0) json[key] = tokens;
    if (pass.phase == Phase::training)
        json["training"] = training_json(pass.training.value_or(Training{}), !pass.adapters);
    if (pass.adapters) json["adapters"] = adapters_json(*pass.adapters);
    if (pass.device) json["device"] = pass.device->id;
    if (!opened.weights_doubt.empty()) json["weights_about"] = opened.weights_doubt;
    const Architecture& arch = opened.document.architecture;
    if (arch.encoder) json["source"] = bindings(arch, input)[Symbol::source].value_or(input.source);
    return json;
}

nlohmann::ordered_json asked_json(const OpenedDocument& opened, std::span<const ValueRange> varied) {
    nlohmann::ordered_json json{{"input", input_json(opened)}};
    for (const ValueRange& range : varied) json["input"].erase(std::string(range.key()));
    if (!opened.doubt.empty()) json["verified"] = false;
    return json;
}

}  // namespace headcount
