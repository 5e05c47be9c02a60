// A field of the architecture: what it means, the value in effect and its rule, what its change did, where it occurs.
#include <array>

#include "app/panels/inspector_parts.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string_view meaning_of(Field field) {
    switch (field) {
        case Field::dim:
            return "How many numbers describe a token between the layers: the width of the residual stream.";
        case Field::layers:
            return "How many layers stand behind one another. All have the same shapes, each its own numbers.";
        case Field::heads:
            return "How many queries each token asks in every layer, each with its own view of the text.";
        case Field::kv_heads:
            return "How many keys and values each token has. Fewer than heads: several query heads share one, and the "
                   "key/value cache shrinks.";
        case Field::head_dim:
            return "How many numbers a query, a key and a value of one head have.";
        case Field::ffn_dim:
            return "How many features the feed-forward works with between its up and its down projection.";
        case Field::ffn_multiple_of:
            return "The rule rounds the feed-forward width up to a multiple of this.";
        case Field::ffn_multiplier:
            return "The rule stretches the feed-forward width by this before it rounds.";
        case Field::vocab:
            return "How many different tokens there are: rows of the embedding, and columns of the output head.";
        case Field::context:
            return "The longest text. It adds parameters only where positions are learned.";
        case Field::positions:
            return "How the model knows where a token stands. RoPE turns queries and keys and has no parameters; "
                   "learned positions are a table with one row for each.";
        case Field::norm:
            return "RMSNorm rescales each row; LayerNorm also shifts it to mean 0.";
        case Field::norm_placement:
            return "Before a sub-block on its input, or after it on its output. The count is the same.";
        case Field::norm_scale:
            return "One trained factor for each channel of every norm.";
        case Field::norm_bias:
            return "One trained offset for each channel of every norm.";
        case Field::norm_epsilon:
            return "Keeps the division in a norm away from zero. No parameters.";
        case Field::gated:
            return "A third matrix, the gate, decides how much of each feature passes.";
        case Field::activation:
            return "The function between the matrices of the feed-forward. No parameters.";
        case Field::tied:
            return "Whether the output head is the embedding itself, stored and counted once.";
        case Field::qkv_bias:
            return "One trained offset for each output of the query, key and value projections.";
        case Field::attention_output_bias:
            return "One trained offset for each output of attention's output projection.";
        case Field::ffn_bias:
            return "One trained offset for each output of the feed-forward's projections.";
    }
    return "";
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
    const bool alone = field == Field::layers || field == Field::vocab || field == Field::context ||
                       field == Field::ffn_dim || field == Field::kv_heads;
    const std::optional<Symbol> symbol = info(field).symbol;
    if (!alone || !symbol) return std::nullopt;
    Bindings more = to.bindings();
    const std::optional<std::int64_t> next = checked_add(*more[*symbol], 1);
    if (!next) return std::nullopt;
    more.set(*symbol, *next);
    const Result<std::int64_t> total = evaluate(total_formula(to.graph()), more);
    return total ? std::optional(*total - to.shown().parameters.total) : std::nullopt;
}

void draw_effects(Inspector& to, Field field) {
    std::vector<Fact> facts;
    const auto& effects = to.session.derived.effects;
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
            if ((tensor.role == Role::parameter) != parameters || !lights(subject, tensor)) continue;
            if (first) {
                separator(ui, 12, 8);
                section_title(ui, parameters ? "Parameters with this side" : "Activations with this side");
            }
            first = false;
            const std::string shape = shape_in_numbers(tensor.shape, to.bindings());
            const bool bias = tensor.id.ends_with(".bias");
            draw_subject_row(to, TensorSubject{tensor.id},
                             {swatch_of(ui.theme, tensor), tensor.label, bias ? "bias" : tensor.symbol, shape});
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
