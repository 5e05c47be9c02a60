// Which words of a question say what is asked, and which only where: settled before anything is worked out.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/arch/fields.hpp"
#include "core/ask/answer.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {

using Q = AskQuantity;

void AskAnswerer::settle_claims() {
    for (const auto& [symbol, number] : heard_.claims) {
        const std::optional<std::int64_t> value = size_of(symbol);
        const std::string what(info(symbol).name);
        if (value != number)
            wrong_claims_.push_back(name() + (value ? " has " + grouped(*value) + " " + what : " has no " + what) +
                                    ", not " + grouped(number) +
                                    (field_of(symbol) ? "; change its " + what + " field." : "."));
        else if (symbol == Symbol::layers)
            scopes_.push_back(AskScope::all_layers);
        else if (symbol == Symbol::heads)
            scopes_.push_back(AskScope::all_heads);
        if (subjects_.empty() && symbols_.empty() && !quantity_) symbols_.push_back(symbol);
    }
}

void AskAnswerer::settle_words() {
    const bool attends = std::ranges::all_of(
        subjects_, [](const AskSubject& each) { return each.notion && each.notion->sum == "attention"; });
    if (quantity_ == Q::weights && has(AskScope::one_head) && attends) {
        subjects_ = {{&notion("attention weights"), false, {}}};
        quantity_ = Q::shape;
    } else if (quantity_ == Q::weights || quantity_ == Q::size) {
        quantity_ = heard_.precision_given ? Q::bytes : Q::parameters;  // "weights in fp32"
    }
    // "how wide is the mlp"
    if (symbols_ == std::vector{Symbol::dim} && subjects_.size() == 1 && subjects_.front().notion &&
        subjects_.front().notion->width)
        symbols_ = {*std::exchange(subjects_, {}).front().notion->width};
    std::vector<Symbol> left;
    for (const Symbol symbol : symbols_) {
        if (symbol == Symbol::layers && !subjects_.empty())
            scopes_.push_back(AskScope::all_layers);
        else if (symbol == Symbol::layers && asks_amount())
            subjects_.push_back({&notion("the layers"), false, {}});
        else if (symbol == Symbol::heads && !subjects_.empty())
            scopes_.push_back(AskScope::all_heads);
        else if (symbol == Symbol::kv_heads && asks_amount() && subjects_.empty())
            for (const std::string_view part : {"keys", "values"}) subjects_.push_back({&notion(part), true, {}});
        else if (symbol == Symbol::experts && asks_amount() && (quantity_ != Q::active || heard_.parameters_said))
            subjects_.push_back({&notion("experts"), false, {}});
        else if (symbol == Symbol::vocab && asks_amount() && subjects_.empty())
            subjects_.push_back({&notion("embedding"), false, {}});
        else
            left.push_back(symbol);
    }
    symbols_ = std::move(left);
    const bool of_experts = std::ranges::count(symbols_, Symbol::experts) > 0;
    if (of_experts && quantity_ == Q::active) quantity_.reset();  // "how many experts, and how many are active"
    if (!symbols_.empty() && subjects_.empty() && quantity_ == Q::parameters) quantity_.reset();  // "vocab size"
    if ((has(AskScope::one_expert) || has(AskScope::all_experts)) && subjects_.empty() && symbols_.empty())
        subjects_.push_back({&notion("experts"), false, {}});
    if (heard_.has(AskScope::all_heads) && subjects_.empty() && symbols_.empty())
        subjects_.push_back({&notion("attention"), false, {}});
    if (has(AskScope::one_head) && subjects_.empty() && symbols_.empty() && (!quantity_ || counts_parameters()))
        subjects_.push_back({&notion("attention"), false, {}});
    if (!subjects_.empty() || !symbols_.empty()) return;
    const bool model_alone = (heard_.preset || heard_.changes()) && !has(AskScope::one_head);
    const bool layer_alone = has(AskScope::one_layer) || has(AskScope::all_layers);
    if (!quantity_ && !model_alone && !layer_alone && !heard_.precision_given && !has(AskScope::total)) return;
    subjects_.push_back({&notion(has(AskScope::all_layers) ? "the layers" : "the model"), false, {}});
    if (!quantity_) quantity_ = heard_.precision_given ? Q::bytes : Q::parameters;
}

void AskAnswerer::settle_parts() {
    std::vector<AskSubject> less;
    std::ranges::copy_if(subjects_, std::back_inserter(less), &AskSubject::less);
    std::erase_if(subjects_, [](const AskSubject& each) { return each.less; });
    settle_counted_parts();
    if (subjects_.empty() && !less.empty()) subjects_.push_back({&notion("the model"), false, {}});
    subjects_.insert(subjects_.end(), less.begin(), less.end());
}

