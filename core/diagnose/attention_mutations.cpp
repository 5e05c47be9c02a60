// Mistakes about scores, masks and the softmax.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_factor(Mutations& all, std::string name, std::string says,
                std::function<double(double before, const Mutant& mutant)> factor) {
    all.push_back({std::move(name), std::move(says), "score factor", [factor](Mutant& mutant) {
                       const auto change = [&](ScoreRule& rule, const Node&) {
                           const double before = rule.factor;
                           rule.factor = factor(before, mutant);
                           rule.rooted = false;
                           return std::abs(rule.factor - before) > 1e-9 * before;
                       };
                       return on_rules<ScoreRule>(Op::scores, change)(mutant);
                   }});
}

bool is_causal(const Mask& mask) {
    return mask.kind == Mask::Kind::causal || mask.kind == Mask::Kind::window || mask.kind == Mask::Kind::chunk;
}

void add_mask(Mutations& all, std::string name, std::string says, std::function<bool(Mask&)> change) {
    all.push_back({std::move(name), std::move(says), "mask",
                   on_rules<Mask>(Op::masked_softmax,
                                  [change](Mask& mask, const Node&) { return is_causal(mask) && change(mask); })});
}

// The same kind of layers without a window, and with one.
struct Windowed {
    Mask::Kind without, with;
    const char* sees;
};
constexpr std::array windowed{Windowed{Mask::Kind::causal, Mask::Kind::window, "all earlier tokens"},
                              Windowed{Mask::Kind::causal, Mask::Kind::chunk, "all earlier tokens"},
                              Windowed{Mask::Kind::full, Mask::Kind::around, "all tokens"}};

void add_window(Mutations& all, std::string name, std::string says, std::function<bool(Mask&)> change) {
    all.push_back({std::move(name), std::move(says), "window",
                   on_rules<Mask>(Op::masked_softmax, [change](Mask& mask, const Node&) { return change(mask); })});
}

// A kind of window that the model has.
struct Window {
    Windowed kind;
    std::int64_t size = 0;
    bool some_without = false;  // other layers see all that theirs sees a part of
};

std::vector<Window> windows_of(const ModelGraph& graph) {
    std::vector<Window> found;
    for (const Windowed& kind : windowed) {
        Window window{kind};
        each_node(graph, Op::masked_softmax, [&](const Node& node) {
            if (node.rule<Mask>().kind == kind.with) window.size = node.rule<Mask>().size;
            window.some_without = window.some_without || node.rule<Mask>().kind == kind.without;
        });
        if (window.size > 0) found.push_back(window);
    }
    return found;
}

void add_windows(const Model& model, Mutations& all) {
    const std::vector<Window> windows = windows_of(model.graph);
    if (windows.empty()) return;
    // Two stacks may have a kind each: a mistake is made in both.
    const auto in_all = [&](std::string name, std::string says, auto change) {
        add_window(all, std::move(name), std::move(says), [windows, change](Mask& mask) {
            return std::ranges::any_of(windows, [&](const Window& window) { return change(mask, window); });
        });
    };
    const std::string sees = windows.front().kind.sees;
    const bool around = windows.front().kind.with == Mask::Kind::around;
    for (const int more : {1, -1})
        in_all(more > 0 ? "window-one-more" : "window-one-less",
               std::string("the window has one key ") + (more > 0 ? "more" : "less") +
                   (around ? " on either side" : "") + " than the model's",
               [more](Mask& mask, const Window& window) {
                   if (mask.kind != window.kind.with || mask.size + more < 1) return false;
                   mask.size += more;
                   return true;
               });
    in_all("window-none", "the window is missing: every query looks at " + sees, [](Mask& mask, const Window& window) {
        if (mask.kind != window.kind.with) return false;
        mask.kind = window.kind.without;
        mask.size = 0;
        return true;
    });
    if (!std::ranges::any_of(windows, &Window::some_without)) return;
    for (const bool all_layers : {false, true})
        in_all(all_layers ? "window-everywhere" : "window-in-others",
               all_layers ? "every layer has the window, where some of the model's see " + sees
                          : "the layers that are to see " + sees + " have the window, and the others have none",
               [all_layers](Mask& mask, const Window& window) {
                   if (!window.some_without) return false;
                   if (mask.kind == window.kind.without)
                       mask = {.kind = window.kind.with, .size = window.size};
                   else if (!all_layers && mask.kind == window.kind.with)
                       mask = {.kind = window.kind.without};
                   else
                       return false;
                   return true;
               });
}

