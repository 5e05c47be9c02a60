// A field of the architecture: what it means, the value in effect and its rule, what its change did, where it occurs.
#include <array>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// The value in effect, in the words of the screen.
std::string value_text(const Architecture& arch, Field field) {
    const FieldInfo& known = info(field);
    const std::optional<std::int64_t> number = field_number(arch, field);
    if (known.symbol && number) return std::to_string(*number);
    const std::optional<std::string> text = field_text(arch, field);
    if (!text) return "not used";
    if (field == Field::rotary_dim && number) return std::to_string(*number);
    return field_words(arch, field);
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

void draw_rule_lines(Inspector& inspector, const Expr& rule, Symbol symbol) {
    const Ui& ui = inspector.ui;
    Runs runs;
    append_formula(inspector, runs, Expr(symbol), Written::symbols);
    runs.push_back({" = "});
    append_formula(inspector, runs, rule, Written::symbols);
    draw_row(inspector, "inspector.symbols", "symbols", runs, ui.fonts.mono_body, ui.theme.text_high);
    runs.clear();
    append_formula(inspector, runs, rule, Written::numbers);
    draw_row(inspector, "inspector.numbers", "numbers", runs, ui.fonts.mono, ui.theme.text_mid);
}

void draw_value_card(Inspector& inspector, Field field) {
    const Architecture& arch = inspector.shown().architecture;
    const Card card(inspector.ui, "inspector.formula");
    const std::optional<Expr> rule = rule_of(arch, field);
    const std::string now = value_text(arch, field), before = value_text(inspector.base().architecture, field);
    if (rule) draw_rule_lines(inspector, *rule, field == Field::head_dim ? Symbol::head_dim : Symbol::ffn_dim);
    const bool makes = rule && (field == Field::head_dim || field == Field::ffn_dim);
    if (!makes) draw_words_row(inspector, "value", rule ? "a number of the rule" : "set directly");
    draw_result(inspector, "inspector.result", now);
    if (before == now) return;
    draw_words_row(inspector, origin_of(inspector), before);
}

// What one more of a dimension adds, all else kept: exact wherever the count is linear in it and no other follows it.
std::optional<std::int64_t> one_more(const Inspector& inspector, Field field) {
    // Where there are several kinds of layers, it is for the pattern to say of which kind one more would be.
    const bool alike = inspector.graph().layers.size() == 1;
    const bool alone = (field == Field::layers && alike) || field == Field::vocab || field == Field::context ||
                       field == Field::ffn_dim || field == Field::kv_heads || field == Field::experts ||
                       field == Field::expert_dim || field == Field::token_types || field == Field::conv_kernel;
    const std::optional<Symbol> symbol = info(field).symbol;
    if (!alone || !symbol || !inspector.bindings()[*symbol]) return std::nullopt;
    Bindings more = inspector.bindings();
    const std::optional<std::int64_t> next = checked_add(*more[*symbol], 1);
    if (!next) return std::nullopt;
    more.set(*symbol, *next);
    const Result<std::int64_t> total = evaluate(total_formula(inspector.graph()), more);
    return total ? std::optional(*total - inspector.shown().parameters.total) : std::nullopt;
}

void draw_effects(Inspector& inspector, Field field) {
    std::vector<FactRow> facts;
    const auto& effects = inspector.model.derived.effects;
    if (const auto changed = effects.find(field); changed != effects.end())
        facts.push_back({"This change adds to the total", signed_grouped(changed->second), ""});
    if (const std::optional<std::int64_t> step = one_more(inspector, field))
        facts.push_back({"One more would add", signed_grouped(*step), ""});
    if (facts.empty()) return;
    gap(inspector.ui, 8);
    draw_facts(inspector, "inspector.costs", {"parameters", "", facts});
}

void draw_tensors_with(Inspector& inspector, Field field) {
    const Ui& ui = inspector.ui;
    const Subject subject = field;
    for (const bool parameters : {true, false}) {
        bool first = true;
        for (const Tensor& tensor : inspector.graph().tensors) {
            const bool stored = tensor.role == Role::parameter || tensor.role == Role::buffer;
            if (stored != parameters || !lights(subject, tensor)) continue;
            if (first) {
                separator(ui, 12, 8);
                section_title(ui, parameters ? "Parameters with this side" : "Activations with this side");
            }
            first = false;
            const std::string shape = shape_in_numbers(tensor.shape, inspector.bindings());
            const bool bias = tensor.bias;
            const std::string kind = kind_text(inspector.graph(), tensor.block);
            const std::string_view detail = !kind.empty() ? std::string_view(kind) : bias ? "bias" : tensor.symbol;
            draw_subject_row(inspector, TensorSubject{tensor.id},
                             {swatch_of(ui.theme, tensor), tensor.label, detail, shape});
        }
    }
}

}  // namespace

void inspect_field(Inspector& inspector, Field field) {
    const Ui& ui = inspector.ui;
    const FieldInfo& known = info(field);
    const ImU32 hue = known.symbol ? symbol_colour(ui.theme, *known.symbol) : 0;
    const std::array chips{std::string_view("architecture")};
    draw_head(inspector, hue ? Swatch{SwatchLook::parameter, hue} : Swatch{}, known.label, chips);
    gap(ui, 2);
    if (known.symbol) {
        const std::string symbol = std::string(info(*known.symbol).text) + ", " + std::string(info(*known.symbol).name);
        symbol_line(ui, ui.fonts.mono, ui.theme.text_mid, symbol);
    }
    gap(ui, 4);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, info(field).meaning);
    gap(ui, 10);
    draw_value_card(inspector, field);
    draw_effects(inspector, field);
    draw_tensors_with(inspector, field);
}

}  // namespace headcount
