// How a slip is calculated; and the slips of one dimension (another in its place, one of many for all of them, or all
// for one) and of counts of parameters (tensors forgotten or counted twice, and what is no parameter).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/grading/slips.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

// Whether it is of what each head has: its columns, or its scores, one for every two tokens.
bool of_one_head(const SlipList& slips) {
    if (slips.has(Symbol::head_dim)) return true;
    const Result<std::int64_t> twice_the_tokens =
        evaluate(substituted(slips.asked.value, Symbol::tokens, Expr(2) * Symbol::tokens), slips.model.bindings);
    return slips.asked.counted.empty() && twice_the_tokens && *twice_the_tokens / 3 >= slips.right;
}

void attention_heads(SlipList& slips) {
    const bool kv = slips.has(Symbol::kv_heads);
    slips.replaced(Mistake::query_for_kv_heads, Symbol::kv_heads, Symbol::heads,
                   "with the " + slips.plural(Symbol::heads, "query heads") +
                       " (h) where keys and values have their own number, h_kv");
    if (!kv)
        slips.replaced(Mistake::kv_for_query_heads, Symbol::heads, Symbol::kv_heads,
                       "with the " + slips.plural(Symbol::kv_heads, "key/value heads") +
                           " (h_kv) where the query heads, h, count");
    if (slips.has(Symbol::heads))
        slips.one_of(Mistake::one_head, Symbol::heads,
                     "one head alone; all " + slips.plural(Symbol::heads, "heads") + " together are asked about");
    else if (!kv && of_one_head(slips))
        slips.times(Mistake::all_heads, Symbol::heads,
                    "all " + slips.plural(Symbol::heads, "heads") + " together; one head is asked about");
    if (kv)
        slips.one_of(Mistake::one_head, Symbol::kv_heads,
                     "one key/value head alone; all " + slips.plural(Symbol::kv_heads, "of them") + " are asked about");
    else if (slips.has(Symbol::head_dim) && !slips.has(Symbol::heads))
        slips.times(Mistake::all_heads, Symbol::kv_heads,
                    "all " + slips.plural(Symbol::kv_heads, "key/value heads") + " together; one head is asked about");
}

void state_heads(SlipList& slips) {
    if (slips.has(Symbol::state_heads))
        slips.one_of(Mistake::one_head, Symbol::state_heads,
                     "one head alone; all " + slips.plural(Symbol::state_heads, "heads") + " together are asked about");
    else if (slips.has(Symbol::state_head_dim))
        slips.times(Mistake::all_heads, Symbol::state_heads,
                    "all " + slips.plural(Symbol::state_heads, "heads") + " together; one head is asked about");
}

// Whether every layer has one of what is asked about.
bool of_one_layer(const SlipList& slips) {
    const ModelGraph& graph = slips.model.graph;
    if (!slips.asked.counted.empty())
        return std::ranges::all_of(slips.asked.counted, [&](const CountedTensor& part) {
            return graph.layer_of(graph.tensors[part.tensor].block).has_value();
        });
    constexpr std::array of_layers{Symbol::head_dim,   Symbol::heads,         Symbol::kv_heads,  Symbol::ffn_dim,
                                   Symbol::expert_dim, Symbol::experts,       Symbol::state_dim, Symbol::state_heads,
                                   Symbol::kv_rank,    Symbol::state_head_dim};
    return of_one_head(slips) || std::ranges::any_of(of_layers, [&](Symbol symbol) { return slips.has(symbol); });
}

void layers(SlipList& slips) {
    if (slips.has(Symbol::layers))
        slips.one_of(Mistake::one_layer, Symbol::layers,
                     "one layer where all " + slips.plural(Symbol::layers, "layers") + " are asked about");
    else if (of_one_layer(slips))
        slips.times(Mistake::all_layers, Symbol::layers,
                    "all " + slips.plural(Symbol::layers, "layers") + " together; one is asked about");
}

void head_size(SlipList& slips) {
    slips.replaced(Mistake::width_for_head_size, Symbol::head_dim, Symbol::dim,
                   "with the width d where the size of one head, d_h, belongs");
    slips.replaced(Mistake::head_size_for_width, Symbol::dim, Symbol::head_dim,
                   "with the size of one head, d_h, where the width d belongs");
}

void cached(SlipList& slips) {
    if (slips.number(Symbol::cached).value_or(0) == 0) return;
    slips.replaced(Mistake::no_cached, Symbol::cached, 0,
                   "without the " + slips.plural(Symbol::cached, "tokens") + " that are already in the cache (P)");
    if (slips.has(Symbol::cached))
        slips.replaced(Mistake::only_cached, Symbol::tokens, 0, "the cached tokens alone, without the new ones (T)");
    else
        slips.replaced(Mistake::symbol, Symbol::tokens, Expr(Symbol::cached) + Symbol::tokens,
                       "with the cached tokens counted in; only the new ones, T, are asked about");
}

