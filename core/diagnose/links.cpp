// Reads names as the usual code spells them.
#include "core/diagnose/links.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/text.hpp"

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

// "model.layers.0.self_attn.q_proj" as words: what stands behind the layer's number, and that number.
struct Named {
    std::string words;  // " self attn q proj "
    std::optional<std::int64_t> layer = {};
    std::optional<bool> encoder = {};  // whether it says that it is of one, or of a decoder
};

Named named(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char c : lower(name)) {
        if (is_letter_or_digit(c))
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    Named found{.words = " "};
    std::string before = " ";
    for (const std::string& word : words) {
        if (!found.encoder && (word == "encoder" || word == "enc" || word == "decoder" || word == "dec"))
            found.encoder = word.starts_with("enc");
        const std::size_t digits = word.find_first_of("0123456789");
        const std::string front = word.substr(0, digits);
        const bool number = digits != std::string::npos &&
                            std::all_of(word.begin() + static_cast<std::ptrdiff_t>(digits), word.end(), is_digit);
        const bool counts = front.empty() || is_word_of("layer layers block blocks h l", front);
        if (!found.layer && number && counts && word.size() - digits < 6) {
            found.layer = std::stoll(word.substr(digits));
            before = std::exchange(found.words, " ");
        } else if (!word.empty()) {
            found.words += word + " ";
        }
    }
    // "resid_mid_0": what it is stands before the number.
    if (found.layer && found.words == " ") found.words = before;
    return found;
}

// Of words that only say that there are layers: with a layer's number that is what leaves the layer.
bool says_nothing(const Named& name) {
    std::string rest = name.words;
    for (const char* each :
         {" model ", " transformer ", " decoder ", " encoder ", " layers ", " layer ", " blocks ", " h "})
        replace_all(rest, each, " ");
    return name.layer && rest == " ";
}

bool says(const Named& name, std::string_view words) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('|'), words.size());
        if (name.words.find(" " + std::string(words.substr(0, end)) + " ") != std::string::npos) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

bool is_called(const Site& place, const std::string& name) {
    return place.name == name || std::ranges::find(place.also, name) != place.also.end();
}

bool fits_hint(const Site& place, const Hint& hint, const Named& name) {
    const bool across = place.name.find("cross_attention") != std::string::npos;
    return place.name.ends_with(hint.ending) && place.in_layer == (hint.in_layer ? name.layer : std::nullopt) &&
           across == says(name, "cross|cross attn|crossattention|encdecattention|encoder attn|enc attn|src attn");
}

class Linker {
  public:
    Linker(std::span<const TheirTensor> theirs, std::span<const Site> places,
           std::span<const std::vector<float>> numbers, const std::set<std::string>& besides)
        : theirs_(theirs), places_(places), numbers_(numbers), besides_(besides) {}

