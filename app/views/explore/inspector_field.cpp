// A field of the architecture: what it means, the value in effect and its rule, what its change did, where it occurs.
#include <algorithm>
#include <array>
#include <utility>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using Meaning = std::pair<Field, std::string_view>;
constexpr auto meanings = std::to_array<Meaning>({
    {Field::dim, "How many numbers describe a token between the layers: the width of the residual stream."},
    {Field::layers, "How many layers stand behind one another, each with its own numbers."},
    {Field::heads, "How many queries each token asks in every layer, each with its own view of the text."},
    {Field::kv_heads,
     "How many keys and values each token has. Fewer than heads: several query heads share one, and the key/value "
     "cache shrinks."},
    {Field::head_dim, "How many numbers a query, a key and a value of one head have."},
    {Field::ffn_dim, "How many features the feed-forward works with between its up and its down projection."},
    {Field::ffn_multiple_of, "The rule rounds the feed-forward width up to a multiple of this."},
    {Field::ffn_multiplier, "The rule stretches the feed-forward width by this before it rounds."},
    {Field::vocab, "How many different tokens there are: rows of the embedding, and columns of the output head."},
    {Field::context, "The longest text. It adds parameters only where positions are learned."},
    {Field::positions,
     "How the model knows where a token stands. RoPE turns queries and keys and has no parameters; learned "
     "positions are a table with one row for each; ALiBi lowers scores by distance."},
    {Field::norm, "RMSNorm rescales each row; LayerNorm also shifts it to mean 0."},
    {Field::norm_placement,
     "Before a sub-block on its input, after it on its output, on both, or on the sum with the stream."},
    {Field::norm_scale, "One trained factor for each channel of every norm."},
    {Field::norm_bias, "One trained offset for each channel of every norm."},
    {Field::norm_epsilon, "Keeps the division in a norm away from zero. No parameters."},
    {Field::gated, "A third matrix, the gate, decides how much of each feature passes."},
    {Field::activation, "The function between the matrices of the feed-forward. No parameters."},
    {Field::tied, "Whether the output head is the embedding itself, stored and counted once."},
    {Field::key_bias, "Whether keys have such offsets where queries and values do."},
    {Field::gate_bias, "Whether the gate on what heads find has such offsets where queries do."},
    {Field::classes, "How many classes a classifier tells apart: one score for each."},
    {Field::pooled, "Which rows of the last layer are made into the one that a classifier reads."},
    {Field::pooled_norm, "One more norm, of that row alone."},
    {Field::classifier_dim, "How wide a matrix makes each row before their mean is read."},
    {Field::pooling_head, "Attention of one trained query to all rows. It is stored; a classifier does not read it."},
    {Field::mask_row, "A trained row that stands, in training, for what is hidden. It is stored, and not read."},
    {Field::image_height, "How many rows of pixels an image has. It is cut into patches, each of which is a token."},
    {Field::image_width, "How many columns of pixels it has."},
    {Field::patch, "How many pixels a patch has on either side."},
    {Field::patch_stride, "How many pixels lie between one patch's beginning and the next one's."},
    {Field::image_channels, "How many numbers a pixel is: three of a coloured image."},
    {Field::patch_bias, "One trained offset for each number that is made of a patch."},
    {Field::class_tokens, "How many trained rows stand before the patches' and gather what the image shows."},
    {Field::registers, "How many trained rows without positions stand behind those."},
    {Field::sound_channels, "How many numbers a moment of sound is: one of a wave, or one for each frequency."},
    {Field::convolutions, "Which convolutions over time make rows of it."},
    {Field::convolution_bias, "One trained offset for each number that they make."},
    {Field::convolutions_padded, "Whether zeros stand around the sound, so that rows at its ends are made too."},
    {Field::convolution_norms, "Which of them a norm follows."},
    {Field::position_kernel, "How many rows are read to tell where one of them stands."},
    {Field::position_groups, "Into how many groups columns are parted for that."},
    {Field::position_layers, "How many such convolutions follow one another."},
    {Field::branch_scale, "One trained number for each column of what attention and the feed-forward add."},
    {Field::encoder_context, "How many positions the encoder's own table has."},
    {Field::qkv_bias, "One trained offset for each output of the query, key and value projections."},
    {Field::attention_output_bias, "One trained offset for each output of attention's output projection."},
    {Field::ffn_bias, "One trained offset for each output of the feed-forward's projections."},
    {Field::ffn_input_bias, "Whether the projections that read its input have those offsets too."},
    {Field::joining,
     "In turn, the feed-forward reads what attention has added to; in parallel, both read the layer's input, each "
     "through a norm of its own or both through one."},
    {Field::final_norm, "One more norm between the last layer and the output head."},
    {Field::inner_norm,
     "One more norm before attention's output projection, and before the down projection of a dense feed-forward."},
    {Field::token_types,
     "How many kinds of tokens there are, such as those of a first and of a second sentence. Each kind has a row, "
     "which "
     "is added to the token's."},
    {Field::output,
     "What stands on the last layer. Scores for the next token; scores for a hidden token, behind a matrix, an "
     "activation function and a norm; a pooler, which turns the first token's row into one for the whole text; or "
     "nothing, and the last layer's rows are what the model gives."},
    {Field::mask,
     "Which tokens a token looks at: those before it and itself, or all of them. What looks at all of them reads a "
     "text at once, writes none and keeps no cache. No parameters."},
    {Field::output_gate,
     "One more matrix, as wide as the heads, decides for each token how much passes of what they found."},
    {Field::position_offset, "Rows of the position table before the first position."},
    {Field::embedding_dim,
     "How many numbers the embedding has for a token. Where it is not the width, a matrix leads from one to the "
     "other, and another back before the output head."},
    {Field::embedding_norm, "A norm between the embedding and the first layer."},
    {Field::head_bias, "One trained offset for each score of the output head."},
    {Field::qk_norm,
     "Whether queries and keys are rescaled before they meet: each head by itself, with weights that all heads "
     "share, of its own or none, or across all heads."},
    {Field::qk_norm_bias, "One trained offset for each weight of these norms."},
    {Field::sinks, "One trained score a head that takes weight and gives no value."},
    {Field::differential,
     "Heads in pairs, whose values lie side by side: what the second half of them finds is taken from what the first "
     "half finds, so that what both look at without need falls away."},
    {Field::rotary_dim, "How many of a head's columns are turned by position. No parameters."},
    {Field::rotated_layers,
     "Which layers turn queries and keys by position. The others know no position. No parameters."},
    {Field::window, "How far back attention sees, in tokens. It bounds the key/value cache and changes no count."},
    {Field::window_chunked, "Whether windows are chunks that do not overlap, rather than sliding along."},
    {Field::window_layers, "Which layers see only their window. The others see all tokens before."},
    {Field::state_dim,
     "How many rows the state of one head has, and how many numbers its keys and queries. A layer with such a state "
     "has no attention, and nothing in it grows with the text."},
    {Field::state_heads, "How many heads such a layer has, each with a state of its own."},
    {Field::state_groups, "How many sets of keys and queries there are. Fewer than heads: several heads share one."},
    {Field::state_head_dim, "How many columns the state of one head has, and how many numbers its values."},
    {Field::conv_kernel,
     "How many tokens, itself included, each column of queries, keys and values is made from, before the state is "
     "written."},
    {Field::conv_bias, "One trained offset for each column of the convolution."},
    {Field::step_rank, "How many numbers a token's steps are made from, in all heads."},
    {Field::blend_rank, "How many numbers each blend's share of the token before is made from."},
    {Field::write_rank, "How many numbers are made into how much of what its key had each token takes away."},
    {Field::value_rank, "How many numbers are made into how much of the first layer's values each token takes."},
    {Field::gate_rank, "How many numbers the gate on what was read is made from."},
    {Field::recurrence_inner_norms,
     "Whether keys, queries and what steps are made from are rescaled first, without weights or with trained ones."},
    {Field::recurrence,
     "How a state is written. Mamba-2 lets it fade and adds what a token writes; the gated delta rule also takes away "
     "what its key had before, and Kimi's too, of which each row fades by itself. Lightning attention adds, and fades "
     "at rates that nothing trains. A convolution alone keeps the last few tokens, and no state. RG-LRU remembers each "
     "column by itself, as far as a gate says, and RWKV-4 a mean of all values, whose weights fade; RWKV-6 "
     "adds to a state each row of which fades as far as the token says, and RWKV-7 takes away what another key had."},
    {Field::recurrence_bias, "One trained offset for each output of the projections that read such a layer's input."},
    {Field::encoder_layers,
     "How many layers read the source, all of it at once. The decoder looks at what they make of it."},
    {Field::tied_layers, "Whether all layers share one set of weights. They still run one after the other."},
    {Field::relative_by_layer, "Whether each layer has numbers of its own for the distances."},
    {Field::first_norm,
     "Whether the first layer norms what its attention reads. Where a norm stands behind the embedding, it need not."},
    {Field::transform_bias, "One trained offset for each output of the matrix before the scores."},
    {Field::encoder_ffn_dim, "How many features the encoder's feed-forward works with."},
    {Field::encoder_embedding, "Whether the source's tokens have rows of their own."},
    {Field::encoder_vocab, "How many tokens those rows are for."},
    {Field::encoder_context, "How many positions of the source have a row. The decoder's may be fewer."},
    {Field::encoder_window_layers,
     "Which of the encoder's layers see only their window, to either side. The others see all of the source."},
    {Field::encoder_mixture_layers, "Which of the encoder's layers have experts in the feed-forward's place."},
    {Field::final_norm_bias, "Whether the norm behind the last layer has trained offsets where the others have."},
    {Field::transform_dim, "How many numbers of each token the scores are made from."},
    {Field::relative_buckets,
     "Into how many ranges distances between tokens are sorted. Each head has a trained number for each of them."},
    {Field::recurrence_layers, "Which layers have a state. The others have attention."},
    {Field::recurrence_output_bias, "One trained offset for each column of what such a layer makes."},
    {Field::recurrence_norm, "Whether what heads read from their states is rescaled before it is projected back."},
    {Field::recurrence_norms_first,
     "Whether layers with a state have their norms before mixer and feed-forward, wherever the others have them."},
    {Field::beside_attention,
     "Whether layers with a state have attention beside it, which reads the same. What both make is added up."},
    {Field::mixer_layers, "Which layers have attention or a state. The others are a feed-forward alone."},
    {Field::ffn_layers, "Which layers have a feed-forward. The others are their mixer alone."},
    {Field::experts, "How many feed-forwards a layer has, of which a router picks a few for each token."},
    {Field::experts_per_token, "To how many experts a token is sent. It changes the work, and no count."},
    {Field::expert_dim, "How many features one expert works with."},
    {Field::shared_experts, "Experts that every token passes, besides those that the router picks."},
    {Field::shared_dim, "How many columns lie between the matrices of such an expert."},
    {Field::shared_gate, "One more row decides, for each token, how much the shared experts count."},
    {Field::router_bias, "One trained offset for each expert's score."},
    {Field::expert_bias, "Whether experts have biases where the dense feed-forward has."},
    {Field::correction_bias,
     "One number an expert that keeps all of them busy. It is set while training, but by no gradient, and counts as "
     "no parameter."},
    {Field::full_head_dim, "How many columns a head has in layers without a window."},
    {Field::full_kv_heads, "How many key and value heads those layers have."},
    {Field::keys_are_values,
     "Whether those layers have no matrix for values and take the keys, as projected, for them."},
    {Field::borrowing_layers,
     "Which layers have no keys and values of their own, and use those of the last layer of their kind that has."},
    {Field::index_heads, "How many small heads choose which keys a token looks at."},
    {Field::index_dim, "How many columns such a head has."},
    {Field::index_chosen, "How many keys they choose for each token. It changes the work, and no count."},
    {Field::index_layers, "Which layers choose. The others take the choice of the one before."},
    {Field::ffn_doubled, "Whether the feed-forward is twice as wide in layers that borrow keys and values."},
    {Field::ffn_sparse_layers,
     "In which layers only the largest numbers of the feed-forward's gate count. It changes no count."},
    {Field::stream_copies,
     "How many copies of the residual stream there are side by side. A layer computes the first, and the others follow "
     "(AltUp)."},
    {Field::laurel_rank,
     "How wide the bottleneck is through which what a mixer reads is added to what it makes (LAuReL)."},
    {Field::layer_embedding_dim, "How many numbers each layer has of every token by itself, from a table of its own."},
    {Field::layer_embedding_vocab, "How many tokens that table has."},
    {Field::layer_scale,
     "One number a layer that multiplies what it makes. It is stored, trained by no gradient, and counts as no "
     "parameter."},
    {Field::beside_dense, "Whether experts stand beside the dense feed-forward, and not in its place."},
    {Field::mixture_norm, "One more norm of what the experts make together."},
    {Field::mixture_layers, "Which layers have experts. The others have the dense feed-forward."},
    {Field::kv_rank,
     "Latent attention makes all keys and values of a layer from a bottleneck of so many numbers a token, which is "
     "nearly all that the cache keeps."},
    {Field::query_rank, "Queries, too, may come from a bottleneck: fewer parameters, the same cache."},
    {Field::rope_dim, "How many columns of a query and a key are turned by position. Their key is one for all heads."},
    {Field::nope_dim, "How many columns of a query and a key know no position."},
    {Field::value_dim, "How many numbers a value of one head has; here it need not be the head size."},
});

