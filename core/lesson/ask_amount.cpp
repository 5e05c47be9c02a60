// Amounts: parameters, elements and bytes of a tensor, of parts, of the whole model.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/lesson/ask_answerer.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

using Q = AskQuantity;

std::optional<AskAnswer> AskAnswerer::amount(const std::vector<AskTarget>& targets) {
    std::vector<Expr> terms;
    bool parameters = true, input = false;
    for (const AskTarget& target : targets) {
        const bool activation =
            target.tensor ? graph_.tensors[*target.tensor].role != Role::parameter : target.sum->sum == "cache";
        parameters = parameters && !activation;
        input = input || activation;
        const std::optional<Expr> term = activation ? elements(target) : parameters_of(target);
        if (!term) return std::nullopt;
        terms.push_back(*term);
    }
    Expr total = sum_of(terms);
    if (terms.size() == 1) total = terms.front();
    AskAnswer answer;
    answer.title = amount_title(targets);
    answer.about = asked_about(model_, input, quantity_ == Q::bytes);
    place(answer, targets.front());
    std::string_view unit = parameters ? "parameters" : "numbers";
    if (quantity_ == Q::active) unit = "active parameters";
    if (quantity_ == Q::bytes) {
        const std::int64_t bits = info(model_.input.precision).bits;
        total = bits >= 8 ? Expr(bits / 8) * total : total / Expr(8 / bits);
        unit = "bytes";
    }
    if (const Result<std::int64_t> value = evaluate(total, model_.bindings); !value) {
        failed_ = sentence(value.error());
        return std::nullopt;
    }
    derive_count(answer, total, model_, unit);
    if (quantity_ == Q::bytes) answer.in_short = bytes_text(*evaluate(total, model_.bindings));
    if (targets.size() == 1 && quantity_ != Q::bytes) add_other_scopes(answer, targets.front());
    if (quantity_ == Q::bytes && model_.input.precision == Precision::bf16 && !heard_.precision_given)
        answer.notes.emplace_back("Two bytes each, in bf16; write in fp32, int8 or int4 for others.");
    return answer;
}

std::string_view AskAnswerer::layer_words() const {
    return graph_.layers.size() > 1 ? ", one layer of the kind there are most of" : ", one layer";
}

std::string AskAnswerer::amount_title(const std::vector<AskTarget>& targets) const {
    std::string title;
    bool layered = false;
    for (const AskTarget& target : targets) {
        std::string one;
        if (target.tensor) {
            const Tensor& tensor = graph_.tensors[*target.tensor];
            one = std::string(tensor.label);
            layered = layered || graph_.layer_of(tensor.block).has_value();
        } else {
            const bool layer = target.sum->sum == "model" && has(AskScope::one_layer);
            one = layer ? "One layer" : std::string(target.sum->name);
            layered = layered || (target.sum->sum != "model" && target.sum->sum != "layers");
        }
        title += (title.empty() ? "" : ", ") + one;
    }
    if (has(AskScope::one_head) && title.find("one head") == std::string::npos) title += ", one head";
    if (has(AskScope::one_expert)) title += ", one expert";
    if (layered && has(AskScope::one_layer)) title += layer_words();
    if (layered && all_layers()) title += ", all layers";
    if (has(AskScope::one_token)) title += ", one token";
    return ask_capital(title);
}

