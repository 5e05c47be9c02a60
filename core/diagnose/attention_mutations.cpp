// Mistakes about scores, masks and the softmax.
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_factor(Mutations& all, std::string name, std::string says, std::function<double(double)> factor) {
    all.push_back({std::move(name), std::move(says), "score factor",
                   on_rules<ScoreRule>(Op::scores, [factor](ScoreRule& rule, const Node&) {
                       const double before = rule.factor;
                       rule.factor = factor(before);
                       rule.rooted = false;
                       return std::abs(rule.factor - before) > 1e-9 * before;
                   })});
}

void add_mask(Mutations& all, std::string name, std::string says, std::function<bool(Mask&)> change,
              std::string about = "mask") {
    all.push_back({std::move(name), std::move(says), std::move(about),
                   on_rules<Mask>(Op::masked_softmax, [change](Mask& mask, const Node&) { return change(mask); })});
}

bool is_causal(const Mask& mask) {
    return mask.kind == Mask::Kind::causal || mask.kind == Mask::Kind::window || mask.kind == Mask::Kind::chunk;
}

void add_windows(Mutations& all) {
    for (const int more : {1, -1})
        add_mask(
            all, more > 0 ? "window-one-more" : "window-one-less",
            std::string("the window has one key ") + (more > 0 ? "more" : "less") + " than the model's",
            [more](Mask& mask) {
                if (mask.size <= 1) return false;
                mask.size += more;
                return true;
            },
            "window");
    add_mask(
        all, "window-none", "the window is missing: every query looks at all earlier keys",
        [](Mask& mask) {
            if (mask.kind != Mask::Kind::window && mask.kind != Mask::Kind::chunk) return false;
            mask.kind = Mask::Kind::causal;
            mask.size = 0;
            return true;
        },
        "window");
}

// Which keys a query looks at, and what becomes of the others.
void add_masks(const Model& model, Mutations& all) {
    const Node* const soften = model.graph.first(Op::masked_softmax);
    if (!soften || !is_causal(soften->rule<Mask>())) return;
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
                 mask.sum = Mask::Sum::zeros;
                 return true;
             });
    add_mask(all, "cache-not-extended",
             "every token looks at itself alone: keys and values of earlier tokens are not kept", [](Mask& mask) {
                 mask = {.kind = Mask::Kind::window, .size = 1};
                 return true;
             });
    add_windows(all);
    all.push_back({"softmax-over-queries", "the softmax goes over queries, and not over keys: along the wrong axis",
                   "softmax", on_rules<Mask>(Op::masked_softmax, [](Mask& mask, const Node&) {
                       mask.sum = Mask::Sum::queries;
                       return true;
                   })});
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
               [](double) { return 1.0; });
    add_factor(all, "scores-scaled-twice",
               std::string("scores are scaled twice") + (own ? ", " + right : ": by 1/d_h, where the factor is 1/√d_h"),
               [](double factor) { return factor * factor; });
    add_factor(all, "scores-by-width", "scores are divided by √d, the root of the model's width, " + right,
               [dim](double) { return 1 / std::sqrt(dim); });
    if (row != dim)
        add_factor(all, "scores-by-row", "scores are divided by √(h·d_h), the root of all heads' columns, " + right,
                   [row](double) { return 1 / std::sqrt(row); });
    add_factor(all, "scores-by-root", "scores are divided by √d_h, where the model has a factor of its own",
               [columns](double) { return 1 / std::sqrt(columns); });
    add_factor(all, "scores-multiplied", "scores are multiplied by √d_h, " + (own ? right : "and not divided"),
               [columns](double) { return std::sqrt(columns); });
    all.push_back({"score-cap-missing", "scores are not capped", "score cap",
                   on_rules<ScoreRule>(Op::scores, [](ScoreRule& rule, const Node&) {
                       return std::exchange(rule.soft_cap, std::nullopt).has_value();
                   })});
    add_masks(model, all);
}

}  // namespace headcount
