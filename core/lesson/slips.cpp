// What a wrong number would be: the answers that known mistakes lead to, each calculated from the graph.
#include "core/lesson/slips.hpp"

#include <algorithm>
#include <array>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 33> keys{"none",
                                                "all_heads",
                                                "one_head",
                                                "width_for_head_size",
                                                "head_size_for_width",
                                                "query_for_kv_heads",
                                                "kv_for_query_heads",
                                                "swapped",
                                                "all_layers",
                                                "one_layer",
                                                "no_bias",
                                                "tied_twice",
                                                "no_output",
                                                "left_out",
                                                "twice",
                                                "activation",
                                                "tokens",
                                                "gb_for_gib",
                                                "no_batch",
                                                "batch",
                                                "no_cached",
                                                "only_cached",
                                                "total",
                                                "not_rounded_up",
                                                "bytes",
                                                "symbol",
                                                "factor",
                                                "added",
                                                "cut",
                                                "rounded",
                                                "named",
                                                "power",
                                                "other"};
static_assert(keys.size() == static_cast<std::size_t>(Mistake::other) + 1);

std::string named(Symbol symbol) {
    return std::string(info(symbol).text) + " (" + std::string(info(symbol).name) + ")";
}

class Slips {
  public:
    Slips(const LessonModel& model, const AskedNumber& asked)
        : model_(model), numbers_(model.bindings), asked_(asked), right_(*evaluate(asked.value, model.bindings)) {}

    std::vector<Slip> all() {
        heads();
        layers();
        head_size();
        cached();
        batch();
        experts();
        rounding_up();
        if (!asked_.counted.empty()) {
            parts();
            tokens();
        }
        if (asked_.bytes) bytes();
        symbols();
        factors();
        return std::move(found_);
    }

  private:
    std::optional<std::int64_t> number(Symbol symbol) const { return numbers_[symbol]; }
    bool has(Symbol symbol) const { return uses(asked_.value, symbol); }
    std::string plural(Symbol symbol, std::string_view one) const {
        return std::to_string(number(symbol).value_or(0)) + " " + std::string(one);
    }

    void add(Mistake mistake, std::optional<std::int64_t> value, std::string text) {
        if (!value || *value == right_ || *value <= 0) return;
        if (std::any_of(found_.begin(), found_.end(), [&](const Slip& slip) { return slip.value == *value; })) return;
        found_.push_back({mistake, *value, std::move(text)});
    }
    void add(Mistake mistake, const Expr& value, std::string text) {
        const Result<std::int64_t> number = evaluate(value, numbers_);
        if (number) add(mistake, std::optional(*number), std::move(text));
    }
    void times(Mistake mistake, Symbol symbol, std::string text) {
        if (number(symbol).value_or(1) > 1) add(mistake, asked_.value * Expr(symbol), std::move(text));
    }
    void replaced(Mistake mistake, Symbol symbol, const Expr& by, std::string text) {
        if (has(symbol)) add(mistake, substituted(asked_.value, symbol, by), std::move(text));
    }

    void heads() {
        const bool kv = has(Symbol::kv_heads);
        replaced(Mistake::query_for_kv_heads, Symbol::kv_heads, Symbol::heads,
                 "with the " + plural(Symbol::heads, "query heads") +
                     " (h) where keys and values have their own number, h_kv");
        if (!kv)
            replaced(
                Mistake::kv_for_query_heads, Symbol::heads, Symbol::kv_heads,
                "with the " + plural(Symbol::kv_heads, "key/value heads") + " (h_kv) where the query heads, h, count");
        if (has(Symbol::heads))
            replaced(Mistake::one_head, Symbol::heads, 1,
                     "one head alone; all " + plural(Symbol::heads, "heads") + " together are asked about");
        else if (!kv && (asked_.counted.empty() || has(Symbol::head_dim)))
            times(Mistake::all_heads, Symbol::heads,
                  "all " + plural(Symbol::heads, "heads") + " together; one head is asked about");
        if (kv)
            replaced(Mistake::one_head, Symbol::kv_heads, 1,
                     "one key/value head alone; all " + plural(Symbol::kv_heads, "of them") + " are asked about");
        else if (has(Symbol::head_dim) && !has(Symbol::heads))
            times(Mistake::all_heads, Symbol::kv_heads,
                  "all " + plural(Symbol::kv_heads, "key/value heads") + " together; one head is asked about");
    }