// What weights are made of, and what is made of them.
void add_softmaxes_of_scores(Mutations& all) {
    const auto add = [&](const char* name, const char* says, std::function<void(Mask&)> change) {
        all.push_back({name, says, "softmax", on_rules<Mask>(Op::masked_softmax, [change](Mask& mask, const Node&) {
                           change(mask);
                           return true;
                       })});
    };
    add("softmax-over-queries", "the softmax goes over queries, and not over keys: along the wrong axis",
        [](Mask& mask) { mask.sum = Mask::Sum::queries; });
    add("softmax-over-heads", "the softmax goes over heads, and not over keys: along the wrong axis",
        [](Mask& mask) { mask.sum = Mask::Sum::heads; });
    add("softmax-missing", "there is no softmax: the scores themselves are the weights",
        [](Mask& mask) { mask.sum = Mask::Sum::nothing; });
    add("softmax-twice", "the softmax is applied twice, the second time over masked keys too",
        [](Mask& mask) { mask.twice = true; });
    add("attention-between-heads",
        "a token's heads look at each other, where tokens are to: the axes of tokens and heads are not exchanged "
        "before "
        "the scores",
        [](Mask& mask) { mask.between_heads = mask.kind != Mask::Kind::cross; });
    add("weights-transposed", "values are multiplied by the weights' transpose: Aᵀ · V",
        [](Mask& mask) { mask.turned = true; });
    all.push_back({"scale-after-softmax",
                   "the weights are scaled behind the softmax, where the scores are to be before it", "score factor",
                   [](Mutant& mutant) {
                       const ModelGraph& graph = mutant.model.graph;
                       std::map<std::optional<BlockIndex>, double> factors;  // by what has the heads
                       const auto unscaled = [&](ScoreRule& rule, const Node& node) {
                           if (rule.factor == 1 || rule.by_layer || rule.temperature) return false;
                           factors[graph.blocks[node.block].parent] = std::exchange(rule.factor, 1.0);
                           return true;
                       };
                       if (!on_rules<ScoreRule>(Op::scores, unscaled)(mutant)) return false;
                       for (const Node& node : graph.nodes) {
                           if (node.op == Op::masked_softmax && factors.contains(graph.blocks[node.block].parent))
                               mutant.stands_for[node.output] = std::nullopt;
                           const auto factor = factors.find(node.block);
                           if (node.op == Op::join_heads && factor != factors.end())
                               change_in_layers(mutant, node.output,
                                                {.columns = columns_of(mutant.model, node.output),
                                                 .factor = static_cast<float>(factor->second)});
                       }
                       return true;
                   }});
}

