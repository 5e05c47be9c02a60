// Of each of their tensors the activation that it stands for.
#include "core/diagnose/links.hpp"

#include <algorithm>
#include <optional>

#include "core/base/find.hpp"
#include "core/diagnose/named.hpp"

namespace headcount {
namespace {

// The last part of an activation's name, and words that stand for it; the first that fits counts, and words of several
// letters stand behind those that they are part of.
struct Hint {
    std::string_view ending;
    std::string_view words;  // "|" between
    bool in_layer = true;
};
constexpr Hint hints[] = {
    {"logits", "logits|lm head|output head|unembed|prediction scores|predictions", false},
    {"final_norm",
     "final norm|norm f|ln f|ln final|model norm|final layernorm|norm out|last hidden state|last hidden states", false},
    {"positioned", "positioned|tok plus pos|with positions|drop|pos added", false},
    {"embedded", "embedded|embedding|embeddings|embed|wte|tok emb|token embedding|embed tokens|emb", false},
    {"queries_rotated", "queries rotated|q rot|q rope|q rotated|rotated q|q embed|query rot|q after rope"},
    {"keys_rotated", "keys rotated|k rot|k rope|k rotated|rotated k|k embed|key rot|k after rope"},
    {"queries_normed", "q norm|query norm"},
    {"keys_normed", "k norm|key norm"},
    {"attention.norm", "ln 1|ln1|norm 1|norm1|input layernorm|attn norm|attention norm|pre attn"},
    {"feed_forward.norm", "ln 2|ln2|norm 2|norm2|post attention layernorm|ffn norm|mlp norm|feed forward norm"},
    {"attention.queries", "q proj|query|queries|wq|w q|q"},
    {"attention.keys", "k proj|key|keys|wk|w k|k"},
    {"attention.values", "v proj|value|values|wv|w v|v"},
    {"head.scores", "scores|attn scores|attention scores|qk"},
    {"head.weights", "weights|attn weights|probs|att|attn probs|pattern|attention weights|softmax"},
    {"head.output", "head output|head out|z"},
    {"joined", "joined|concat|context|ctx|heads|z|head out|head output"},
    {"router_scores", "router|router logits|moe gate|router scores"},
    {"routing", "routing|router weights"},
    {"feed_forward.gate", "gate proj|gate|w1"},
    {"feed_forward.up", "up proj|up|w3|c fc|fc1|fc 1|fc in|pre act|hook pre"},
    {"feed_forward.hidden", "hidden|act|gelu|silu|relu|act fn|hook post|post act"},
    {"feed_forward.output",
     "mlp c proj|down proj|down|w2|fc2|fc 2|fc out|mlp out|mlp output|ffn out|ffn output|mlp|"
     "ffn|moe|feed forward output|experts|block sparse moe"},
    {"attention.output",
     "attn c proj|o proj|wo|w o|out proj|attn out|attn output|attention output|attn|self attn|selfattention|"
     "attention"},
    {"attention.stream", "resid mid|after attn|x mid|attention stream|resid 1"},
    {"feed_forward.stream", "resid post|block out|layer out|out|output|feed forward stream|resid 2|block|x"},
};

bool is_called(const Site& place, const std::string& name) { return place.name == name || contains(place.also, name); }

bool fits_hint(const Site& place, const Hint& hint, const Named& name) {
    return place.name.ends_with(hint.ending) && place.in_layer == (hint.in_layer ? name.layer : std::nullopt) &&
           place.across == says_across(name);
}

class Linker {
  public:
    Linker(std::span<const TheirTensor> theirs, std::span<const Site> places,
           std::span<const std::vector<float>> numbers, const std::set<std::string>& besides)
        : theirs_(theirs),
          places_(places),
          numbers_(numbers),
          besides_(besides),
          names_(named_together(theirs, places)) {}

    std::vector<Link> link() {
        std::vector<Link> all;
        for (std::size_t i = 0; i < theirs_.size(); ++i)
            if (std::optional<Link> found = link_of(i)) all.push_back(*std::move(found));
        if (const std::optional<Link> logits = only_logits(all)) all.push_back(*logits);
        for (std::size_t i = 0; i < theirs_.size(); ++i)
            if (std::optional<Link> found = by_series(i, all)) {
                std::erase_if(all, [&](const Link& each) { return each.theirs == i; });
                all.push_back(*std::move(found));
            }
        for (std::size_t i = 0; i < theirs_.size() && (all.empty() || all.back().by == LinkedBy::nearest); ++i)
            if (std::optional<Link> found = any_of_its_shape(i)) all.push_back(*std::move(found));
        std::ranges::stable_sort(all, {}, [](const Link& each) { return each.ours.front().place; });
        return all;
    }