    void layers() {
        if (has(Symbol::layers))
            replaced(Mistake::one_layer, Symbol::layers, 1,
                     "one layer where all " + plural(Symbol::layers, "layers") + " are asked about");
        else
            times(Mistake::all_layers, Symbol::layers,
                  "all " + plural(Symbol::layers, "layers") + " together; one is asked about");
    }

    void head_size() {
        replaced(Mistake::width_for_head_size, Symbol::head_dim, Symbol::dim,
                 "with the width d where the size of one head, d_h, belongs");
        replaced(Mistake::head_size_for_width, Symbol::dim, Symbol::head_dim,
                 "with the size of one head, d_h, where the width d belongs");
    }

    void cached() {
        if (number(Symbol::cached).value_or(0) == 0) return;
        replaced(Mistake::no_cached, Symbol::cached, 0,
                 "without the " + plural(Symbol::cached, "tokens") + " that are already in the cache (P)");
        if (has(Symbol::cached))
            replaced(Mistake::only_cached, Symbol::tokens, 0, "the cached tokens alone, without the new ones (T)");
        else
            replaced(Mistake::symbol, Symbol::tokens, Expr(Symbol::cached) + Symbol::tokens,
                     "with the cached tokens counted in; only the new ones, T, are asked about");
    }

    void batch() {
        if (has(Symbol::batch))
            replaced(Mistake::no_batch, Symbol::batch, 1,
                     "one sequence alone; the batch has B = " + plural(Symbol::batch, "of them"));
        else
            times(Mistake::batch, Symbol::batch,
                  "the whole batch of " + plural(Symbol::batch, "sequences") + "; one is asked about");
    }

    void experts() {
        if (!number(Symbol::experts)) return;
        replaced(Mistake::total, Symbol::experts, Symbol::experts_per_token,
                 "what one token passes: k of the experts; all E = " + plural(Symbol::experts, "of them") +
                     " are asked about");
        replaced(Mistake::total, Symbol::experts_per_token, Symbol::experts,
                 "all E = " + plural(Symbol::experts, "experts") + "; a token passes only k of them");
        replaced(Mistake::total, Symbol::experts, 1,
                 "one expert alone; there are E = " + plural(Symbol::experts, "of them"));
        replaced(Mistake::total, Symbol::experts_per_token, 1,
                 "one expert alone; a token passes k = " + plural(Symbol::experts_per_token, "of them"));
    }

    void rounding_up() {
        if (!rounds_up(asked_.value)) return;
        add(Mistake::not_rounded_up, without_rounding(asked_.value),
            "the width before it is rounded up to the next multiple");
        add(Mistake::not_rounded_up, Expr(4) * Symbol::dim, "4·d, the width of a feed-forward part without a gate");
    }

    std::int64_t count_of(const CountedTensor& part) const {
        return *evaluate(part.times * element_count(model_.graph.tensors[part.tensor].shape), numbers_);
    }