    std::vector<Link> link() {
        std::vector<Link> all;
        for (std::size_t i = 0; i < theirs_.size(); ++i)
            if (std::optional<Link> found = link_of(i)) all.push_back(*std::move(found));
        if (const std::optional<Link> logits = only_logits(all)) all.push_back(*logits);
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

    std::optional<Nearest> by_words(const TheirTensor& theirs) const {
        const Named name = named(theirs.name);
        // transformers' hidden states: the first is what enters the first layer, and the last stands behind the final
        // norm, where others mean what that reads.
        if (name.layer && says(name, "hidden|hidden states|hidden state")) {
            const std::string hidden = "hidden." + std::to_string(*name.layer);
            const auto found = of_all(theirs, [&](const Site& place) {
                const bool last = std::ranges::none_of(places_, [&](const Site& each) {
                    return each.of_encoder == place.of_encoder && each.in_layer && *each.in_layer >= *name.layer;
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

    // Nothing is linked to what the model makes at last, and one tensor alone that is linked to nothing has its shape.
    std::optional<Link> only_logits(std::span<const Link> linked) const {
        const std::size_t last = places_.size() - 1;
        if (std::ranges::any_of(linked, [&](const Link& each) { return each.ours.front().place == last; }))
            return std::nullopt;
        std::optional<Link> only;
        for (std::size_t i = 0; i < theirs_.size(); ++i) {
            const bool known = std::ranges::find(linked, i, &Link::theirs) != linked.end();
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
            found = by_words(theirs);
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
    const bool two_stacks_ = std::ranges::any_of(places_, &Site::of_encoder);
};

}  // namespace

namespace {

// Queries, keys and values of a layer; absent where one is not there.
std::optional<std::array<std::size_t, 3>> projected(std::span<const Site> places, std::int64_t layer) {
    std::array<std::size_t, 3> found{};
    constexpr std::array<std::string_view, 3> endings{"attention.queries", "attention.keys", "attention.values"};
    for (std::size_t i = 0; i < endings.size(); ++i) {
        const auto place = std::ranges::find_if(
            places, [&](const Site& each) { return each.in_layer == layer && each.name.ends_with(endings[i]); });
        if (place == places.end()) return std::nullopt;
        found[i] = static_cast<std::size_t>(place - places.begin());
    }
    return found;
}

// Of a row of all three the columns of one, in heads of so many columns: one after the other, or head by head.
std::vector<float> taken_apart(const TheirTensor& theirs, std::int64_t rows, std::int64_t all, std::int64_t first,
                               std::int64_t columns, std::int64_t head) {
    std::vector<float> made;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < columns; ++i) {
            const std::int64_t at = head > 0 ? (i / head * 3 + first / columns) * head + i % head : first + i;
            made.push_back(theirs.numbers[static_cast<std::size_t>(row * all + at)]);
        }
    return made;
}

}  // namespace

std::vector<TheirTensor> with_fused_apart(std::span<const TheirTensor> theirs, std::span<const Site> places,
                                          std::span<const std::vector<float>> numbers) {
    constexpr std::array<std::string_view, 3> parts{"queries", "keys", "values"};
    std::vector<TheirTensor> all;
    for (const TheirTensor& each : theirs) {
        const Named name = named(each.name);
        const bool fused = says(name, "c attn|qkv|qkv proj|query key value|in proj|wqkv|w qkv|fused");
        const auto found = fused && name.layer ? projected(places, *name.layer) : std::nullopt;
        const std::int64_t rows = found ? places[(*found)[0]].rows : 0;
        std::int64_t sum = 0;
        for (std::size_t i = 0; found && i < parts.size(); ++i) sum += places[(*found)[i]].columns;
        if (!found || each.shape.empty() || each.shape.back() != sum || std::ssize(each.numbers) != rows * sum) {
            all.push_back(each);
            continue;
        }
        const Site& queries = places[(*found)[0]];
        const auto made = [&](std::size_t i, std::int64_t head) {
            std::int64_t first = 0;
            for (std::size_t before = 0; before < i; ++before) first += places[(*found)[before]].columns;
            const std::int64_t columns = places[(*found)[i]].columns;
            return TheirTensor{.name = each.name + " (" + std::string(parts[i]) + ")",
                               .shape = {rows, columns},
                               .numbers = taken_apart(each, rows, sum, first, columns, head),
                               .tolerance = each.tolerance,
                               .fused = true};
        };
        const auto apart = [&](std::int64_t head) {
            return difference(made(0, head), Lie::plain, queries, numbers[(*found)[0]]);
        };
        // Head by head they can stand only where there are as many of each.
        const bool alike = queries.head_columns > 0 && std::ranges::all_of(*found, [&](std::size_t place) {
                               return places[place].columns == queries.columns;
                           });
        const std::int64_t head = alike && apart(queries.head_columns) < apart(0) ? queries.head_columns : 0;
        for (std::size_t i = 0; i < parts.size(); ++i) all.push_back(made(i, head));
    }
    return all;
}

std::string_view key(LinkedBy by) {
    constexpr std::string_view keys[] = {"name", "words", "shape", "values"};
    return keys[static_cast<std::size_t>(by)];
}

std::vector<Link> linked(std::span<const TheirTensor> theirs, std::span<const Site> places,
                         std::span<const std::vector<float>> numbers, const std::set<std::string>& besides) {
    return Linker(theirs, places, numbers, besides).link();
}

}  // namespace headcount
