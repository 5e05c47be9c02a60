// Runs the model that ships with and without parts of it.
#include "core/experiment/try.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/find.hpp"
#include "core/base/utf8.hpp"
#include "core/experiment/shipped.hpp"
#include "core/experiment/weight_changes.hpp"
#include "core/runtime/part_ranking.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

// The scores behind the prompt.
Result<std::vector<float>> scores(const Shipped& shipped, std::span<const std::int32_t> prompt,
                                  std::span<const Change> changes) {
    const auto length = static_cast<std::int64_t>(prompt.size());
    const Architecture& arch = shipped.model->architecture;
    std::vector<NodeChange> found;
    for (const Change& change : changes) {
        if (weight_at(arch, shipped.model->graph, change.place)) continue;
        Result<NodeChange> each = resolve(change, arch, shipped.model->graph, {length, length, 0});
        if (!each) return each.error();
        found.push_back(*std::move(each));
    }
    const Result<std::shared_ptr<const Model>> model = with_changed_weights(shipped.model, changes);
    if (!model) return model.error();
    Result<Run> run = Run::start(*model, {.capacity = length});
    if (!run) return run.error();
    run->set_changes(std::move(found));
    if (std::optional<Error> error = run->append(prompt)) return *std::move(error);
    return std::vector<float>(run->logits().begin(), run->logits().end());
}

std::int32_t likeliest(std::span<const float> scores) {
    return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

double share(std::span<const float> scores, std::int32_t token) { return std::exp(log_probability(scores, token)); }

// Of all tokens that say the word.
double share(std::span<const float> scores, const Tokenizer& tokenizer, std::string_view word) {
    double sum = 0;
    for (std::int32_t token = 0; token < static_cast<std::int32_t>(scores.size()); ++token)
        if (says_word(tokenizer.piece(token), word)) sum += share(scores, token);
    return sum;
}

}  // namespace

Result<std::vector<Change>> parts_off(std::string_view typed) {
    std::vector<Change> changes;
    for (std::string_view rest = typed; !rest.empty();) {
        std::string_view part = rest.substr(0, rest.find_first_of(",;\n"));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        if (part.empty()) continue;
        const Result<Change> change = parse_change(Change::Kind::off, part);
        if (!change) return change.error();
        if (contains(changes, *change)) return Error{quote(part) + " stands there twice", "", "leave one out"};
        changes.push_back(*change);
    }
    if (changes.empty()) return Error{"no part is named", "", "give one, such as layer.0.attention.head:2"};
    return changes;
}

Result<Tried> try_experiment(const Experiment& experiment, std::span<const Change> changes) {
    const Result<Shipped>& shipped = shipped_model();
    if (!shipped) return shipped.error();
    const Result<std::vector<std::int32_t>> prompt = shipped->tokenizer.encode(experiment.prompt);
    if (!prompt) return prompt.error();
    const Result<std::vector<float>> as_it_is = scores(*shipped, *prompt, {});
    if (!as_it_is) return as_it_is.error();
    const Result<std::vector<float>> changed = scores(*shipped, *prompt, changes);
    if (!changed) return changed.error();
    const Tokenizer& tokenizer = shipped->tokenizer;
    const std::int32_t before = likeliest(*as_it_is), after = likeliest(*changed);
    return Tried{.before = tokenizer.piece(before),
                 .after = tokenizer.piece(after),
                 .before_share = share(*as_it_is, before),
                 .after_share = share(*changed, after),
                 .from_share = share(*changed, tokenizer, experiment.from),
                 .to_share = share(*changed, tokenizer, experiment.to)};
}

}  // namespace headcount