std::string_view meaning_of(Field field) {
    const auto found =
        std::find_if(meanings.begin(), meanings.end(), [&](const Meaning& each) { return each.first == field; });
    return found == meanings.end() ? std::string_view() : found->second;
}

// The value in effect, in the words of the screen.
std::string value_text(const Architecture& arch, Field field) {
    const FieldInfo& known = info(field);
    const std::optional<std::int64_t> number = field_number(arch, field);
    if (known.symbol && number) return std::to_string(*number);
    const std::optional<std::string> text = field_text(arch, field);
    if (!text) return "not used";
    for (std::size_t i = 0; i < known.choices.size(); ++i)
        if (known.choices[i] == *text) return std::string(known.labels[i]);
    if (known.kind == FieldKind::flag) return *text == "true" ? "yes" : "no";
    if (field == Field::rotary_dim && number) return std::to_string(*number);
    return *text;
}

// The formula that makes the value, where it is not given.
std::optional<Expr> rule_of(const Architecture& arch, Field field) {
    std::optional<Expr> rule;
    if (field == Field::head_dim) rule = head_dim_rule(arch);
    const bool width = field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier;
    if (width) rule = ffn_dim_rule(arch);
    if (rule && rule->kind() == Expr::Kind::integer) rule.reset();
    return rule;
}

