// What a wrong number would be: the answers that known mistakes lead to, each calculated from the graph; and what else
// in a model a number or a shape is.
#include "core/grading/slips.hpp"

#include <algorithm>
#include <array>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/lesson/rewrite.hpp"

namespace headcount {
namespace {

struct MistakeName {
    std::string_view key, words;
};
constexpr std::array<MistakeName, 34> names{{
    {"none", "none"},
    {"all_heads", "all heads for one"},
    {"one_head", "one head for all"},
    {"width_for_head_size", "the width for the size of a head"},
    {"head_size_for_width", "the size of a head for the width"},
    {"query_for_kv_heads", "query heads for key/value heads"},
    {"kv_for_query_heads", "key/value heads for query heads"},
    {"swapped", "rows and columns exchanged"},
    {"all_layers", "all layers for one"},
    {"one_layer", "one layer for all"},
    {"no_bias", "without the biases"},
    {"tied_twice", "the tied head counted again"},
    {"no_output", "without the output head"},
    {"left_out", "a tensor left out"},
    {"twice", "a tensor counted twice"},
    {"activation", "an activation for parameters"},
    {"tokens", "times tokens or context"},
    {"gb_for_gib", "GB for GiB, or the other way round"},
    {"no_batch", "without the batch"},
    {"batch", "with the batch"},
    {"no_cached", "without the cached tokens"},
    {"only_cached", "the cached tokens alone"},
    {"total", "all experts for the active ones, or the other way round"},
    {"not_rounded_up", "not rounded up"},
    {"bytes", "numbers, bits or another format for bytes"},
    {"symbol", "another dimension"},
    {"no_factor", "without a number that it is multiplied with"},
    {"factor", "a factor too few or too many"},
    {"added", "added, not multiplied"},
    {"cut", "cut off, not rounded"},
    {"rounded", "rounded"},
    {"named", "another thing's number"},
    {"power", "off by a power of ten"},
    {"other", "no known one"},
}};
static_assert(names.size() == static_cast<std::size_t>(Mistake::other) + 1);

std::string named(Symbol symbol) {
    return std::string(info(symbol).text) + " (" + std::string(info(symbol).name) + ")";
}

void bytes(SlipList& slips) {
    const Formats& formats = slips.model.input.precision;
    const std::int64_t bits = info(formats.rest).bits;
    const std::string format = formats_text(formats);
    // Where numbers share scales, or some have other formats, how many there are does not follow.
    const auto numbers = formats.uniform() ? checked_multiply(slips.right / bits, 8) : std::nullopt;
    slips.add(Mistake::bytes, numbers,
              "how many numbers there are; in " + format + " each takes " + grouped(bits) + " bits");
    slips.add(Mistake::bytes, checked_multiply(slips.right, 8), "bits; a byte has 8 of them");
    for (const Precision other : {Precision::fp32, Precision::bf16, Precision::int8, Precision::int4})
        if (info(other).bits != bits && numbers)
            slips.add(Mistake::bytes, checked_multiply(*numbers / 8, info(other).bits),
                      "in " + std::string(info(other).key) + ", which takes " + grouped(info(other).bits) +
                          " bits a number; here it is " + format);
}

// Whether any parameter of the model has this dimension: a context has none, but where positions are learned.
bool shapes_parameters(const ModelGraph& graph, Symbol symbol) {
    return std::ranges::any_of(graph.tensors, [&](const Tensor& tensor) {
        return tensor.role == Role::parameter &&
               (uses(element_count(tensor.shape), symbol) || uses(graph.copies(tensor.block), symbol));
    });
}

// Whether a side of any matrix is made of it: the number of layers makes none.
bool makes_sides(const ModelGraph& graph, Symbol symbol) {
    return std::ranges::any_of(graph.tensors, [&](const Tensor& tensor) { return uses(tensor.shape, symbol); });
}

// Whether the dimension follows from the other: d_h = d / h from the width and the heads.
bool follows_from(const Architecture& model, Symbol symbol, Symbol other) {
    return (symbol == Symbol::head_dim && uses(head_dim_rule(model), other)) ||
           (symbol == Symbol::ffn_dim && uses(ffn_dim_rule(model), other));
}

// Another dimension in a dimension's place. Numbers of models have so much in common that this may be chance: so it is
// said as what the number is, not as what was done; and of several that are as large those come first that the right
// one follows from, since they are given beside the question, and those last that no matrix is made of.
void other_symbols(SlipList& slips) {
    const bool parameters = !slips.asked.counted.empty() && !slips.asked.bytes;
    const ModelGraph& graph = slips.model.graph;
    const auto rank_of = [&](Symbol symbol, Symbol other) {
        if (follows_from(slips.model.architecture, symbol, other)) return 0;
        return makes_sides(graph, other) ? 1 : 2;
    };
    for (const int rank : {0, 1, 2})
        for (Symbol symbol : symbols_in(slips.asked.value))
            for (const SymbolInfo& other : symbols())
                if (other.symbol != symbol && slips.number(other.symbol) && rank_of(symbol, other.symbol) == rank &&
                    (!parameters || shapes_parameters(graph, other.symbol)))
                    slips.replaced(Mistake::symbol, symbol, other.symbol,
                                   "what " + named(other.symbol) + " in place of " + named(symbol) + " would give");
}

// The bytes of a whole model for its numbers.
void bytes_of_numbers(SlipList& slips) {
    const Parameters& counts = slips.model.parameters;
    if (slips.asked.bytes || slips.asked.counted.empty()) return;
    if (slips.right != counts.total && slips.right != counts.active) return;
    for (const std::int64_t each : {2, 4})
        slips.add(Mistake::bytes, checked_multiply(slips.right, each),
                  "how many bytes they take at " + grouped(each) + " each; how many there are is asked");
}

void constant_factors(SlipList& slips) {
    for (std::int64_t factor : number_factors(slips.asked.value))
        slips.add(Mistake::no_factor, without_factor(slips.asked.value, factor),
                  "without the factor " + grouped(factor));
    // Keys and values are as many: people count one of them, and forget to double it.
    const Expr& value = slips.asked.value;
    if (value.kind() != Expr::Kind::add || !slips.asked.counted.empty()) return;
    const Result<std::int64_t> one = evaluate(value.left(), slips.model.bindings);
    if (one && *one == slips.right - *one) slips.add(Mistake::no_factor, std::optional(*one), "without the factor 2");
}

void factors(SlipList& slips) {
    for (Symbol symbol : symbols_in(slips.asked.value)) {
        slips.replaced(Mistake::factor, symbol, 1, "without " + named(symbol));
        slips.add(Mistake::factor, slips.asked.value * Expr(symbol), "with " + named(symbol) + " once too often");
    }
    const Expr& value = slips.asked.value;
    if (value.kind() == Expr::Kind::multiply)
        slips.add(Mistake::added, value.left() + value.right(),
                  in_symbols(value.left()) + " + " + in_symbols(value.right()) + ": added, not multiplied");
    // How often it is, would say what is right.
    slips.add(Mistake::factor, checked_multiply(slips.right, 2), "too large by a factor");
    if (slips.right % 2 == 0) slips.add(Mistake::factor, std::optional(slips.right / 2), "too small by a factor");
    if (!slips.asked.counted.empty() && !slips.asked.bytes)
        for (std::int64_t times : {3, 4})
            slips.add(Mistake::factor, checked_multiply(slips.right, times), "too large by a factor");
    std::int64_t tens = 10;
    for (int i = 0; i < 9; ++i, tens *= 10) {
        slips.add(Mistake::power, checked_multiply(slips.right, tens),
                  grouped(tens) + " times too many: count the zeros");
        if (slips.right % tens == 0)
            slips.add(Mistake::power, std::optional(slips.right / tens),
                      grouped(tens) + " times too few: count the zeros");
    }
}

}  // namespace

std::string_view mistake_key(Mistake mistake) { return names[static_cast<std::size_t>(mistake)].key; }

std::string_view mistake_words(Mistake mistake) { return names[static_cast<std::size_t>(mistake)].words; }

std::vector<Slip> number_slips(const CountedModel& model, const AskedNumber& asked) {
    SlipList slips(model, asked);
    add_dimension_slips(slips);
    if (!asked.counted.empty()) add_parameter_slips(slips);
    if (asked.bytes) bytes(slips);
    bytes_of_numbers(slips);
    constant_factors(slips);
    factors(slips);
    other_symbols(slips);  // last: another dimension often happens to be as large
    return slips.take();
}

std::string number_named(const CountedModel& model, std::int64_t number, bool parameters) {
    const Parameters& counts = model.parameters;
    const ModelGraph& graph = model.graph;
    const std::string name = model.architecture.name;
    if (is_chance(number)) return "";
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
        if (sum == number && number > 0) return "the parameters of one of these: " + words_of(block);
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

std::string shape_named(const CountedModel& model, std::int64_t rows, std::int64_t columns, std::string_view except) {
    const Tensor* asked = model.graph.find(except);
    const bool parameter = asked && asked->role == Role::parameter;
    std::string found;
    if (is_chance(rows) && is_chance(columns)) return found;
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
