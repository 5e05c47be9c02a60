// Building and evaluating expressions over named dimensions. Printing and parsing are in expr_text.cpp.
#include "core/base/expr.hpp"

#include <algorithm>
#include <cassert>

#include "core/base/checked.hpp"

namespace headcount {
namespace {

constexpr std::array<SymbolInfo, symbol_count> symbol_table{{
    {Symbol::dim, "d", "dim", "width"},
    {Symbol::layers, "L", "layers", "layers"},
    {Symbol::heads, "h", "heads", "heads"},
    {Symbol::kv_heads, "h_kv", "kv_heads", "key/value heads"},
    {Symbol::head_dim, "d_h", "head_dim", "head size"},
    {Symbol::ffn_dim, "d_ff", "ffn_dim", "feed-forward width"},
    {Symbol::vocab, "V", "vocab", "vocabulary"},
    {Symbol::context, "C", "context", "context"},
    {Symbol::tokens, "T", "tokens", "tokens"},
    {Symbol::batch, "B", "batch", "batch"},
    {Symbol::cached, "P", "cached", "cached tokens"},
    {Symbol::window, "W", "window", "attention window"},
    {Symbol::experts, "E", "experts", "experts"},
    {Symbol::experts_per_token, "k", "experts_per_token", "experts per token"},
    {Symbol::expert_dim, "d_e", "expert_dim", "expert width"},
    {Symbol::shared_experts, "n_s", "shared_experts", "shared experts"},
    {Symbol::shared_dim, "d_se", "shared_dim", "shared expert width"},
    {Symbol::query_rank, "r_q", "query_rank", "query rank"},
    {Symbol::kv_rank, "r_kv", "kv_rank", "key/value rank"},
    {Symbol::rope_dim, "d_r", "rope_dim", "rotated columns"},
    {Symbol::nope_dim, "d_n", "nope_dim", "unrotated columns"},
    {Symbol::value_dim, "d_v", "value_dim", "value size"},
    {Symbol::embedding_dim, "d_emb", "embedding_dim", "embedding width"},
    {Symbol::token_types, "n_t", "token_types", "token types"},
    {Symbol::state_dim, "N", "state_dim", "state size"},
    {Symbol::state_heads, "h_s", "state_heads", "state heads"},
    {Symbol::state_groups, "g_s", "state_groups", "state groups"},
    {Symbol::state_head_dim, "d_s", "state_head_dim", "state head size"},
    {Symbol::conv_kernel, "K", "conv_kernel", "convolution kernel"},
    {Symbol::step_rank, "r_s", "step_rank", "step rank"},
    {Symbol::source, "S", "source", "source tokens"},
    {Symbol::encoder_layers, "L_enc", "encoder_layers", "encoder layers"},
    {Symbol::relative_buckets, "n_b", "relative_buckets", "distance buckets"},
    {Symbol::full_head_dim, "d_g", "full_head_dim", "full head size"},
    {Symbol::full_kv_heads, "h_kg", "full_kv_heads", "full key/value heads"},
    {Symbol::layer_embedding_dim, "p", "layer_embedding_dim", "layer embedding width"},
    {Symbol::layer_embedding_vocab, "V_p", "layer_embedding_vocab", "layer vocabulary"},
    {Symbol::index_heads, "h_x", "index_heads", "index heads"},
    {Symbol::index_dim, "d_x", "index_dim", "index head size"},
    {Symbol::index_chosen, "k_x", "index_chosen", "keys chosen"},
    {Symbol::encoder_ffn_dim, "f_enc", "encoder_ffn_dim", "encoder's feed-forward width"},
    {Symbol::encoder_vocab, "V_enc", "encoder_vocab", "encoder's vocabulary"},
    {Symbol::transform_dim, "d_t", "transform_dim", "transform width"},
    {Symbol::image_height, "H", "image_height", "image height"},
    {Symbol::image_width, "W_x", "image_width", "image width"},
    {Symbol::patch, "P_x", "patch", "patch size"},
    {Symbol::channels, "c", "channels", "channels"},
    {Symbol::class_tokens, "n_c", "class_tokens", "class tokens"},
    {Symbol::registers, "n_r", "registers", "registers"},
    {Symbol::classes, "n_y", "classes", "classes"},
    {Symbol::classifier_dim, "d_y", "classifier_dim", "classifier's width"},
    {Symbol::encoder_context, "C_enc", "encoder_context", "encoder's context"},
    {Symbol::stream_copies, "n_x", "stream_copies", "copies of the stream"},
    {Symbol::laurel_rank, "r_l", "laurel_rank", "LAuReL rank"},
    {Symbol::experts_read, "E_r", "experts_read", "thousandths of experts read"},
    {Symbol::devices_reached, "D_r", "devices_reached", "thousandths of devices reached"},
    {Symbol::blend_rank, "r_b", "blend_rank", "blend rank"},
    {Symbol::write_rank, "r_a", "write_rank", "write rank"},
    {Symbol::value_rank, "r_v", "value_rank", "value rank"},
    {Symbol::gate_rank, "r_g", "gate_rank", "gate rank"},
}};

static_assert(in_order(symbol_table, &SymbolInfo::symbol), "info() looks symbols up by their place in the table");

bool is_integer(const Expr& expr, std::int64_t value) {
    return expr.kind() == Expr::Kind::integer && expr.integer() == value;
}

// Of any kind but integer and symbol.
std::optional<std::int64_t> apply(Expr::Kind kind, std::int64_t a, std::int64_t b) {
    if (kind == Expr::Kind::add) return checked_add(a, b);
    if (kind == Expr::Kind::subtract) return checked_subtract(a, b);
    if (kind == Expr::Kind::multiply) return checked_multiply(a, b);
    if (kind == Expr::Kind::divide || kind == Expr::Kind::floor)
        return b > 0 && a >= 0 ? std::optional(a / b) : std::nullopt;
    if (kind == Expr::Kind::ceil_to) return checked_ceil_to(a, b);
    return kind == Expr::Kind::min ? std::min(a, b) : std::max(a, b);
}

// The value, without the price of building an error; nothing where some part has none.
std::optional<std::int64_t> try_evaluate(const Expr& expr, const Bindings& bindings) {
    if (expr.kind() == Expr::Kind::integer) return expr.integer();
    if (expr.kind() == Expr::Kind::symbol) return bindings[expr.symbol()];
    std::optional<std::int64_t> a = try_evaluate(expr.left(), bindings);
    std::optional<std::int64_t> b = try_evaluate(expr.right(), bindings);
    return a && b ? apply(expr.kind(), *a, *b) : std::nullopt;
}

// Called only where the value does not exist: finds the innermost part that has none and says why.
Error explain(const Expr& expr, const Bindings& bindings) {
    if (expr.kind() == Expr::Kind::symbol) {
        const SymbolInfo& symbol = info(expr.symbol());
        return {std::string(symbol.text) + " has no value here", std::string(symbol.key),
                "give " + std::string(symbol.name)};
    }
    for (const Expr* side : {&expr.left(), &expr.right()})
        if (!try_evaluate(*side, bindings)) return explain(*side, bindings);
    std::string formula = in_symbols(expr) + " = " + in_numbers(expr, bindings);
    const bool by_zero =
        expr.kind() == Expr::Kind::divide || expr.kind() == Expr::Kind::floor || expr.kind() == Expr::Kind::ceil_to;
    if (by_zero && try_evaluate(expr.right(), bindings).value_or(0) <= 0)
        return {formula + " divides by a number that is not positive", in_symbols(expr.right()), "make it at least 1"};
    return {formula + " does not fit in 64 bits", in_symbols(expr), "make one of its factors smaller"};
}

}  // namespace

const SymbolInfo& info(Symbol symbol) { return symbol_table[static_cast<std::size_t>(symbol)]; }
std::span<const SymbolInfo, symbol_count> symbols() { return symbol_table; }

// Of the whole expression: what has another one is another.
std::uint64_t Expr::hash(const Expr& expr) {
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
    return (static_cast<std::uint64_t>(expr.integer_) + static_cast<std::uint64_t>(expr.kind_) + 1) * spread;
}

Expr::Expr(Kind kind, Expr left, Expr right)
    : kind_(kind),
      integer_(static_cast<std::int64_t>(hash(left) * 31 + hash(right))),
      operands_(std::make_shared<const Operands>(Operands{std::move(left), std::move(right)})) {
    assert(kind != Kind::integer && kind != Kind::symbol);
}

const Expr& Expr::left() const { return operands_->left; }
const Expr& Expr::right() const { return operands_->right; }

bool Expr::operator==(const Expr& other) const {
    if (kind_ != other.kind_ || integer_ != other.integer_) return false;
    if (operands_ == other.operands_) return true;
    return operands_ && other.operands_ && left() == other.left() && right() == other.right();
}

Expr operator+(Expr a, Expr b) {
    if (is_integer(a, 0)) return b;
    if (is_integer(b, 0)) return a;
    return {Expr::Kind::add, std::move(a), std::move(b)};
}

Expr operator-(Expr a, Expr b) {
    if (is_integer(b, 0)) return a;
    return {Expr::Kind::subtract, std::move(a), std::move(b)};
}

Expr operator*(Expr a, Expr b) {
    if (is_integer(a, 1)) return b;
    if (is_integer(b, 1)) return a;
    return {Expr::Kind::multiply, std::move(a), std::move(b)};
}

Expr operator/(Expr a, Expr b) {
    if (is_integer(b, 1)) return a;
    return {Expr::Kind::divide, std::move(a), std::move(b)};
}

Expr floor_of(Expr a, Expr b) {
    if (is_integer(b, 1)) return a;
    return {Expr::Kind::floor, std::move(a), std::move(b)};
}

Expr ceil_to(Expr x, Expr multiple) { return {Expr::Kind::ceil_to, std::move(x), std::move(multiple)}; }
Expr min(Expr a, Expr b) { return {Expr::Kind::min, std::move(a), std::move(b)}; }
Expr max(Expr a, Expr b) { return {Expr::Kind::max, std::move(a), std::move(b)}; }

Expr sum_of(std::span<const Expr> terms) {
    std::vector<std::pair<Expr, std::int64_t>> collected;
    for (const Expr& term : terms) {
        const auto same = std::ranges::find(collected, term, &std::pair<Expr, std::int64_t>::first);
        if (same == collected.end())
            collected.emplace_back(term, 1);
        else
            ++same->second;
    }
    Expr sum;
    for (auto& [term, times] : collected) sum = std::move(sum) + Expr(times) * std::move(term);
    return sum;
}

bool uses(const Expr& expr, Symbol symbol) {
    if (expr.kind() == Expr::Kind::integer) return false;
    if (expr.kind() == Expr::Kind::symbol) return expr.symbol() == symbol;
    return uses(expr.left(), symbol) || uses(expr.right(), symbol);
}

Expr replaced(const Expr& expr, Symbol symbol, const Expr& with) {
    if (!uses(expr, symbol)) return expr;
    if (expr.kind() == Expr::Kind::symbol) return with;
    const Expr left = replaced(expr.left(), symbol, with), right = replaced(expr.right(), symbol, with);
    switch (expr.kind()) {
        case Expr::Kind::add: return left + right;
        case Expr::Kind::multiply: return left * right;
        default: return Expr(expr.kind(), left, right);
    }
}

Expr worked_out(const Expr& expr, const Bindings& known) {
    if (expr.kind() == Expr::Kind::integer) return expr;
    if (expr.kind() == Expr::Kind::symbol) {
        const std::optional<std::int64_t> value = known[expr.symbol()];
        return value ? Expr(*value) : expr;
    }
    Expr left = worked_out(expr.left(), known), right = worked_out(expr.right(), known);
    if (left.kind() == Expr::Kind::integer && right.kind() == Expr::Kind::integer)
        if (const auto value = apply(expr.kind(), left.integer(), right.integer())) return *value;
    if (expr.kind() == Expr::Kind::add) return std::move(left) + std::move(right);
    if (expr.kind() == Expr::Kind::multiply) return std::move(left) * std::move(right);
    return {expr.kind(), std::move(left), std::move(right)};
}

Result<std::int64_t> evaluate(const Expr& expr, const Bindings& bindings) {
    if (std::optional<std::int64_t> value = try_evaluate(expr, bindings)) return *value;
    return explain(expr, bindings);
}

}  // namespace headcount
