// Runs the prompt without each part.
#include "core/runtime/part_ranking.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

class Ranker {
  public:
    Ranker(Run& run, std::span<const std::int32_t> prompt, const std::vector<NodeChange>& changes, const Watch& watch)
        : run_(run), graph_(run.model().graph), prompt_(prompt), changes_(changes), watch_(watch) {}

    Result<Rank> rank() {
        const Architecture& arch = run_.model().architecture;
        if (std::optional<Error> error = cannot_rank(arch)) return *std::move(error);
        if (std::optional<Error> error = read(changes_)) return *std::move(error);
        const auto likeliest = std::ranges::max_element(run_.logits());
        made_.token = static_cast<std::int32_t>(likeliest - run_.logits().begin());
        made_.log_probability = log_probability(run_.logits(), made_.token);
        all_ = arch.layers + (arch.encoder ? arch.encoder->layers : 0);
        std::optional<Error> error;
        if (arch.encoder) error = add_stack(ChangePlace::Stack::encoder, arch.encoder->layers);
        if (!error) error = add_stack(ChangePlace::Stack::main, arch.layers);
        run_.keep_first(0);
        run_.set_changes(changes_);
        if (error) return *std::move(error);
        return std::move(made_);
    }

  private:
    std::optional<Error> read(std::vector<NodeChange> changes) {
        run_.keep_first(0);
        run_.set_changes(std::move(changes));
        return run_.append(prompt_, {{}, watch_.stop});
    }

    Result<double> without(const ChangePlace& place) {
        const RunLengths lengths{std::ssize(prompt_), std::ssize(prompt_), std::ssize(run_.source())};
        Result<NodeChange> off =
            resolve({.kind = Change::Kind::off, .place = place}, run_.model().architecture, graph_, lengths);
        if (!off) return off.error();
        std::vector<NodeChange> changes = changes_;
        changes.push_back(*std::move(off));
        if (std::optional<Error> error = read(std::move(changes))) return *std::move(error);
        return log_probability(run_.logits(), made_.token) - made_.log_probability;
    }

    std::optional<Error> add_stack(ChangePlace::Stack stack, std::int64_t layers) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            if (watch_.stopped()) return stopped_error();
            watch_.at(static_cast<double>(done_++) / static_cast<double>(all_));
            for (const LayerPart& each : parts_of(run_.model().architecture, graph_, stack, layer))
                if (std::optional<Error> error =
                        add(each, layer, part_of(stack, graph_.blocks[each.block].name, layers)))
                    return error;
        }
        return std::nullopt;
    }

    PartRank& part_of(ChangePlace::Stack stack, const std::string& block, std::int64_t layers) {
        for (PartRank& part : made_.parts)
            if (part.stack == stack && part.block == block) return part;
        PartRank& part = made_.parts.emplace_back(PartRank{.stack = stack, .block = block});
        part.layers.resize(static_cast<std::size_t>(layers));
        part.heads.resize(part.layers.size());
        return part;
    }

    std::optional<Error> add(const LayerPart& of, std::int64_t layer, PartRank& part) {
        const auto at = static_cast<std::size_t>(layer);
        ChangePlace place{.stack = part.stack, .layer = layer, .block = part.block};
        const Result<double> whole = without(place);
        if (!whole) return whole.error();
        part.layers[at] = *whole;
        const bool softmax = std::ranges::any_of(graph_.nodes, [&](const Node& node) {
            return node.op == Op::masked_softmax && graph_.blocks[node.block].parent == of.block;
        });
        while (softmax && std::ssize(part.heads[at]) < of.heads) {
            place.head = std::ssize(part.heads[at]);
            const Result<double> head = without(place);
            if (!head) return head.error();
            part.heads[at].push_back(*head);
        }
        return std::nullopt;
    }

    Run& run_;
    const ModelGraph& graph_;
    const std::span<const std::int32_t> prompt_;
    const std::vector<NodeChange>& changes_;
    const Watch& watch_;
    std::int64_t done_ = 0, all_ = 0;  // layers
    Rank made_;
};

}  // namespace

double log_probability(std::span<const float> logits, std::int32_t token) {
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float each : logits) sum += std::exp(static_cast<double>(each) - largest);
    return static_cast<double>(logits[static_cast<std::size_t>(token)]) - largest - std::log(sum);
}

std::optional<Error> cannot_rank(const Architecture& arch) {
    if (generates(arch)) return std::nullopt;
    return Error{"this model says no next token that its parts could matter for", "", "leave it out"};
}

Result<Rank> rank_parts(Run& run, std::span<const std::int32_t> prompt, const std::vector<NodeChange>& changes,
                        const Watch& watch) {
    return Ranker(run, prompt, changes, watch).rank();
}

}  // namespace headcount
