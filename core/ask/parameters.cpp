// How many parameters a tensor, a part or the whole model has, as far as a question asks for them.
#include "core/analysis/factored.hpp"
#include "core/ask/answer.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

using Q = AskQuantity;

std::optional<Expr> AskAnswerer::parameters_of(const AskTarget& target) {
    if (target.tensor) return tensor_parameters(*target.tensor);
    const std::string_view sum = target.sum->sum;
    const bool one_layer = has(AskScope::one_layer);
    if (has(AskScope::one_head)) return head_parameters(sum);
    if (sum.starts_with("layer.")) return block_parameters(*target.sum);
    if (sum == "cache") {
        failed_ = "The KV cache holds no parameters: ask for its bytes or elements.";
        return std::nullopt;
    }
    const bool within = has(AskScope::all_layers) && sum != "model" && sum != "layers";  // "norms in all layers"
    if (!one_layer && !heard_.layer_named && !within) {
        if (quantity_ != Q::active) return resolved("count of " + std::string(sum));
        if (sum == "model") return resolved("count of active");
    }
    return layer_by_layer(target);
}

std::optional<Expr> AskAnswerer::layer_by_layer(const AskTarget& target) {
    const std::string_view sum = target.sum->sum;
    const bool one_layer = has(AskScope::one_layer);
    std::vector<Expr> terms;
    auto add = [&](std::optional<std::size_t> group, const Expr& repeat) {
        std::vector<Expr> inside;
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            if (!counted(tensor, sum) || graph_.layer_of(tensor.block) != group) continue;
            // What layers share stands outside of them, as T5's distances do; but the last norm is in no layer.
            const bool within = tensor.shared_in || tensor.component == Component::attention ||
                                tensor.component == Component::feed_forward ||
                                tensor.component == Component::recurrence;
            if (!group && has(AskScope::all_layers) && !within) continue;
            const Expr copies = group ? copies_in_layer(tensor) : Expr(1);
            count(static_cast<TensorIndex>(i), repeat * copies);
            inside.push_back(copies * element_count(tensor.shape));
        }
        if (!inside.empty()) terms.push_back(repeat * sum_of(inside));
    };
    const bool whole = sum == "model" || sum == "layers";
    if (!one_layer && !heard_.layer_named && !whole) add(std::nullopt, 1);
    for (std::size_t group = 0; group < graph_.layers.size(); ++group) {
        const Block& block = graph_.blocks[graph_.layers[group].block];
        if ((one_layer || heard_.layer_named) && block.id != heard_.layer) continue;
        add(group, one_layer ? Expr(1) : block.repeat);
    }
    if (terms.empty() && one_layer && model_.architecture.tied_layers) {
        failed_ = "The layers share one set of parameters: ask for those of all layers.";
        return std::nullopt;
    }
    if (terms.empty()) {
        failed_ = "There is none of it in " + std::string(one_layer ? "one layer" : all_layers_words()) + ": " +
                  std::string(target.sum->name) + ".";
        return std::nullopt;
    }
    return sum_of(terms);
}

Expr AskAnswerer::copies_in_layer(const Tensor& tensor) const {
    return quantity_ == Q::active ? graph_.runs_in_layer(tensor.block) : graph_.copies_in_layer(tensor.block);
}

bool AskAnswerer::counted(const Tensor& tensor, std::string_view sum) const {
    if (tensor.role != Role::parameter) return false;
    if (sum == "biases") return tensor.bias;
    return sum == "model" || sum == "layers" || component_key(tensor.component) == sum;
}

std::optional<Expr> AskAnswerer::resolved(const std::string& reference) {
    Result<Resolved> value = resolve(reference, model_, presets_);
    if (value) {
        counted_.insert(counted_.end(), value->counted.begin(), value->counted.end());
        return value->value;
    }
    failed_ = sentence(value.error());
    return std::nullopt;
}

std::optional<Expr> AskAnswerer::tensor_parameters(TensorIndex index) {
    std::vector<Expr> terms;
    for (const TensorIndex each : copies_asked_about(index)) {
        const Tensor& tensor = graph_.tensors[each];
        Expr numbers = element_count(tensor.shape);
        if (has(AskScope::one_head)) {
            const std::optional<Expr> share = head_share(tensor);
            if (!share) {
                failed_ = std::string(tensor.label) + " is not cut into heads: ask for all of it.";
                return std::nullopt;
            }
            numbers = *share;
            counted_whole_ = false;
        }
        Expr times = 1;
        if (all_layers())
            times = quantity_ == Q::active ? graph_.runs(tensor.block) : graph_.copies(tensor.block);
        else if (has(AskScope::one_layer) || has(AskScope::all_experts))
            times = copies_in_layer(tensor);
        count(each, times);
        terms.push_back(times * numbers);
    }
    return terms.size() == 1 ? terms.front() : factored(sum_of(terms));
}

std::optional<Expr> AskAnswerer::head_parameters(std::string_view sum) {
    std::vector<Expr> shares;
    counted_whole_ = false;
    for (const Tensor& tensor : graph_.tensors) {
        if (tensor.role != Role::parameter || tensor.component != Component::attention) continue;
        if (!tensor.id.starts_with(heard_.layer + ".")) continue;
        const std::optional<Expr> share = head_share(tensor);
        if (!share) shares.clear();
        if (!share) break;
        shares.push_back(*share);
    }
    if (sum == "attention" && !shares.empty()) return sum_of(shares);
    failed_ = "What one head has of it is not said: ask for one head of queries, keys, values or W_o.";
    return std::nullopt;
}

std::optional<Expr> AskAnswerer::block_parameters(const Notion& asked) {
    const bool active = quantity_ == Q::active;
    std::vector<Expr> terms;
    for (const std::string& id : blocks_asked_about(asked.sum)) {
        const auto index = static_cast<BlockIndex>(graph_.find_block(id) - graph_.blocks.data());
        const std::size_t before = counted_.size();
        const std::optional<Expr> one = resolved("count of " + id);
        if (!one || has(AskScope::one_expert)) return one;
        Expr times = active ? graph_.runs(index) : graph_.copies(index);
        if (has(AskScope::one_layer)) times = active ? graph_.runs_in_layer(index) : graph_.copies_in_layer(index);
        for (std::size_t i = before; i < counted_.size(); ++i) counted_[i].times = times * counted_[i].times;
        terms.push_back(times * *one);
    }
    if (terms.empty()) {
        failed_ = name() + " has no " + std::string(asked.name) +
                  (heard_.layer_named ? " in " + (layer_index() ? one_layer_words() : all_layers_words()) : "") + ".";
        return std::nullopt;
    }
    return terms.size() == 1 ? terms.front() : factored(sum_of(terms));
}

}  // namespace headcount