// Which keys a query looks at, and what becomes of the others.
void add_masks(const Model& model, Mutations& all) {
    const Node* const soften = model.graph.first(Op::masked_softmax);
    if (!soften) return;
    const auto some = [&](const auto& which) {
        return std::ranges::any_of(model.graph.nodes, [&](const Node& node) {
            return node.op == Op::masked_softmax && which(node.rule<Mask>());
        });
    };
    if (some([](const Mask& mask) { return mask.kind == Mask::Kind::full; }))
        all.push_back({"mask-causal", "there is a causal mask, where every token is to see all: as in a decoder",
                       "mask", on_rules<Mask>(Op::masked_softmax, [](Mask& mask, const Node&) {
                           if (mask.kind != Mask::Kind::full) return false;
                           mask = {};
                           return true;
                       })});
    add_softmaxes_of_scores(all);
    all.push_back({"sinks-missing", "the heads' sinks take no weight: their scores are not in the softmax's sum",
                   "sinks", [](Mutant& mutant) {
                       return without_parameters(mutant, Op::masked_softmax, [](const Node&) { return true; });
                   }});
    all.push_back({"mask-across",
                   "attention to the other text has a causal mask, where every token is to see all of it", "mask",
                   on_rules<Mask>(Op::masked_softmax, [](Mask& mask, const Node&) {
                       if (mask.kind != Mask::Kind::cross) return false;
                       mask = {};
                       return true;
                   })});
    add_windows(model, all);
    if (!some(is_causal)) return;
    add_mask(all, "mask-none", "there is no mask: every token looks at all tokens, later ones too", [](Mask& mask) {
        mask = {.kind = Mask::Kind::full};
        return true;
    });
    add_mask(all, "mask-one-later", "the mask is off by one: every token looks at the next one too", [](Mask& mask) {
        mask.ahead = 1;
        return true;
    });
    add_mask(all, "mask-not-itself", "the mask is off by one: no token looks at itself", [](Mask& mask) {
        mask.ahead = -1;
        return true;
    });
    add_mask(all, "mask-transposed", "the mask is transposed: every token looks at itself and at later ones",
             [](Mask& mask) {
                 if (mask.kind == Mask::Kind::chunk) return false;
                 mask.kind = Mask::Kind::later;
                 return true;
             });
    add_mask(all, "mask-after-softmax",
             "the mask comes after the softmax, so that the weights of a row no longer sum to 1", [](Mask& mask) {
                 mask.sum = Mask::Sum::all;
                 return true;
             });
    add_mask(all, "mask-times-scores",
             "scores are multiplied by the mask, so that what is masked has the score 0 and not -inf", [](Mask& mask) {
                 mask.sum = Mask::Sum::masked;
                 return true;
             });
    // One less for what is masked is one more for all others, to a softmax.
    for (const double one : {-1.0, 1.0})
        add_mask(all, one < 0 ? "mask-ones-for-seen" : "mask-ones-for-masked",
                 std::string("the mask's ones are added to the scores of the keys that ") +
                     (one < 0 ? "may be seen" : "are to be masked") + ", and nothing is masked",
                 [one](Mask& mask) {
                     mask.sum = Mask::Sum::masked;
                     mask.masked_adds = true;
                     mask.masked_score = one;
                     return true;
                 });
    add_mask(all, "mask-inverted", "the mask is inverted: every token looks at later ones alone, the last at all alike",
             [](Mask& mask) {
                 if (mask.kind != Mask::Kind::causal) return false;
                 mask.kind = Mask::Kind::later;
                 mask.ahead = 1;
                 return true;
             });
    if (const Node* const scores = model.graph.first(Op::scores); scores && scores->rule<ScoreRule>().soft_cap)
        add_mask(all, "mask-before-cap",
                 "the mask comes before the scores are capped, so that what is masked has the score -c and not -inf",
                 [cap = *scores->rule<ScoreRule>().soft_cap](Mask& mask) {
                     mask.sum = Mask::Sum::masked;
                     mask.masked_score = -cap;
                     return true;
                 });
    add_mask(all, "cache-not-extended",
             "every token looks at itself alone: keys and values of earlier tokens are not kept", [](Mask& mask) {
                 mask = {.kind = Mask::Kind::window, .size = 1};
                 return true;
             });
}