void batch(SlipList& slips) {
    if (slips.has(Symbol::batch))
        slips.replaced(Mistake::no_batch, Symbol::batch, 1,
                       "one sequence alone; the batch has B = " + slips.plural(Symbol::batch, "of them"));
    else
        slips.times(Mistake::batch, Symbol::batch,
                    "the whole batch of " + slips.plural(Symbol::batch, "sequences") + "; one is asked about");
}

void experts(SlipList& slips) {
    if (!slips.number(Symbol::experts)) return;
    const auto of_each = [&](const CountedTensor& part) {
        const ModelGraph& graph = slips.model.graph;
        return uses(graph.copies(graph.tensors[part.tensor].block), Symbol::experts);
    };
    const std::vector<CountedTensor> parts(slips.asked.counted.begin(), slips.asked.counted.end());
    if (!slips.has(Symbol::experts) && !slips.has(Symbol::experts_per_token) && !parts.empty() &&
        std::ranges::all_of(parts, of_each))
        slips.times(Mistake::total, Symbol::experts,
                    "all E = " + slips.plural(Symbol::experts, "experts") + " of a layer; one is asked about");
    slips.replaced(Mistake::total, Symbol::experts, Symbol::experts_per_token,
                   "what one token passes: k of the experts; all E = " + slips.plural(Symbol::experts, "of them") +
                       " are asked about");
    slips.replaced(Mistake::total, Symbol::experts_per_token, Symbol::experts,
                   "all E = " + slips.plural(Symbol::experts, "experts") + "; a token passes only k of them");
    slips.replaced(Mistake::total, Symbol::experts, 1,
                   "one expert alone; there are E = " + slips.plural(Symbol::experts, "of them"));
    slips.replaced(Mistake::total, Symbol::experts_per_token, 1,
                   "one expert alone; a token passes k = " + slips.plural(Symbol::experts_per_token, "of them"));
}

void rounding_up(SlipList& slips) {
    if (!rounds_up(slips.asked.value)) return;
    slips.add(Mistake::not_rounded_up, without_rounding(slips.asked.value),
              "the width before it is rounded up to the next multiple");
    slips.add(Mistake::not_rounded_up, Expr(4) * Symbol::dim, "4·d, the width of a feed-forward part without a gate");
}

std::int64_t count_of(const CountedModel& model, const CountedTensor& part) {
    return *evaluate(part.times * element_count(model.graph.tensors[part.tensor].shape), model.bindings);
}

// What a pupil calls it, with whatever else of the sum is as many: nothing says which of them it was.
template <class Count>
std::string called(const SlipList& slips, const CountedTensor& part, const Count& count) {
    std::vector<std::string> names;
    for (const CountedTensor& each : slips.asked.counted) {
        const std::string name(slips.model.graph.tensors[each.tensor].label);
        if (count(each) == count(part) && !contains(names, name)) names.push_back(name);
    }
    if (names.size() == 1) return names.front();
    constexpr std::size_t most = 3;
    const bool more = names.size() > most;
    names.resize(std::min(names.size(), most));
    return "one of these: " + listed(names) + (more ? ", ..." : "");
}

// One or another tensor forgotten, or counted twice.
void parts(SlipList& slips) {
    const ModelGraph& graph = slips.model.graph;
    const auto without = [&](const auto& wanted) {
        std::int64_t all = 0;
        for (const CountedTensor& part : slips.asked.counted)
            if (wanted(graph.tensors[part.tensor])) all += count_of(slips.model, part);
        return all;
    };
    const auto drop = [&](Mistake mistake, std::int64_t sum, const std::string& text) {
        const std::int64_t left = slips.asked.bytes ? 0 : slips.right - sum;
        if (sum > 0 && left > 0) slips.add(mistake, std::optional(left), text);
    };
    const bool alone = slips.asked.counted.size() == 1;
    const bool added_up = without([](const Tensor&) { return true; }) == slips.right;  // and not a difference of counts
    if (alone || slips.asked.bytes || !added_up) return;
    drop(Mistake::no_bias, without([](const Tensor& t) { return t.bias; }), "without the biases");
    drop(Mistake::no_bias, without([](const Tensor& t) { return t.bias && t.component != Component::norm; }),
         "without the biases of the linear layers");
    if (graph.tied_head && slips.right == slips.model.parameters.total) {
        const std::int64_t table =
            *evaluate(element_count(graph.tensors[*graph.tied_head].shape), slips.model.bindings);
        slips.add(Mistake::tied_twice, checked_add(slips.right, table),
                  "the output head counted a second time: it is tied, the same matrix as the embedding");
    }
    drop(Mistake::no_output, without([](const Tensor& t) { return t.component == Component::output; }),
         "without the output head");
    drop(Mistake::left_out, without([](const Tensor& t) {
             return t.component == Component::embedding || t.component == Component::output;
         }),
         "without embedding and output head");
    for (Component component : components)
        drop(Mistake::left_out, without([&](const Tensor& t) { return t.component == component; }),
             "without this part: " + std::string(component_name(component)));
    for (const CountedTensor& part : slips.asked.counted) {
        const auto in_all = [&](const CountedTensor& each) { return count_of(slips.model, each); };
        const auto in_one = [&](const CountedTensor& each) {
            const Result<std::int64_t> one = element_count(graph.tensors[each.tensor].shape, slips.model.bindings);
            return one ? *one : 0;
        };
        drop(Mistake::left_out, in_all(part), "without " + called(slips, part, in_all));
        drop(Mistake::left_out, in_one(part), "with " + called(slips, part, in_one) + " once too few");
        slips.add(Mistake::twice, checked_add(slips.right, in_all(part)),
                  "with " + called(slips, part, in_all) + " counted twice");
    }
    for (Component component : components) {
        const std::int64_t sum = without([&](const Tensor& t) { return t.component == component; });
        if (sum > 0)
            slips.add(Mistake::left_out, std::optional(sum),
                      "this part alone: " + std::string(component_name(component)));
    }
    for (const CountedTensor& part : slips.asked.counted)
        slips.add(
            Mistake::left_out, std::optional(count_of(slips.model, part)),
            called(slips, part, [&](const CountedTensor& each) { return count_of(slips.model, each); }) + " alone");
    drop(Mistake::left_out, without([](const Tensor& t) {
                                return t.component == Component::norm;
                            }) + without([](const Tensor& t) { return t.bias && t.component != Component::norm; }),
         "without norms and biases");
}