void draw_rule_lines(Inspector& to, const Expr& rule, Symbol symbol) {
    const Ui& ui = to.ui;
    Runs runs;
    append_formula(to, runs, Expr(symbol), Written::symbols);
    runs.push_back({" = "});
    append_formula(to, runs, rule, Written::symbols);
    draw_row(to, "inspector.symbols", "symbols", runs, ui.fonts.mono_body, ui.theme.text_high);
    runs.clear();
    append_formula(to, runs, rule, Written::numbers);
    draw_row(to, "inspector.numbers", "numbers", runs, ui.fonts.mono, ui.theme.text_mid);
}

void draw_value_card(Inspector& to, Field field) {
    const Architecture& arch = to.shown().architecture;
    const Card card(to.ui, "inspector.formula");
    const std::optional<Expr> rule = rule_of(arch, field);
    const std::string now = value_text(arch, field), before = value_text(to.base().architecture, field);
    if (rule) draw_rule_lines(to, *rule, field == Field::head_dim ? Symbol::head_dim : Symbol::ffn_dim);
    const bool makes = rule && (field == Field::head_dim || field == Field::ffn_dim);
    if (!makes) draw_words_row(to, "value", rule ? "a number of the rule" : "set directly");
    draw_result(to, "inspector.result", now);
    if (before == now) return;
    draw_words_row(to, origin_of(to), before);
}