// What scores are lowered by, token by token, each head by its slope.
void add_slopes(const ModelGraph& graph, Mutations& all) {
    const auto add = [&](const char* name, const char* says, std::function<void(std::optional<Alibi>&)> change) {
        all.push_back({name, says, "distances", on_rules<ScoreRule>(Op::scores, [change](ScoreRule& rule, const Node&) {
                           if (!rule.alibi) return false;
                           change(rule.alibi);
                           return true;
                       })});
    };
    const Node* const scores = graph.first(Op::scores);
    if (!scores->rule<ScoreRule>().alibi) return;
    add("alibi-none", "scores are not lowered by the distance between tokens: ALiBi is missing",
        [](std::optional<Alibi>& alibi) { alibi.reset(); });
    add("alibi-backwards", "ALiBi has the other sign: far tokens count more, and not less",
        [](std::optional<Alibi>& alibi) {
            for (double& slope : alibi->slopes) slope = -slope;
        });
    add("alibi-heads-backwards", "ALiBi's slopes are those of the heads in the other order",
        [](std::optional<Alibi>& alibi) { std::ranges::reverse(alibi->slopes); });
    add("alibi-alike", "ALiBi has the slope 1 in all heads, and not each head its own",
        [](std::optional<Alibi>& alibi) { std::ranges::fill(alibi->slopes, 1.0); });
    // 2^(-8/h) to the powers 1, 2, ..., h.
    add("alibi-from-1", "ALiBi's slopes begin at 1, and not at 2^(-8/h): heads are counted from 0",
        [](std::optional<Alibi>& alibi) {
            const auto heads = static_cast<double>(alibi->slopes.size());
            for (double& slope : alibi->slopes) slope *= std::exp2(8 / heads);
        });
    all.push_back({"alibi-scaled", "ALiBi is added before the scores are scaled, and scaled with them", "distances",
                   on_rules<ScoreRule>(Op::scores, [](ScoreRule& rule, const Node&) {
                       if (!rule.alibi || rule.factor == 1) return false;
                       for (double& slope : rule.alibi->slopes) slope *= rule.factor;
                       return true;
                   })});
}

// What is added to scores by how far tokens lie apart.
void add_distances(const ModelGraph& graph, Mutations& all) {
    const bool some = std::ranges::any_of(
        graph.nodes, [](const Node& node) { return node.op == Op::scores && node.rule<ScoreRule>().relative; });
    if (!some) return;
    const auto add = [&](const char* name, const char* says, std::function<bool(ScoreRule&)> change) {
        all.push_back({name, says, "distances", on_rules<ScoreRule>(Op::scores, [change](ScoreRule& rule, const Node&) {
                           return rule.relative && change(rule);
                       })});
    };
    add("distances-none", "nothing is added to the scores for the distance between tokens", [](ScoreRule& rule) {
        rule.relative.reset();
        return true;
    });
    for (const bool decoders : {true, false})
        add(decoders ? "distances-both-ways" : "distances-one-way",
            decoders ? "a decoder's distances are counted both ways, as an encoder's are"
                     : "an encoder's distances are counted one way, as a decoder's are",
            [decoders](ScoreRule& rule) { return std::exchange(rule.relative->both_ways, decoders) != decoders; });
    const auto counted = [&](bool both_ways) {
        return std::ranges::any_of(graph.nodes, [&](const Node& node) {
            return node.op == Op::scores && node.rule<ScoreRule>().relative &&
                   node.rule<ScoreRule>().relative->both_ways == both_ways;
        });
    };
    if (counted(true) && counted(false))
        add("distances-exchanged", "distances are counted one way where both are meant, and both ways where one is",
            [](ScoreRule& rule) {
                rule.relative->both_ways = !rule.relative->both_ways;
                return true;
            });
    add("distances-backwards", "distances are counted from the key to the query, and not from the query to the key",
        [](ScoreRule& rule) { return rule.relative->backwards = true; });
    add("distances-up-to-128", "distances are told apart up to 128 tokens, as T5 does, and not as far as the model",
        [](ScoreRule& rule) { return std::exchange(rule.relative->farthest, 128) != 128; });
    add("distances-first-layer", "the first layer alone adds something to the scores for the distance between tokens",
        [](ScoreRule& rule) { return rule.relative_once = true; });
}

}  // namespace

