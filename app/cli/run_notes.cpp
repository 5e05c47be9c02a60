// What `run` says beside its text.
#include "app/cli/run_notes.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/analysis/checkpoint_match.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {
namespace {

// The number behind `path` at the beginning of a name.
std::optional<std::int64_t> number_behind(std::string_view path, std::string_view name) {
    if (path.empty() || !name.starts_with(path)) return std::nullopt;
    name.remove_prefix(path.size());
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (failure != std::errc() || end == name.data() + name.size() || *end != '.') return std::nullopt;
    return number;
}

// Whether a published name, with the base model's prefix or without it, is of a layer behind the last.
bool is_behind_last_layer(std::string_view name, const Architecture& arch, const ModelGraph& graph) {
    return std::any_of(graph.stored.begin(), graph.stored.end(), [&](const StoredTensor& tensor) {
        if (!tensor.layer) return false;
        const std::string_view path = std::string_view(tensor.name).substr(0, tensor.name.find("{i}"));
        const std::string_view bare = path.substr(std::min(path.find('.') + 1, path.size()));
        const std::optional<std::int64_t> whole = number_behind(path, name), short_one = number_behind(bare, name);
        return whole.value_or(short_one.value_or(0)) >= arch.layers;
    });
}

}  // namespace

std::optional<std::string> note_on_prompt(std::string_view prompt) {
    if (is_utf8(prompt)) return std::nullopt;
    std::size_t at = 0;
    for (Letter letter = letter_at(prompt); letter.code; letter = letter_at(prompt.substr(at))) at += letter.length;
    return "The prompt is not UTF-8, first at byte " + grouped(static_cast<std::int64_t>(at)) +
           " (counted from 0): bytes that are no letters are given to the model as they are.";
}

std::optional<std::string> note_on_unused(const Checkpoint& checkpoint, const Architecture& arch,
                                          const ModelGraph& graph) {
    const Result<Parameters> parameters = count_parameters(graph, bindings(arch, Input{}));
    if (!parameters) return std::nullopt;
    const Result<CheckpointMatch> match = match_checkpoint(checkpoint, arch, graph, *parameters);
    if (!match) return std::nullopt;
    const MatchRow* first = nullptr;
    std::set<std::string_view> names;  // what GGUF joins is several tensors here
    for (const MatchRow& row : match->rows) {
        if (row.state != MatchState::unexpected) continue;
        if (!first) first = &row;
        names.insert(row.file_name);
    }
    if (!first) return std::nullopt;
    const bool one = names.size() == 1 && !match->cut;
    const std::string count = (match->cut ? "At least " : "") + grouped(static_cast<std::int64_t>(names.size()));
    const std::string layers = grouped(arch.layers) + (arch.layers == 1 ? " layer." : " layers.");
    return count +
           (one ? " tensor of the weights is not used, " : " tensors of the weights are not used, the first is ") +
           in_quotes(first->file_name) + ": the architecture has " +
           (is_behind_last_layer(first->name, arch, graph) ? layers
                                                           : "no place for " + std::string(one ? "it." : "them."));
}

}  // namespace headcount
