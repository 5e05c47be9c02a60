// A small immutable expression over named dimensions: why no shape in this program is a bare pair of integers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

enum class Symbol : std::uint8_t {
    dim,                    // d: width of the residual stream
    layers,                 // L
    heads,                  // h: query heads
    kv_heads,               // h_kv: key and value heads
    head_dim,               // d_h: columns of one head
    ffn_dim,                // d_ff: width of the feed-forward
    vocab,                  // V
    context,                // C: the longest sequence
    tokens,                 // T: tokens of this pass
    batch,                  // B: sequences side by side
    cached,                 // P: tokens already in the key/value cache
    window,                 // W: how many tokens, itself included, a token sees where attention slides
    experts,                // E: of a mixture
    experts_per_token,      // k: to how many of them a token is sent
    expert_dim,             // d_e: width of one expert
    shared_experts,         // n_s: experts that every token passes
    shared_dim,             // d_se: width of one of those
    query_rank,             // r_q: latent attention's bottleneck before the queries
    kv_rank,                // r_kv: ... and before keys and values
    rope_dim,               // d_r: columns of a head that are turned by position
    nope_dim,               // d_n: latent attention's columns of a head that are not
    value_dim,              // d_v: latent attention's columns of a head's value
    embedding_dim,          // d_emb: width of the embedding where it is not the residual stream's
    token_types,            // n_t: segments that a token can be of, each with a row of its own
    state_dim,              // N: rows of a head's state, the columns of its keys
    state_heads,            // h_s: heads that each have a state of fixed size
    state_groups,           // g_s: sets of queries and keys that these heads share
    state_head_dim,         // d_s: columns of a head's state, and of its values
    conv_kernel,            // K: tokens that a convolution sees, itself included
    step_rank,              // r_s: Mamba's bottleneck before how far states fade
    source,                 // S: tokens that an encoder reads beside the decoder's
    encoder_layers,         // L_enc: of an encoder beside a decoder
    relative_buckets,       // n_b: ranges of distances between tokens, each with a number a head
    full_head_dim,          // d_g: columns of one head in layers without a window, where they have others
    full_kv_heads,          // h_kg: key and value heads there
    layer_embedding_dim,    // p: numbers that each layer has of a token by itself
    layer_embedding_vocab,  // V_p: tokens that have such numbers
    index_heads,            // h_x: heads of what chooses the keys that a token looks at
    index_dim,              // d_x: columns of one of those
    index_chosen,           // k_x: how many keys they choose for each token
    encoder_ffn_dim,        // f_enc: width of an encoder's feed-forward where it is not the decoder's
    encoder_vocab,          // V_enc: tokens of an encoder's own embedding
    transform_dim,          // d_t: columns before a masked head's scores
    image_height,           // H: rows of an image's pixels
    image_width,            // W_x: its columns
    patch,                  // P_x: rows and columns of a patch
    channels,               // c: numbers of a pixel, or of a moment of sound
    class_tokens,           // n_c: rows before those of patches, trained, each with a position
    registers,              // n_r: the same without one
    classes,                // n_y: what a classifier tells apart
    classifier_dim,         // d_y: of the matrix before a classifier
    encoder_context,        // C_enc: positions of an encoder beside a decoder, where it has its own
    stream_copies,          // n_x: copies of the residual stream side by side
    laurel_rank,            // r_l: the bottleneck of what is added beside attention
    experts_read,           // E_r: of a mixture, that this pass is expected to send some token to, in thousandths
    devices_reached,        // D_r: that hold other experts, and to which a token is expected to be sent, in thousandths
    blend_rank,             // r_b: RWKV-6's bottlenecks before how much of a token its blends have
    write_rank,             // r_a: RWKV-7's before how much of what a key had is taken away
    value_rank,             // r_v: before how much the first layer's values count
    gate_rank,              // r_g: and before the gate
};
inline constexpr std::size_t symbol_count = 60;