  private:
    // The way it lies in which its numbers are nearest; absent where the shapes do not fit.
    struct Nearest {
        Ours ours;
        double apart = 0;
    };
    std::optional<Nearest> nearest(const TheirTensor& theirs, std::size_t place) const {
        std::optional<Nearest> best;
        for (const Lie lie : lies(places_[place], theirs.shape)) {
            const double apart = difference(theirs, lie, places_[place], numbers_[place]);
            if (!best || apart < best->apart) best = {{place, lie}, apart};
        }
        return best;
    }

    template <class Fits>
    std::optional<Nearest> first(const TheirTensor& theirs, const Fits& fits) const {
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (fits(places_[i]))
                if (std::optional<Nearest> found = nearest(theirs, i)) return found;
        return std::nullopt;
    }

    std::optional<Nearest> by_words(const TheirTensor& theirs, const Named& name) const {
        // transformers' hidden states: the first is what enters the first layer, and the last stands behind the final
        // norm, where others mean what that reads.
        if (name.number && (!name.layer || says(name, "hidden|hidden states|hidden state"))) {
            const std::string hidden = "hidden." + std::to_string(*name.number);
            const auto found = of_all(theirs, [&](const Site& place) {
                const bool last = std::ranges::none_of(places_, [&](const Site& each) {
                    return each.of_encoder == place.of_encoder && each.in_layer && *each.in_layer >= *name.number;
                });
                return in_stack(place, name) && (is_called(place, place.of_encoder ? "encoder." + hidden : hidden) ||
                                                 (last && place.name.ends_with("final_norm")));
            });
            if (found) return found;
        }
        for (const Hint& hint : hints) {
            if (!says(name, hint.words) && !(says_nothing(name) && hint.ending == "feed_forward.stream")) continue;
            // Positions and types may have been added to what is called an embedding, and it may have been normed.
            const bool embedded = hint.ending == "embedded";
            const auto fits = [&](const Site& place) {
                return in_stack(place, name) &&
                       (fits_hint(place, hint, name) || (embedded && !name.layer && before_layers(place)));
            };
            const auto found = embedded || two_stacks_ ? of_all(theirs, fits) : first(theirs, fits);
            if (found) return found;
        }
        return std::nullopt;
    }

    // All that are in its layer, or outside of the layers on the same side of them, in the way that is nearest.
    std::vector<Ours> beside(const TheirTensor& theirs, std::size_t place) const {
        std::vector<Ours> all;
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (places_[i].in_layer == places_[place].in_layer && places_[i].of_encoder == places_[place].of_encoder &&
                before_layers(places_[i]) == before_layers(places_[place]))
                if (const std::optional<Nearest> found = nearest(theirs, i)) all.push_back(found->ours);
        return all;
    }

    // Whether its name may mean one of the stack that the place is in.
    bool in_stack(const Site& place, const Named& name) const {
        return !two_stacks_ || !name.encoder || *name.encoder == place.of_encoder;
    }

    bool before_layers(const Site& place) const {
        return &place < &*std::ranges::find_if(
                            places_, [](const Site& each) { return each.in_layer.has_value(); });
    }

    // Of all that fit the nearest.
    template <class Fits>
    std::optional<Nearest> of_all(const TheirTensor& theirs, const Fits& fits) const {
        std::optional<Nearest> best;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!fits(places_[i])) continue;
            const std::optional<Nearest> found = nearest(theirs, i);
            if (found && (!best || found->apart < best->apart)) best = found;
        }
        return best;
    }