void AskAnswerer::place(AskAnswer& answer, const AskTarget& target) const {
    if (target.tensor) {
        answer.light = answer.place = graph_.tensors[*target.tensor].id;
        return;
    }
    const std::string_view sum = target.sum->sum;
    auto has_block = [&](const std::string& id) { return graph_.find_block(id) ? id : std::string(); };
    for (const Component component : components)
        if (component_key(component) == sum) answer.light = "component." + std::string(sum);
    if (sum == "attention" || sum == "feed_forward") answer.place = has_block(heard_.layer + "." + std::string(sum));
    if (sum == "embedding") answer.place = "embedding.weight";
    if (sum == "output") answer.place = graph_.find("output_head.weight") ? "output_head.weight" : "";
    if (sum == "model" && !has(AskScope::one_layer)) answer.light = "total";
    if (sum == "layers" || has(AskScope::one_layer))
        if (answer.place.empty()) answer.place = heard_.layer;
    if (sum == "cache")
        for (const Tensor& tensor : graph_.tensors)
            if (tensor.role == Role::cache && answer.light.empty()) answer.light = answer.place = tensor.id;
    if (sum.starts_with("layer.")) {
        answer.place = has_block(block_id(sum));
        for (const Tensor& tensor : graph_.tensors)
            if (answer.light.empty() && tensor.role == Role::parameter && tensor.id.starts_with(answer.place + "."))
                answer.light = tensor.id;
    }
}

std::optional<Expr> AskAnswerer::elements(const AskTarget& target) {
    std::vector<Expr> terms;
    const Expr batch = model_.input.batch > 1 ? Expr(Symbol::batch) : Expr(1);
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const Tensor& tensor = graph_.tensors[i];
        const bool whole_cache = !target.tensor;
        if (whole_cache ? tensor.role != Role::cache : i != *target.tensor) continue;
        if (whole_cache && has(AskScope::one_layer) && !tensor.id.starts_with(heard_.layer + ".")) continue;
        Expr times = 1;
        if (has(AskScope::one_layer) || has(AskScope::all_heads)) times = graph_.copies_in_layer(tensor.block);
        if (all_layers() || (whole_cache && !has(AskScope::one_layer))) times = graph_.runs(tensor.block);
        terms.push_back(times * batch * element_count(tensor.shape));
    }
    if (terms.empty()) {
        failed_ = name() + " has no cache.";
        return std::nullopt;
    }
    return sum_of(terms);
}

std::optional<Expr> AskAnswerer::parameters_of(const AskTarget& target) {
    if (target.tensor) return tensor_parameters(*target.tensor);
    const std::string_view sum = target.sum->sum;
    const bool one_layer = has(AskScope::one_layer);
    if (has(AskScope::one_head)) return head_parameters(sum);
    if (sum.starts_with("layer.")) return block_parameters(block_id(sum), *target.sum);
    if (sum == "cache") {
        failed_ = "The KV cache holds no parameters: ask for its bytes or elements.";
        return std::nullopt;
    }
    const bool whole = sum == "model" || sum == "layers";
    if (!one_layer && quantity_ != Q::active) return resolved("count of " + std::string(sum));
    if (!one_layer && sum == "model") return resolved("count of active");
    std::vector<Expr> outside, terms;
    for (std::size_t group = 0; group < graph_.layers.size(); ++group) {
        const Block& block = graph_.blocks[graph_.layers[group].block];
        if (one_layer && block.id != heard_.layer) continue;
        std::vector<Expr> inside;
        for (const Tensor& tensor : graph_.tensors)
            if (counted(tensor, sum) && graph_.layer_of(tensor.block) == group)
                inside.push_back(copies_in_layer(tensor) * element_count(tensor.shape));
        if (!inside.empty()) terms.push_back((one_layer ? Expr(1) : block.repeat) * sum_of(inside));
    }
    if (!one_layer && !whole)
        for (const Tensor& tensor : graph_.tensors)
            if (counted(tensor, sum) && !graph_.layer_of(tensor.block)) outside.push_back(element_count(tensor.shape));
    terms.insert(terms.begin(), outside.begin(), outside.end());
    return sum_of(terms);
}

Expr AskAnswerer::copies_in_layer(const Tensor& tensor) const {
    return quantity_ == Q::active ? graph_.runs_in_layer(tensor.block) : graph_.copies_in_layer(tensor.block);
}

