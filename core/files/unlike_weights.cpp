// Holds a model against the weights that it was concluded from.
#include "core/files/unlike_weights.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/base/json_file.hpp"
#include "core/families/unknown.hpp"
#include "core/files/formats_of_tensors.hpp"

namespace headcount {

namespace {

Result<CheckpointMatch> matched(const Checkpoint& weights, const Architecture& arch) {
    const Result<CountedModel> model = count_model(arch);
    if (!model) return Error{"they cannot be counted, since " + model.error().what, "", ""};
    Result<CheckpointMatch> match = match_checkpoint(weights, arch, model->graph, model->parameters);
    if (!match) return Error{"they cannot be matched, since " + match.error().what, "", ""};
    return match;
}

std::string difference_words(const MatchRow& row) {
    if (row.state == MatchState::missing) return row.name + " is missing in it";
    if (row.state == MatchState::unexpected) return row.file_name + " is not counted";
    return row.file_name + " is " + shape_text(row.found) + ", and " + shape_text(row.expected) + " is counted";
}

}  // namespace

std::string first_difference(const Checkpoint& weights, const Architecture& arch) {
    const Result<CheckpointMatch> match = matched(weights, arch);
    if (!match) return match.error().what;
    if (match->differences == 0) return "";
    const auto row =
        std::ranges::find_if(match->rows, [](const MatchRow& each) { return each.state != MatchState::retyped; });
    if (row == match->rows.end())
        return grouped(match->differences) + " are of another type, missing or of another shape";
    return difference_words(*row);
}

std::string first_contradiction(const Checkpoint& weights, const Architecture& arch, bool all_is_counted) {
    const Result<CheckpointMatch> match = matched(weights, arch);
    if (!match || match->differences == 0 || match->matched == 0) return "";
    const bool quantized = arch.carried.find("quantization_config") != nullptr;
    const auto contradicts = [&](const MatchRow& each) {
        if (each.state == MatchState::missing) return !quantized;
        if (each.state == MatchState::unexpected) return !quantized && all_is_counted;
        const std::optional<Precision> format = format_of(each.type);
        return each.state == MatchState::reshaped && (!quantized || (format && info(*format).bits >= 16));
    };
    const auto row = std::ranges::find_if(match->rows, contradicts);
    return row == match->rows.end() ? "" : difference_words(*row);
}

void keep_difference(const std::string& difference, Architecture& arch) {
    arch.carried = arch.carried.with(std::string(weights_field), difference);
}

std::string note_on_weights(const Architecture& arch) {
    const std::string* const kept = arch.carried.find(weights_field);
    const nlohmann::json said = kept ? parsed_again(*kept) : nlohmann::json();
    if (!said.is_string()) return "";
    return "The file's tensors are other ones than those that are counted: " + said.get<std::string>() + ".";
}

}  // namespace headcount
