// Amounts: what is added up of tensors, of parts, of the whole model, and how that is said.
#include <set>
#include <string>
#include <vector>

#include "core/analysis/factored.hpp"
#include "core/analysis/memory.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

using Q = AskQuantity;

std::optional<AskAnswer> AskAnswerer::amount(const std::vector<AskTarget>& targets) {
    std::vector<Expr> terms;
    std::vector<CountedTensor> kept;
    bool parameters = true, input = false, whole = true;
    const bool shares = quantity_ == Q::share, active_share = shares && heard_.active;
    if (active_share) quantity_ = Q::active;
    for (const AskTarget& target : targets) {
        if (target.less) continue;
        const bool activation = is_activation(target);
        counted_.clear();
        counted_whole_ = true;
        parameters = parameters && !activation;
        input = input || activation;
        const std::optional<Expr> term = activation ? elements(target) : parameters_of(target);
        if (!term) return std::nullopt;
        whole = whole && counted_whole_;
        kept.insert(kept.end(), counted_.begin(), counted_.end());
        terms.push_back(quantity_ == Q::bytes ? bytes_of(target, *term) : *term);
    }
    Expr total = sum_of(terms);
    if (terms.size() == 1) total = terms.front();
    if (targets.back().less) {
        if (!parameters || !whole) {
            failed_ = "Parts can be left out of parameters: not of one head's, nor of what is computed or cached.";
            return std::nullopt;
        }
        const std::optional<Expr> less = left_out(targets, std::move(kept));
        if (!less) return std::nullopt;
        total = total - *less;
    }
    AskAnswer answer{.amount = true};
    answer.title = amount_title(targets);
    const Formats formats = targets.size() == 1 ? formats_of(targets.front()) : model_.input.precision;
    answer.about = asked_about(model_, input, quantity_ == Q::bytes ? formats_title(formats) : "");
    place(answer, targets.front());
    if (targets.back().less) answer.light.clear();  // it is not all of that
    std::string_view unit = parameters ? "parameters" : "numbers";
    if (quantity_ == Q::active) unit = "active parameters";
    if (quantity_ == Q::bytes) unit = "bytes";
    if (const Result<std::int64_t> value = evaluate(total, model_.bindings); !value) {
        failed_ = sentence(value.error());
        return std::nullopt;
    }
    derive_count(answer, total, model_, unit);
    if (active_share) answer.title += ", active";
    if (shares) say_share(answer, *evaluate(total, model_.bindings));
    if (quantity_ == Q::bytes) answer.in_short = bytes_text(*evaluate(total, model_.bindings));
    if (targets.size() == 1 && quantity_ != Q::bytes) add_other_scopes(answer, targets.front());
    const bool read = heard_.tokens_given || heard_.batch_given || heard_.cached_given || heard_.full_context;
    if (quantity_ == Q::bytes && parameters && read)
        answer.notes.emplace_back("These are its weights, which are as large whatever is read.");
    else if (quantity_ == Q::bytes && parameters && !heard_.weights_said && targets.front().sum &&
             targets.front().sum->sum == "model")
        answer.notes.emplace_back("The weights alone: say how many tokens for the KV cache and activations as well.");
    if (quantity_ == Q::bytes && formats == Formats(Precision::bf16) && !heard_.precision_given)
        answer.notes.emplace_back("Two bytes each, in bf16; write in fp32, int8 or int4 for others.");
    return answer;
}

std::optional<Expr> AskAnswerer::left_out(const std::vector<AskTarget>& targets, std::vector<CountedTensor> kept) {
    std::set<TensorIndex> less;
    for (const AskTarget& target : targets) {
        if (!target.less) continue;
        counted_.clear();
        if (!target.tensor && !parameters_of(target)) return std::nullopt;
        for (const CountedTensor& each : counted_) less.insert(each.tensor);
        if (!target.tensor) continue;
        for (const TensorIndex each : same_in_all_layers(graph_, *target.tensor)) less.insert(each);
    }
    if (less.empty()) return Expr(0);  // the model has none
    std::erase_if(kept, [&](const CountedTensor& each) { return !less.contains(each.tensor); });
    if (kept.empty()) {
        failed_ = "None of it is in what is counted: leave out a part of that.";
        return std::nullopt;
    }
    std::vector<Expr> terms;
    for (const CountedTensor& each : kept)
        terms.push_back(each.times * element_count(graph_.tensors[each.tensor].shape));
    const Expr numbers = factored(sum_of(terms));
    return quantity_ == Q::bytes ? stored_bytes(model_, numbers, kept) : numbers;
}

void AskAnswerer::say_share(AskAnswer& answer, std::int64_t part) const {
    const std::int64_t all = model_.parameters.total;
    answer.count.reset();
    answer.number = percent(part, all);
    answer.unit = "of all parameters";
    answer.in_short.clear();
    answer.symbols = answer.title + " / all";
    answer.numbers = grouped(part) + " / " + grouped(all);
    answer.result = answer.number;
}