bool AskAnswerer::counted(const Tensor& tensor, std::string_view sum) const {
    if (tensor.role != Role::parameter) return false;
    if (sum == "biases") return tensor.id.ends_with(".bias");
    return sum == "model" || sum == "layers" || component_key(tensor.component) == sum;
}

std::optional<Expr> AskAnswerer::resolved(const std::string& reference) {
    Result<Resolved> value = resolve(reference, model_, presets_);
    if (value) return value->value;
    failed_ = sentence(value.error());
    return std::nullopt;
}

std::optional<Expr> AskAnswerer::tensor_parameters(TensorIndex index) {
    const Tensor& tensor = graph_.tensors[index];
    Expr numbers = element_count(tensor.shape);
    if (has(AskScope::one_head)) {
        const std::optional<Expr> share = head_share(tensor);
        if (!share) {
            failed_ = std::string(tensor.label) + " is not cut into heads: ask for all of it.";
            return std::nullopt;
        }
        numbers = *share;
    }
    if (all_layers())
        return (quantity_ == Q::active ? graph_.runs(tensor.block) : graph_.copies(tensor.block)) * numbers;
    if (has(AskScope::one_layer) || has(AskScope::all_experts)) return copies_in_layer(tensor) * numbers;
    return numbers;
}

std::optional<Expr> AskAnswerer::head_parameters(std::string_view sum) {
    std::vector<Expr> shares;
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

std::optional<Expr> AskAnswerer::block_parameters(const std::string& id, const Notion& asked) {
    const Block* block = graph_.find_block(id);
    if (!block) {
        failed_ = name() + " has no " + std::string(asked.name) + ".";
        return std::nullopt;
    }
    const std::optional<Expr> one = resolved("count of " + id);
    const auto index = static_cast<BlockIndex>(block - graph_.blocks.data());
    if (!one || has(AskScope::one_expert)) return one;
    if (has(AskScope::one_layer))
        return (quantity_ == Q::active ? graph_.runs_in_layer(index) : graph_.copies_in_layer(index)) * *one;
    return (quantity_ == Q::active ? graph_.runs(index) : graph_.copies(index)) * *one;
}

void AskAnswerer::add_other_scopes(AskAnswer& answer, const AskTarget& target) {
    if (has(AskScope::one_head) || has(AskScope::one_expert) || has(AskScope::all_experts)) return;
    const bool tensor = target.tensor.has_value();
    const bool activation = tensor && graph_.tensors[*target.tensor].role != Role::parameter;
    if (activation) {
        if (!has(AskScope::one_layer) && !all_layers()) add_copies(answer, graph_.tensors[*target.tensor]);
        return;
    }
    if (!tensor && target.sum->sum == "model") {
        if (!has(AskScope::one_layer) && quantity_ != Q::active && model_.parameters.active != model_.parameters.total)
            answer.notes.push_back(grouped(model_.parameters.active) + " of them are active for each token.");
        return;
    }
    if (tensor && !graph_.layer_of(graph_.tensors[*target.tensor].block)) return;
    if (!tensor && target.sum->sum != "attention" && target.sum->sum != "feed_forward" && target.sum->sum != "layers")
        return;
    const bool one = tensor ? !all_layers() : has(AskScope::one_layer);
    const std::vector<AskScope> asked = scopes_;
    std::erase_if(scopes_, [](AskScope scope) {
        return scope == AskScope::one_layer || scope == AskScope::all_layers || scope == AskScope::total;
    });
    scopes_.push_back(one ? AskScope::all_layers : AskScope::one_layer);
    const std::optional<Expr> other = parameters_of(target);
    scopes_ = asked;
    failed_.clear();
    const Result<std::int64_t> value = other ? evaluate(*other, model_.bindings) : Error{};
    if (!value) return;
    const std::string layers =
        graph_.layers.size() == 1 ? grouped(model_.architecture.layers) + " layers" : "layers that have it";
    answer.notes.push_back((one ? "In all " + layers + ": " : "In one layer: ") + grouped(*value) + ".");
}

}  // namespace headcount