// What one more of a dimension adds, all else kept: exact wherever the count is linear in it and no other follows it.
std::optional<std::int64_t> one_more(const Inspector& to, Field field) {
    // Where there are several kinds of layers, it is for the pattern to say of which kind one more would be.
    const bool alike = to.graph().layers.size() == 1;
    const bool alone = (field == Field::layers && alike) || field == Field::vocab || field == Field::context ||
                       field == Field::ffn_dim || field == Field::kv_heads || field == Field::experts ||
                       field == Field::expert_dim || field == Field::token_types || field == Field::conv_kernel;
    const std::optional<Symbol> symbol = info(field).symbol;
    if (!alone || !symbol || !to.bindings()[*symbol]) return std::nullopt;
    Bindings more = to.bindings();
    const std::optional<std::int64_t> next = checked_add(*more[*symbol], 1);
    if (!next) return std::nullopt;
    more.set(*symbol, *next);
    const Result<std::int64_t> total = evaluate(total_formula(to.graph()), more);
    return total ? std::optional(*total - to.shown().parameters.total) : std::nullopt;
}

void draw_effects(Inspector& to, Field field) {
    std::vector<FactRow> facts;
    const auto& effects = to.model.derived.effects;
    if (const auto changed = effects.find(field); changed != effects.end())
        facts.push_back({"This change adds to the total", signed_grouped(changed->second), ""});
    if (const std::optional<std::int64_t> step = one_more(to, field))
        facts.push_back({"One more would add", signed_grouped(*step), ""});
    if (facts.empty()) return;
    gap(to.ui, 8);
    draw_facts(to, "inspector.costs", {"parameters", "", facts});
}