    // One or another tensor forgotten, or counted twice.
    void parts() {
        const ModelGraph& graph = model_.graph;
        const auto without = [&](const auto& wanted) {
            std::int64_t sum = 0;
            for (const CountedTensor& part : asked_.counted)
                if (wanted(graph.tensors[part.tensor])) sum += count_of(part);
            return sum;
        };
        const auto drop = [&](Mistake mistake, std::int64_t sum, const std::string& text) {
            const std::int64_t left = asked_.bytes ? 0 : right_ - sum;
            if (sum > 0 && left > 0) add(mistake, std::optional(left), text);
        };
        const bool alone = asked_.counted.size() == 1;
        if (alone || asked_.bytes) return;
        drop(Mistake::no_bias, without([](const Tensor& t) { return t.id.ends_with(".bias"); }), "without the biases");
        drop(Mistake::no_bias,
             without([](const Tensor& t) { return t.id.ends_with(".bias") && t.component != Component::norm; }),
             "without the biases of the linear layers");
        if (graph.tied_head && right_ == model_.parameters.total) {
            const std::int64_t table = *evaluate(element_count(graph.tensors[*graph.tied_head].shape), numbers_);
            add(Mistake::tied_twice, checked_add(right_, table),
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
        for (const CountedTensor& part : asked_.counted) {
            const Tensor& tensor = graph.tensors[part.tensor];
            const std::string what = std::string(tensor.label) + " (" + tensor.id + ")";
            drop(Mistake::left_out, count_of(part), "without " + what);
            const Result<std::int64_t> one = element_count(tensor.shape, numbers_);
            if (one) drop(Mistake::left_out, *one, "with " + what + " once too few");
            add(Mistake::twice, checked_add(right_, count_of(part)), "with " + what + " counted twice");
        }
        drop(Mistake::left_out,
             without([](const Tensor& t) { return t.component == Component::norm; }) +
                 without([](const Tensor& t) { return t.id.ends_with(".bias") && t.component != Component::norm; }),
             "without norms and biases");
    }

    // What depends on the input is no parameter.
    void tokens() {
        const std::string never = ": the number of parameters does not depend on how many tokens pass";
        times(Mistake::tokens, Symbol::tokens, "multiplied by the " + plural(Symbol::tokens, "tokens (T)") + never);
        times(Mistake::tokens, Symbol::context,
              "multiplied by the context of " + plural(Symbol::context, "tokens (C)") + never);
        for (const Tensor& tensor : model_.graph.tensors) {
            if (tensor.role != Role::activation && tensor.role != Role::cache) continue;
            const std::string what = shape_in_symbols(tensor.shape) + ", the numbers in \"" +
                                     std::string(tensor.label) +
                                     "\": an activation, made anew for every input, not a parameter";
            const Result<std::int64_t> one = element_count(tensor.shape, numbers_);
            if (!one) continue;
            add(Mistake::activation, std::optional(*one), what);
            add(Mistake::activation, checked_add(right_, *one),
                "with \"" + std::string(tensor.label) + "\" counted in: an activation, not a parameter");
        }
    }

    void bytes() {
        const std::int64_t bits = info(model_.input.precision).bits;
        const std::string format(info(model_.input.precision).key);
        const auto numbers = checked_multiply(right_ / bits, 8);
        add(Mistake::bytes, numbers,
            "how many numbers there are; in " + format + " each takes " + grouped(bits) + " bits");
        add(Mistake::bytes, checked_multiply(right_, 8), "bits; a byte has 8 of them");
        for (const PrecisionInfo& other : precisions())
            if (other.bits != bits && numbers)
                add(Mistake::bytes, checked_multiply(*numbers / 8, other.bits),
                    "in " + std::string(other.key) + ", which takes " + grouped(other.bits) +
                        " bits a number; here it is " + format);
    }

    // Another dimension in a dimension's place.
    void symbols() {
        for (Symbol symbol : symbols_in(asked_.value))
            for (const SymbolInfo& other : headcount::symbols())
                if (other.symbol != symbol && number(other.symbol))
                    replaced(Mistake::symbol, symbol, other.symbol,
                             "with " + named(other.symbol) + " where " + named(symbol) + " belongs");
    }

    void factors() {
        for (std::int64_t factor : number_factors(asked_.value))
            add(Mistake::factor, without_factor(asked_.value, factor), "without the factor " + grouped(factor));
        for (Symbol symbol : symbols_in(asked_.value)) {
            replaced(Mistake::factor, symbol, 1, "without " + named(symbol));
            add(Mistake::factor, asked_.value * Expr(symbol), "with " + named(symbol) + " once too often");
        }
        const Expr& value = asked_.value;
        if (value.kind() == Expr::Kind::multiply)
            add(Mistake::added, value.left() + value.right(),
                in_symbols(value.left()) + " + " + in_symbols(value.right()) + ": added, not multiplied");
        add(Mistake::factor, checked_multiply(right_, 2), "twice as many");
        if (right_ % 2 == 0) add(Mistake::factor, std::optional(right_ / 2), "half as many");
        if (!asked_.counted.empty() && !asked_.bytes)
            for (std::int64_t times : {3, 4})
                add(Mistake::factor, checked_multiply(right_, times), grouped(times) + " times as many");
        std::int64_t tens = 10;
        for (int i = 0; i < 9; ++i, tens *= 10) {
            add(Mistake::power, checked_multiply(right_, tens), grouped(tens) + " times too many: count the zeros");
            if (right_ % tens == 0)
                add(Mistake::power, std::optional(right_ / tens), grouped(tens) + " times too few: count the zeros");
        }
    }

    const LessonModel& model_;
    const Bindings& numbers_;
    const AskedNumber& asked_;
    std::int64_t right_;
    std::vector<Slip> found_;
};

}  // namespace

std::string_view mistake_key(Mistake mistake) {
    return keys[static_cast<std::size_t>(mistake)];
}

std::vector<Slip> number_slips(const LessonModel& model, const AskedNumber& asked) {
    return Slips(model, asked).all();
}

std::string number_named(const LessonModel& model, std::int64_t number, bool parameters) {
    const Parameters& counts = model.parameters;
    const ModelGraph& graph = model.graph;
    const std::string name = model.architecture.name;
    if (number == counts.total) return "all parameters of " + name;
    if (number == counts.active) return "the active parameters of " + name;
    if (number == counts.in_layers) return "the parameters of all layers";
    if (number == counts.per_layer) return "the parameters of one layer";
    for (Component component : components)
        if (number == counts.of(component) && number > 0)
            return "the parameters of this part: " + std::string(component_name(component));
    for (const Block& block : graph.blocks) {
        const auto outer = static_cast<BlockIndex>(&block - graph.blocks.data());
        std::optional<std::int64_t> sum = 0;
        for (const Tensor& tensor : graph.tensors) {
            if (tensor.role != Role::parameter || !graph.inside(tensor.block, outer) || !sum) continue;
            const Result<std::int64_t> count =
                evaluate(copies_within(graph, tensor.block, outer) * element_count(tensor.shape), model.bindings);
            sum = count ? checked_add(*sum, *count) : std::nullopt;
        }
        if (sum == number && number > 0) return "the parameters of one " + block.id;
    }
    for (const Tensor& tensor : graph.tensors) {
        const bool parameter = tensor.role == Role::parameter;
        const Result<std::int64_t> one = element_count(tensor.shape, model.bindings);
        const Result<std::int64_t> all =
            evaluate(graph.copies(tensor.block) * element_count(tensor.shape), model.bindings);
        const std::string what = "\"" + std::string(tensor.label) + "\" (" + shape_in_symbols(tensor.shape) + ")";
        const std::string kind = parameter || !parameters ? "" : ", an activation";
        if (one && *one == number) return "the numbers in " + what + kind;
        if (all && *all == number) return "the numbers in " + what + " of all layers" + kind;
    }
    return "";
}

std::string shape_named(const LessonModel& model, std::int64_t rows, std::int64_t columns, std::string_view except) {
    const Tensor* asked = model.graph.find(except);
    const bool parameter = asked && asked->role == Role::parameter;
    std::string found;
    for (const Tensor& tensor : model.graph.tensors) {
        if (tensor.shape.rank() != 2 || tensor.id == except) continue;
        const Result<std::int64_t> r = evaluate(tensor.shape[0], model.bindings),
                                   c = evaluate(tensor.shape[1], model.bindings);
        if (!r || !c || *r != rows || *c != columns) continue;
        const bool stored = tensor.role == Role::parameter;
        std::string what =
            "the shape of \"" + std::string(tensor.label) + "\" (" + shape_in_symbols(tensor.shape) + ")";
        if (asked && stored != parameter)
            what += stored ? ", a matrix of parameters; an activation is asked about"
                           : ", an activation; parameters are asked about";
        // What is of the same kind as the thing that was asked about comes first.
        if (found.empty()) found = what;
        if (!asked || stored == parameter) return what;
    }
    return found;
}

}  // namespace headcount
