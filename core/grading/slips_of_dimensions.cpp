// Slips of one dimension: another one in its place, one of many for all of them, or all for one.
#include <algorithm>

#include "core/grading/slip_list.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

void heads(SlipList& slips) {
    const bool kv = slips.has(Symbol::kv_heads);
    const bool of_symbols = !symbols_in(slips.asked.value).empty();  // what is of another model is a number alone
    slips.replaced(Mistake::query_for_kv_heads, Symbol::kv_heads, Symbol::heads,
                   "with the " + slips.plural(Symbol::heads, "query heads") +
                       " (h) where keys and values have their own number, h_kv");
    if (!kv)
        slips.replaced(Mistake::kv_for_query_heads, Symbol::heads, Symbol::kv_heads,
                       "with the " + slips.plural(Symbol::kv_heads, "key/value heads") +
                           " (h_kv) where the query heads, h, count");
    if (slips.has(Symbol::heads))
        slips.replaced(Mistake::one_head, Symbol::heads, 1,
                       "one head alone; all " + slips.plural(Symbol::heads, "heads") + " together are asked about");
    else if (!kv && of_symbols && (slips.asked.counted.empty() || slips.has(Symbol::head_dim)))
        slips.times(Mistake::all_heads, Symbol::heads,
                    "all " + slips.plural(Symbol::heads, "heads") + " together; one head is asked about");
    if (kv)
        slips.replaced(
            Mistake::one_head, Symbol::kv_heads, 1,
            "one key/value head alone; all " + slips.plural(Symbol::kv_heads, "of them") + " are asked about");
    else if (slips.has(Symbol::head_dim) && !slips.has(Symbol::heads))
        slips.times(Mistake::all_heads, Symbol::kv_heads,
                    "all " + slips.plural(Symbol::kv_heads, "key/value heads") + " together; one head is asked about");
}

void layers(SlipList& slips) {
    if (slips.has(Symbol::layers))
        slips.replaced(Mistake::one_layer, Symbol::layers, 1,
                       "one layer where all " + slips.plural(Symbol::layers, "layers") + " are asked about");
    else
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
        std::all_of(parts.begin(), parts.end(), of_each))
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

}  // namespace

void add_dimension_slips(SlipList& slips) {
    heads(slips);
    layers(slips);
    head_size(slips);
    cached(slips);
    batch(slips);
    experts(slips);
    rounding_up(slips);
}

}  // namespace headcount