bool AskAnswerer::in_cache(const AskTarget& target) const {
    return target.tensor ? graph_.tensors[*target.tensor].role == Role::cache : target.sum->sum == "cache";
}

bool AskAnswerer::is_activation(const AskTarget& target) const {
    return in_cache(target) || (target.tensor && graph_.tensors[*target.tensor].role != Role::parameter);
}

Formats AskAnswerer::formats_of(const AskTarget& target) const {
    const Formats& weights = model_.input.precision;
    const bool alike = heard_.precision_given && !heard_.precision_of_weights;
    if (alike || !is_activation(target)) return weights;
    return in_cache(target) ? model_.input.cached_in() : activation_precision(weights);
}

Expr AskAnswerer::bytes_of(const AskTarget& target, const Expr& numbers) const {
    const Formats formats = formats_of(target);
    if (is_activation(target)) return bytes_formula(numbers, formats.rest);
    return counted_whole_ || formats.uniform() ? stored_bytes(model_, numbers, counted_)
                                               : bytes_formula(numbers, formats.rest);
}

std::string AskAnswerer::amount_title(const std::vector<AskTarget>& targets) const {
    std::string title;
    bool layered = false, less = false;
    for (const AskTarget& target : targets) {
        std::string one;
        if (target.tensor) {
            const Tensor& tensor = graph_.tensors[*target.tensor];
            one = std::string(tensor.label);
            layered = layered || graph_.layer_of(tensor.block).has_value();
        } else {
            const bool whole = target.sum->sum == "model" || target.sum->sum == "layers";
            one = std::string(target.sum->name);
            if (whole && heard_.layer_named) one = all_layers_words();
            if (target.sum->sum == "model" && has(AskScope::one_layer)) one = one_layer_words();
            layered = layered || (!whole);
        }
        title += (less ? " and " : target.less ? " without " : title.empty() ? "" : ", ") + one;
        less = target.less;
    }
    if (has(AskScope::one_head) && title.find("one head") == std::string::npos) title += ", one head";
    if (has(AskScope::one_expert)) title += ", one expert";
    if (layered && has(AskScope::one_layer)) title += ", " + one_layer_words();
    if (layered && all_layers()) title += ", " + all_layers_words();
    if (has(AskScope::one_token)) title += ", one token";
    return capitalized(title);
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
            if (tensor.role == Role::cache && in_asked_kind(tensor) && answer.light.empty())
                answer.light = answer.place = tensor.id;
    if (sum.starts_with("layer.")) {
        const std::vector<std::string> blocks = blocks_asked_about(sum);
        answer.place = blocks.empty() ? "" : blocks.front();
        for (const Tensor& tensor : graph_.tensors)
            if (answer.light.empty() && tensor.role == Role::parameter && tensor.id.starts_with(answer.place + "."))
                answer.light = tensor.id;
    }
}

std::optional<Expr> AskAnswerer::elements(const AskTarget& target) {
    std::vector<Expr> terms;
    const Expr batch = model_.input.batch > 1 ? Expr(Symbol::batch) : Expr(1);
    const std::vector<TensorIndex> named =
        target.tensor ? copies_asked_about(*target.tensor) : std::vector<TensorIndex>();
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const Tensor& tensor = graph_.tensors[i];
        const bool whole_cache = !target.tensor;
        if (whole_cache ? tensor.role != Role::cache : std::ranges::count(named, i) == 0) continue;
        if (whole_cache && !in_asked_kind(tensor)) continue;
        if (whole_cache && has(AskScope::one_layer) && !tensor.id.starts_with(heard_.layer + ".")) continue;
        Expr times = 1;
        if (has(AskScope::one_layer) || has(AskScope::all_heads)) times = graph_.copies_in_layer(tensor.block);
        if (all_layers() || (whole_cache && !has(AskScope::one_layer))) times = graph_.runs(tensor.block);
        count(static_cast<TensorIndex>(i), times * batch);
        terms.push_back(times * batch * element_count(tensor.shape));
    }
    if (terms.empty()) {
        failed_ = name() + " has no cache.";
        return std::nullopt;
    }
    return sum_of(terms);
}

void AskAnswerer::add_other_scopes(AskAnswer& answer, const AskTarget& target) {
    if (has(AskScope::one_head) || has(AskScope::one_expert) || has(AskScope::all_experts)) return;
    const bool tensor = target.tensor.has_value();
    const bool activation = tensor && graph_.tensors[*target.tensor].role != Role::parameter;
    if (activation) {
        if (!has(AskScope::one_layer) && !all_layers()) add_copies(answer, *target.tensor);
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
    std::string all = "all layers that have it";
    if (heard_.layer_named) all = all_layers_words();
    if (graph_.layers.size() == 1) all = "all " + grouped(model_.architecture.layers) + " layers";
    answer.notes.push_back((one ? "In " + all + ": " : "In one layer: ") + grouped(*value) + ".");
}

}  // namespace headcount