void draw_tensors_with(Inspector& to, Field field) {
    const Ui& ui = to.ui;
    const Subject subject = field;
    for (const bool parameters : {true, false}) {
        bool first = true;
        for (const Tensor& tensor : to.graph().tensors) {
            const bool stored = tensor.role == Role::parameter || tensor.role == Role::buffer;
            if (stored != parameters || !lights(subject, tensor)) continue;
            if (first) {
                separator(ui, 12, 8);
                section_title(ui, parameters ? "Parameters with this side" : "Activations with this side");
            }
            first = false;
            const std::string shape = shape_in_numbers(tensor.shape, to.bindings());
            const bool bias = tensor.bias;
            const std::string kind = kind_text(to.graph(), tensor.block);
            const std::string_view detail = !kind.empty() ? std::string_view(kind) : bias ? "bias" : tensor.symbol;
            draw_subject_row(to, TensorSubject{tensor.id}, {swatch_of(ui.theme, tensor), tensor.label, detail, shape});
        }
    }
}

}  // namespace

void inspect_field(Inspector& to, Field field) {
    const Ui& ui = to.ui;
    const FieldInfo& known = info(field);
    const ImU32 hue = known.symbol ? symbol_colour(ui.theme, *known.symbol) : 0;
    const std::array chips{std::string_view("architecture")};
    draw_head(to, hue ? Swatch{SwatchLook::parameter, hue} : Swatch{}, known.label, chips);
    gap(ui, 2);
    if (known.symbol) {
        const std::string symbol = std::string(info(*known.symbol).text) + ", " + std::string(info(*known.symbol).name);
        symbol_line(ui, ui.fonts.mono, ui.theme.text_mid, symbol);
    }
    gap(ui, 4);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, meaning_of(field));
    gap(ui, 10);
    draw_value_card(to, field);
    draw_effects(to, field);
    draw_tensors_with(to, field);
}

}  // namespace headcount