void add_attention_mutations(const Model& model, Mutations& all) {
    const Node* const scores = model.graph.first(Op::scores);
    if (!scores) return;
    const double dim = static_cast<double>(model.architecture.dim);
    const auto columns = static_cast<double>(bindings(model.architecture, Input{})[Symbol::head_dim].value_or(1));
    const double row = columns * static_cast<double>(model.architecture.layer.attention.heads);
    const std::optional<double> own = scores->rule<ScoreRule>().own_factor();
    const std::string right = own ? "where the model has the factor " + factor_text(*own) : "and not by √d_h";
    add_factor(all, "scores-unscaled",
               std::string("scores are not scaled") + (own ? ", " + right : ": 1/√d_h is missing"),
               [](double, const Mutant&) { return 1.0; });
    add_factor(all, "scores-scaled-twice",
               std::string("scores are scaled twice") + (own ? ", " + right : ": by 1/d_h, where the factor is 1/√d_h"),
               [](double factor, const Mutant&) { return factor * factor; });
    add_factor(all, "scores-by-width", "scores are divided by √d, the root of the model's width, " + right,
               [dim](double, const Mutant&) { return 1 / std::sqrt(dim); });
    if (row != dim)
        add_factor(all, "scores-by-row", "scores are divided by √(h·d_h), the root of all heads' columns, " + right,
                   [row](double, const Mutant&) { return 1 / std::sqrt(row); });
    const auto heads = static_cast<double>(model.architecture.layer.attention.heads);
    add_factor(all, "scores-by-heads", "scores are divided by √h, the root of the number of heads, " + right,
               [heads](double, const Mutant&) { return 1 / std::sqrt(heads); });
    if (row != dim)
        add_factor(all, "scores-by-share", "scores are divided by √(d/h), where a head has other columns than d/h",
                   [share = dim / heads](double, const Mutant&) { return 1 / std::sqrt(share); });
    add_factor(all, "scores-by-tokens", "scores are divided by √T, the root of the number of tokens, " + right,
               [](double, const Mutant& mutant) { return 1 / std::sqrt(static_cast<double>(mutant.tokens)); });
    add_factor(all, "scores-by-root", "scores are divided by √d_h, where the model has a factor of its own",
               [columns](double, const Mutant&) { return 1 / std::sqrt(columns); });
    add_factor(all, "scores-multiplied", "scores are multiplied by √d_h, " + (own ? right : "and not divided"),
               [columns](double, const Mutant&) { return std::sqrt(columns); });
    all.push_back({"score-cap-missing", "scores are not capped", "score cap",
                   on_rules<ScoreRule>(Op::scores, [](ScoreRule& rule, const Node&) {
                       return std::exchange(rule.soft_cap, std::nullopt).has_value();
                   })});
    all.push_back(
        {"score-cap-not-multiplied", "scores are tanh(s / c), where they are c · tanh(s / c)", "score cap",
         [](Mutant& mutant) {
             bool changed = false;
             each_node(mutant.model.graph, Op::scores, [&](const Node& node) {
                 const std::optional<double> cap = node.rule<ScoreRule>().soft_cap;
                 for (std::int64_t head = 0; cap && head < mutant.model.architecture.layer.attention.heads; ++head)
                     change_in_layers(mutant, node.output,
                                      {.copy = head, .columns = mutant.tokens, .factor = static_cast<float>(1 / *cap)});
                 changed = changed || cap;
             });
             return changed;
         }});
    if (const auto& kv_heads = model.architecture.layer.attention.kv_heads;
        kv_heads && *kv_heads != model.architecture.layer.attention.heads)
        add_factor(all, "scores-by-kv-row",
                   "scores are divided by √(h_kv·d_h), the root of all key/value heads' columns, " + right,
                   [kv_row = columns * static_cast<double>(*kv_heads)](double, const Mutant&) {
                       return 1 / std::sqrt(kv_row);
                   });
    add_masks(model, all);
    add_slopes(model.graph, all);
    add_distances(model.graph, all);
}

}  // namespace headcount