    // Where only one of ours could be it.
    std::optional<Nearest> by_shape(const TheirTensor& theirs) const {
        std::optional<Nearest> only;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const std::optional<Nearest> found = nearest(theirs, i);
            if (found && only) return std::nullopt;
            if (found) only = found;
        }
        return only;
    }

    std::optional<Nearest> by_values(const TheirTensor& theirs) const {
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (std::optional<Nearest> found = nearest(theirs, i); found && found->apart <= theirs.tolerance)
                return found;
        return std::nullopt;
    }

    // What another of its series is by its numbers, it is in its own layer: "norm_a_1", where "norm_a_0" is a norm of
    // layer 0. Absent where its own name or numbers say what it is.
    std::optional<Link> by_series(std::size_t index, std::span<const Link> linked) const {
        const TheirTensor& theirs = theirs_[index];
        const auto agrees = [&](const Link& each) {
            const TheirTensor& other = theirs_[each.theirs];
            const Ours& ours = each.ours.back();
            return difference(other, ours.lie, places_[ours.place], numbers_[ours.place]) <= other.tolerance;
        };
        const auto own = std::ranges::find(linked, index, &Link::theirs);
        if (besides_.contains(theirs.name) || (own != linked.end() && (own->by == LinkedBy::name || agrees(*own))))
            return std::nullopt;
        for (const Link& each : linked) {
            const Site& of_other = places_[each.ours.back().place];
            const Named &name = names_[index], &other = names_[each.theirs];
            if (!of_other.in_layer || !in_one_series(name, other) || !agrees(each)) continue;
            const auto found = first(theirs, [&](const Site& place) {
                return place.tensor == of_other.tensor && place.layer == of_other.layer + *name.number - *other.number;
            });
            if (found)
                return Link{.theirs = index,
                            .ours = {found->ours},
                            .perhaps = beside(theirs, found->ours.place),
                            .by = LinkedBy::values};
        }
        return std::nullopt;
    }

    // Where nothing says what any of theirs is: each that has its shape, the nearest first.
    std::optional<Link> any_of_its_shape(std::size_t index) const {
        const TheirTensor& theirs = theirs_[index];
        const auto found = of_all(theirs, [](const Site&) { return true; });
        if (!found || besides_.contains(theirs.name)) return std::nullopt;
        Link link{.theirs = index, .ours = {found->ours}, .by = LinkedBy::nearest};
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (const std::optional<Nearest> other = nearest(theirs, i)) link.perhaps.push_back(other->ours);
        return link;
    }

    // Nothing is linked to what the model makes at last, and one tensor alone that is linked to nothing has its shape.
    std::optional<Link> only_logits(std::span<const Link> linked) const {
        const std::size_t last = places_.size() - 1;
        if (std::ranges::any_of(linked, [&](const Link& each) { return each.ours.front().place == last; }))
            return std::nullopt;
        std::optional<Link> only;
        for (std::size_t i = 0; i < theirs_.size(); ++i) {
            const bool known = contains(linked, i, &Link::theirs);
            const auto found = known || besides_.contains(theirs_[i].name) ? std::nullopt : nearest(theirs_[i], last);
            if (!found) continue;
            if (only) return std::nullopt;
            only = Link{.theirs = i, .ours = {found->ours}, .by = LinkedBy::shape};
        }
        return only;
    }

    std::optional<Link> link_of(std::size_t index) const {
        const TheirTensor& theirs = theirs_[index];
        if (besides_.contains(theirs.name)) return std::nullopt;
        Link link{.theirs = index, .ours = {}};
        std::optional<Nearest> found = first(theirs, [&](const Site& place) { return is_called(place, theirs.name); });
        if (!found) {
            link.by = LinkedBy::words;
            found = by_words(theirs, names_[index]);
        }
        if (!found) {
            link.by = LinkedBy::shape;
            found = by_shape(theirs);
        }
        if (found && link.by == LinkedBy::words) {
            link.perhaps = beside(theirs, found->ours.place);
            // "out" may be any of several: theirs is the one that is much nearer than what the word says first.
            for (const Ours& each : link.perhaps) {
                constexpr double much = 10, near = 0.25;
                const double apart = difference(theirs, each.lie, places_[each.place], numbers_[each.place]);
                if (apart < near && much * apart < found->apart) found = Nearest{each, apart};
            }
        }
        if (found) link.ours.push_back(found->ours);
        if (found && found->apart <= theirs.tolerance) return link;
        if (const std::optional<Nearest> same = by_values(theirs)) {
            if (!found) link.by = LinkedBy::values;
            link.ours.push_back(same->ours);
        }
        return link.ours.empty() ? std::nullopt : std::optional(link);
    }

    const std::span<const TheirTensor> theirs_;
    const std::span<const Site> places_;
    const std::span<const std::vector<float>> numbers_;
    const std::set<std::string>& besides_;
    const std::vector<Named> names_;
    const bool two_stacks_ = std::ranges::any_of(places_, &Site::of_encoder);
};

}  // namespace

std::string_view key(LinkedBy by) {
    constexpr std::string_view keys[] = {"name", "words", "shape", "values", "nearest"};
    return keys[static_cast<std::size_t>(by)];
}

std::vector<Link> linked(std::span<const TheirTensor> theirs, std::span<const Site> places,
                         std::span<const std::vector<float>> numbers, const std::set<std::string>& besides) {
    return Linker(theirs, places, numbers, besides).link();
}

}  // namespace headcount