void AskAnswerer::settle_counted_parts() {
    auto is_sum = [](const AskSubject& each) { return each.notion && !each.notion->sum.empty() && !each.weight; };
    auto any = [&](std::string_view sum) {
        return std::ranges::any_of(subjects_,
                                   [&](const AskSubject& each) { return is_sum(each) && each.notion->sum == sum; });
    };
    if (any("output") && (any("attention") || has(AskScope::one_head)))
        subjects_ = {{&notion(any("attention") ? "attention output" : "head output"), false, {}}};
    else if (any("output") && any("feed_forward"))
        subjects_ = {{&notion("FFN output"), false, {}}};
    else if (any("cache"))
        subjects_ = {{&notion("KV cache"), false, {}}};
    std::vector<AskSubject> unique;
    for (const AskSubject& each : subjects_)
        if (!contains(unique, each)) unique.push_back(each);
    subjects_ = std::move(unique);
    if (subjects_.size() < 2) return;
    std::vector<AskSubject> kept;
    for (const AskSubject& each : subjects_)
        if (!is_sum(each) || !contains_another(each)) kept.push_back(each);
    if (!kept.empty()) subjects_ = std::move(kept);
}

bool AskAnswerer::contains_another(const AskSubject& outer) const {
    return std::ranges::any_of(subjects_, [&](const AskSubject& each) {
        if (&each == &outer) return false;
        if (outer.notion->sum == "model") return true;
        if (each.notion && !each.notion->sum.empty()) return outer.notion->sum == "layers";
        // The norm of attention is a norm, though it stands in the block of attention.
        for (const bool parameters : {true, false}) {
            const std::optional<AskTarget> one = target_of(each, parameters);
            if (!one || !one->tensor) continue;
            const Tensor& tensor = graph_.tensors[*one->tensor];
            if (component_key(tensor.component) == outer.notion->sum) return true;
            if (tensor.id.find("." + std::string(outer.notion->sum) + ".") != std::string::npos) return true;
        }
        return false;
    });
}

std::optional<TensorIndex> AskAnswerer::first_of(std::string_view ids) const {
    std::vector<std::string> layers{heard_.layer};
    for (std::size_t i = 0; !heard_.layer_named && i < graph_.layers.size(); ++i)
        layers.push_back(graph_.blocks[graph_.layers[i].block].id);
    for (const std::string& layer : layers)
        for (std::string_view rest = ids; !rest.empty();) {
            const std::size_t space = std::min(rest.find(' '), rest.size());
            std::string id(rest.substr(0, space));
            rest.remove_prefix(std::min(space + 1, rest.size()));
            if (id.starts_with("layer.")) id.replace(0, std::string_view("layer").size(), layer);
            if (const Tensor* tensor = graph_.find(id)) return static_cast<TensorIndex>(tensor - graph_.tensors.data());
        }
    return std::nullopt;
}

std::optional<AskTarget> AskAnswerer::target_of(const AskSubject& subject, bool parameters) const {
    if (!subject.notion) {
        std::optional<TensorIndex> fallback;
        for (const bool this_layer : {true, false})
            for (const TensorIndex index : subject.tensors) {
                const Tensor& tensor = graph_.tensors[index];
                const bool other = graph_.layer_of(tensor.block) && !tensor.id.starts_with(heard_.layer + ".");
                if (other && (this_layer || heard_.layer_named)) continue;
                if (!fallback) fallback = index;
                if ((tensor.role == Role::parameter) == parameters) return AskTarget{index, nullptr};
            }
        return fallback ? std::optional(AskTarget{fallback, nullptr}) : std::nullopt;
    }
    const Notion& asked = *subject.notion;
    const bool shaped = quantity_ == Q::shape || quantity_ == Q::rows || quantity_ == Q::columns;
    if (!asked.sum.empty() && !(shaped && !asked.parameter.empty())) return AskTarget{std::nullopt, &asked};
    std::optional<TensorIndex> weight = first_of(asked.parameter);
    if (!weight && asked.parameter.starts_with("output_head")) weight = graph_.tied_head;
    if (parameters || subject.weight || !asked.sum.empty()) {
        if (weight) return AskTarget{weight, nullptr};
        if (parameters) return std::nullopt;
    }
    if (has(AskScope::one_head))
        if (const auto head = first_of(asked.head)) return AskTarget{head, nullptr};
    for (const std::string_view ids : {asked.activation, asked.head})
        if (const auto found = first_of(ids)) return AskTarget{found, nullptr};
    if (weight) return AskTarget{weight, nullptr};
    return std::nullopt;
}

}  // namespace headcount