// What depends on the input is no parameter.
void tokens(SlipList& slips) {
    const std::string never = ": the number of parameters does not depend on how many tokens pass";
    slips.times(Mistake::tokens, Symbol::tokens,
                "multiplied by the " + slips.plural(Symbol::tokens, "tokens (T)") + never);
    slips.times(Mistake::tokens, Symbol::context,
                "multiplied by the context of " + slips.plural(Symbol::context, "tokens (C)") + never);
    for (const Tensor& tensor : slips.model.graph.tensors) {
        if (tensor.role != Role::activation && tensor.role != Role::cache) continue;
        const std::string what = shape_in_symbols(tensor.shape) + ", the numbers in \"" + std::string(tensor.label) +
                                 "\": an activation, made anew for every input, not a parameter";
        const Result<std::int64_t> one = element_count(tensor.shape, slips.model.bindings);
        if (!one) continue;
        slips.add(Mistake::activation, std::optional(*one), what);
        slips.add(Mistake::activation, checked_add(slips.right, *one),
                  "with \"" + std::string(tensor.label) + "\" counted in: an activation, not a parameter");
    }
}

}  // namespace

SlipList::SlipList(const CountedModel& lesson_model, const AskedNumber& asked_number)
    : model(lesson_model), asked(asked_number), right(*evaluate(asked_number.value, lesson_model.bindings)) {}

bool SlipList::has(Symbol symbol) const { return uses(asked.value, symbol); }

std::string SlipList::plural(Symbol symbol, std::string_view one) const {
    return std::to_string(number(symbol).value_or(0)) + " " + std::string(one);
}

void SlipList::add(Mistake mistake, std::optional<std::int64_t> value, std::string text) {
    if (!value || *value == right || *value <= 0) return;
    if (is_chance(*value) && (mistake == Mistake::symbol || mistake == Mistake::activation)) return;
    if (std::ranges::any_of(found_, [&](const Slip& slip) { return slip.value == *value; })) return;
    found_.push_back({mistake, *value, std::move(text)});
}

void SlipList::add(Mistake mistake, const Expr& value, std::string text) {
    const Result<std::int64_t> result = evaluate(value, model.bindings);
    if (result) add(mistake, std::optional(*result), std::move(text));
}

void SlipList::times(Mistake mistake, Symbol symbol, std::string text) {
    if (number(symbol).value_or(1) > 1) add(mistake, asked.value * Expr(symbol), std::move(text));
}

void SlipList::replaced(Mistake mistake, Symbol symbol, const Expr& by, std::string text) {
    if (has(symbol)) add(mistake, substituted(asked.value, symbol, by), std::move(text));
}

void SlipList::one_of(Mistake mistake, Symbol symbol, std::string text) {
    const Result<std::int64_t> one = evaluate(substituted(asked.value, symbol, 1), model.bindings);
    if (one && *one < right) replaced(mistake, symbol, 1, std::move(text));
}

void add_dimension_slips(SlipList& slips) {
    attention_heads(slips);
    state_heads(slips);
    layers(slips);
    head_size(slips);
    cached(slips);
    batch(slips);
    experts(slips);
    rounding_up(slips);
}

void add_parameter_slips(SlipList& slips) {
    parts(slips);
    tokens(slips);
}

}  // namespace headcount
