// Mistakes about which keys a query looks at: masks and windows.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

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

}  // namespace

void add_mask_mutations(const Model& model, Mutations& all) {
    if (!model.graph.first(Op::masked_softmax)) return;
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
    for (const int score : {-1, -10})
        add_mask(all, "mask-score-" + std::to_string(-score),
                 "what is masked has the score " + std::to_string(score) + ", and not -inf", [score](Mask& mask) {
                     mask.sum = Mask::Sum::masked;
                     mask.masked_score = score;
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

}  // namespace headcount
