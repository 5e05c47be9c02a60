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

// How many layers there are where a published name, with the base model's prefix or without it, is of one behind the
// last.
std::optional<std::int64_t> layers_before(std::string_view name, const Architecture& arch, const ModelGraph& graph) {
    for (const StoredTensor& tensor : graph.stored) {
        if (!tensor.layer) continue;
        const std::string_view path = std::string_view(tensor.name).substr(0, tensor.name.find("{i}"));
        const std::string_view bare = path.substr(std::min(path.find('.') + 1, path.size()));
        const std::optional<std::int64_t> whole = number_behind(path, name), short_one = number_behind(bare, name);
        const std::int64_t layers = stack_layers(arch, graph.layers[*tensor.layer].group.kind);
        if (whole.value_or(short_one.value_or(0)) >= layers) return layers;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> note_on_prompt(std::string_view prompt) {
    if (is_utf8(prompt)) return std::nullopt;
    std::size_t at = 0;
    for (Letter letter = letter_at(prompt); letter.code; letter = letter_at(prompt.substr(at))) at += letter.length;
    return "The prompt is not UTF-8, first at byte " + grouped(static_cast<std::int64_t>(at)) +
           " (counted from 0): bytes that are no letters are read one by one.";
}

std::optional<std::string> note_on_unknown(std::span<const std::int32_t> prompt, const Tokenizer& tokenizer) {
    if (!tokenizer.unknown()) return std::nullopt;
    const std::int64_t count = std::ranges::count(prompt, *tokenizer.unknown());
    if (count == 0) return std::nullopt;
    const std::string stand =
        count == 1 ? "1 token of the prompt stands" : grouped(count) + " tokens of the prompt stand";
    return stand + " for letters that the tokenizer does not know: the model reads " +
           tokenizer.piece(*tokenizer.unknown()) + " there, whatever they are.";
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
    const std::optional<std::int64_t> layers = layers_before(first->name, arch, graph);
    return count +
           (one ? " tensor of the weights is not used, " : " tensors of the weights are not used, the first is ") +
           in_quotes(first->file_name) + ": the architecture has " +
           (layers ? grouped(*layers) + (*layers == 1 ? " layer." : " layers.")
                   : "no place for " + std::string(one ? "it." : "them."));
}

}  // namespace headcount
