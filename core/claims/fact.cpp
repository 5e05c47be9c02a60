// What the graph says in words.
#include <algorithm>
#include <array>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/claims/check.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

constexpr std::int64_t negligible_part = 1000;  // less than a thousandth of all parameters

// Whether earlier tokens see later ones is in the softmax: one that masks lets none.
Result<Fact> kind(const FactQuestion&, const CountedModel& model, std::span<const Preset>) {
    if (model.architecture.encoder)
        return Fact{"encoder-decoder", "the decoder's tokens look at what the encoder made of another text"};
    std::int64_t masked = 0, scores = 0;
    for (const Node& node : model.graph.nodes) {
        scores += node.op == Op::scores ? 1 : 0;
        masked += node.op == Op::masked_softmax &&
                          (node.rule<Mask>().kind == Mask::Kind::cross || !node.rule<Mask>().sees_later())
                      ? 1
                      : 0;
    }
    const bool decoder = masked == scores;
    return Fact{decoder ? "decoder-only" : "encoder-only",
                scores == 0 ? "what a layer remembers is written token by token, so that none sees later ones"
                : decoder   ? "in every layer what a token sees of later tokens is masked"
                            : "tokens see later ones"};
}

Result<Fact> timestep(const FactQuestion& question, const CountedModel& model, std::span<const Preset>) {
    const Tensor* tensor = model.graph.find(question.of);
    if (!tensor)
        return Error{model.architecture.name + " has no " + quote(question.of), "of",
                     "\"headcount shapes\" lists the ids"};
    const std::span<const Expr> sides = tensor->shape.dimensions();
    const bool rows = sides.size() > 1 && uses(sides[0], Symbol::tokens);
    const bool columns = uses(sides.back(), Symbol::tokens);
    return Fact{rows      ? "each row"
                : columns ? "each column"
                          : "neither",
                question.of + " is " + shape_in_symbols(tensor->shape) + " = " +
                    shape_in_numbers(tensor->shape, model.bindings)};
}

Result<Fact> enters(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets) {
    const Result<Expr> symbol = parse_expr(question.by);
    if (!symbol || symbol->kind() != Expr::Kind::symbol)
        return Error{quote(question.by) + " is not a symbol", "by", "write C, d, L or another"};
    const Result<Resolved> counted = resolve(question.of, model, presets);
    if (!counted) return within("of", counted.error());
    const bool inside = uses(counted->value, symbol->symbol());
    return Fact{
        inside ? "enters" : "does not enter",
        std::string(info(symbol->symbol()).text) + (inside ? " is in " : " is not in ") + in_symbols(counted->value)};
}

// "4096 x 4096", rows in and columns out.
Result<std::array<std::int64_t, 2>> sides_of(const std::string& text, const CountedModel& model) {
    const std::size_t cross = text.find(" x ");
    if (cross == std::string::npos) return Error{quote(text) + " is not a shape", "by", "write it as \"4096 x 4096\""};
    std::array<std::int64_t, 2> sides{};
    for (std::size_t i = 0; i < 2; ++i) {
        const Result<Expr> side = parse_expr(i == 0 ? text.substr(0, cross) : text.substr(cross + 3));
        if (!side) return within("by", side.error());
        const Result<std::int64_t> value = evaluate(*side, model.bindings);
        if (!value) return within("by", value.error());
        sides[i] = *value;
    }
    return sides;
}

Result<Fact> linear_shape(const FactQuestion& question, const CountedModel& model, std::span<const Preset>) {
    const ModelGraph& graph = model.graph;
    const Block* block = question.of.empty() ? nullptr : graph.find_block(question.of);
    if (!block)
        return Error{model.architecture.name + " has no block " + quote(question.of), "of",
                     "give one such as layer.feed_forward"};
    const auto sides = sides_of(question.by, model);
    if (!sides) return sides.error();
    const auto outer = static_cast<BlockIndex>(block - graph.blocks.data());
    std::int64_t all = 0, alike = 0;
    std::string others;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::linear || node.parameters.empty() || !graph.inside(node.block, outer)) continue;
        const Tensor& weight = graph.tensors[node.parameters.front()];
        const auto rows = evaluate(weight.shape[0], model.bindings);
        const auto columns = evaluate(weight.shape[weight.shape.rank() - 1], model.bindings);
        ++all;
        if (rows && columns && *rows == (*sides)[0] && *columns == (*sides)[1])
            ++alike;
        else
            others += (others.empty() ? "; not " : ", ") + weight.id + " (" +
                      shape_in_numbers(weight.shape, model.bindings) + ")";
    }
    return Fact{alike == 0     ? "none"
                : alike == all ? "every one"
                               : "some",
                grouped(alike) + " of " + grouped(all) + " are " + question.by + others};
}

// Whether `name` is a part of a dotted path: inv_freq of model.layers.{i}.self_attn.rotary_emb.inv_freq.
bool names(std::string_view path, std::string_view name) {
    for (std::size_t at = path.find(name); at != std::string_view::npos; at = path.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || path[at - 1] == '.') && (end == path.size() || path[end] == '.')) return true;
    }
    return false;
}

Result<Fact> parameter(const FactQuestion& question, const CountedModel& model, std::span<const Preset>) {
    for (const StoredTensor& tensor : model.graph.stored)
        if (names(tensor.name, question.of)) return Fact{"is a parameter", tensor.name};
    for (const Tensor& tensor : model.graph.tensors)
        if (tensor.role == Role::parameter && names(tensor.id, question.of)) return Fact{"is a parameter", tensor.id};
    return Fact{"is not a parameter", "none of the " + grouped(static_cast<std::int64_t>(model.graph.stored.size())) +
                                          " kinds of tensors that are trained has this name"};
}

Result<Fact> share(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets) {
    const Result<Resolved> counted = resolve(question.of, model, presets);
    if (!counted) return within("of", counted.error());
    const Result<std::int64_t> part = evaluate(counted->value, model.bindings);
    if (!part) return within("of", part.error());
    return Fact{
        *part < model.parameters.total / negligible_part ? "negligible" : "not negligible",
        grouped(*part) + " of " + grouped(model.parameters.total) + ", " + percent(*part, model.parameters.total)};
}

constexpr std::array<FactInfo, 6> fact_table{
    {{"kind", "", "", {"decoder-only", "encoder-only", "encoder-decoder"}, kind},
     {"timestep", "a tensor's id", "", {"each row", "each column", "neither"}, timestep},
     {"enters", "what is counted", "a symbol", {"enters", "does not enter"}, enters},
     {"linear_shape", "a block's id", "a shape", {"every one", "some", "none"}, linear_shape},
     {"parameter", "a name", "", {"is a parameter", "is not a parameter"}, parameter},
     {"share", "what is counted", "", {"negligible", "not negligible"}, share}}};

}  // namespace

std::span<const FactInfo> facts() { return fact_table; }

const FactInfo* find_fact(std::string_view fact) {
    const auto* found = std::ranges::find_if(fact_table, [&](const FactInfo& each) { return each.fact == fact; });
    return found == fact_table.end() ? nullptr : found;
}

Result<Fact> answer_fact(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets) {
    if (const FactInfo* const info = find_fact(question.fact)) return info->answer(question, model, presets);
    return Error{"there is no fact " + quote(question.fact), "fact", "use one of those that docs/formats.md lists"};
}

}  // namespace headcount