struct SymbolInfo {
    Symbol symbol;
    std::string_view text;  // "d_ff": an underscore starts a subscript
    std::string_view key;   // "ffn_dim": the name in files, flags and code
    std::string_view name;  // "feed-forward width": the name in the interface
};
const SymbolInfo& info(Symbol symbol);
std::span<const SymbolInfo, symbol_count> symbols();

// What each symbol stands for. A symbol without a value makes evaluation an error, never a zero.
class Bindings {
  public:
    void set(Symbol symbol, std::optional<std::int64_t> value) { values_[static_cast<std::size_t>(symbol)] = value; }
    std::optional<std::int64_t> operator[](Symbol symbol) const { return values_[static_cast<std::size_t>(symbol)]; }
    bool operator==(const Bindings&) const = default;

  private:
    std::array<std::optional<std::int64_t>, symbol_count> values_;
};

class Expr {
  public:
    enum class Kind : std::uint8_t { integer, symbol, add, subtract, multiply, divide, floor, ceil_to, min, max };

    Expr(std::int64_t integer = 0) : kind_(Kind::integer), integer_(integer) {}
    Expr(Symbol symbol) : kind_(Kind::symbol), integer_(static_cast<std::int64_t>(symbol)) {}
    Expr(Kind kind, Expr left, Expr right);  // any kind but integer and symbol

    Kind kind() const { return kind_; }
    bool is_leaf() const { return kind_ == Kind::integer || kind_ == Kind::symbol; }  // it has no operands
    std::int64_t integer() const { return integer_; }                                 // of an integer
    Symbol symbol() const { return static_cast<Symbol>(integer_); }                   // of a symbol
    const Expr& left() const;                                                         // of the other kinds
    const Expr& right() const;

    bool operator==(const Expr& other) const;

  private:
    struct Operands;
    static std::uint64_t hash(const Expr& expr);
    Kind kind_;
    std::int64_t integer_ = 0;  // the number, or which symbol; of other kinds the hash of the operands
    std::shared_ptr<const Operands> operands_;
};

struct Expr::Operands {
    Expr left, right;
};

// Arithmetic leaves out what changes nothing (1·x, 0 + x), so that formulas read as people write them.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);  // of whole numbers, rounded down
// The same where it need not come out even, which the formula then says: ⌊a/b⌋.
Expr floor_of(Expr a, Expr b);
Expr ceil_to(Expr x, Expr multiple);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);

// The sum of `terms` with like terms collected: d·d_ff + d·d_ff + d gives 2·d·d_ff + d, in order of first appearance.
Expr sum_of(std::span<const Expr> terms);

// Whether the symbol stands anywhere in it.
bool uses(const Expr& expr, Symbol symbol);

// The expression with another one in the symbol's place.
Expr replaced(const Expr& expr, Symbol symbol, const Expr& with);

// The expression with the values that are known put in, and worked out as far as they go: it has the same value, or
// none, with every value of the others.
Expr worked_out(const Expr& expr, const Bindings& known);

// The value, or an error that names the product (or sum) that does not fit in 64 bits, in symbols and numbers.
Result<std::int64_t> evaluate(const Expr& expr, const Bindings& bindings);

// A formula cut into the pieces that can be pointed at; joined they are the printed formula.
struct FormulaPiece {
    std::string text;
    std::optional<Symbol> symbol;  // the dimension that this piece is, if it is one

    bool operator==(const FormulaPiece&) const = default;
};
std::vector<FormulaPiece> pieces_in_symbols(const Expr& expr);                            // h·d_h
std::vector<FormulaPiece> pieces_in_numbers(const Expr& expr, const Bindings& bindings);  // 32·128
std::string in_symbols(const Expr& expr);
std::string in_numbers(const Expr& expr, const Bindings& bindings);

// Reads "ceil_to(2*4*d/3, 256)", "h·d_h", "min(T, C)", "⌊H/P_x⌋": symbols by text (d_ff) or key (ffn_dim). Errors say
// at which character and what was expected there. Nesting and length are bounded, so that any text is safe to read.
Result<Expr> parse_expr(std::string_view text);

}  // namespace headcount
