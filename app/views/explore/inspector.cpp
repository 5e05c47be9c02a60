// The inspector: the selection opened to its formula, its costs and its use; parameters, activations and fields have
// files of their own. Here are the total and its components: the sum of all tensors, and what it is made of.
#include <array>

#include "app/parts/breakdown_charts.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string_view meaning_of(Component component, OutputKind output, bool tied) {
    switch (component) {
        case Component::embedding:
            return tied ? "Tables of rows, one for each token; used again, transposed, as the output head."
                        : "Tables whose rows are looked up, not multiplied: one row for each token of the text.";
        case Component::attention:
            return "Where tokens look at each other: queries, keys and values in, what the heads found out.";
        case Component::feed_forward:
            return "Where each token is worked on alone: widened, passed through an activation function, narrowed.";
        case Component::recurrence:
            return "In attention's place: tokens write into states of fixed size, which fade, and read them.";
        case Component::norm:
            return "Keep every token's numbers at one size before the next step. Few parameters, but needed.";
        case Component::output: return meaning_of_output(output, tied);
        case Component::tower: return "Reads pictures or sound: counted by name and shape, and not computed here.";
        case Component::connector:
            return "Leads from what the tower makes to the text's width: counted by name and shape.";
    }
    return "";
}

void draw_tensors_of(Inspector& inspector, Component component) {
    const Ui& ui = inspector.ui;
    for (const Tensor& tensor : inspector.graph().tensors) {
        if (tensor.role != Role::parameter || tensor.component != component) continue;
        const std::int64_t count = elements_of(tensor.shape, inspector.bindings()) *
                                   value_of(inspector.graph().copies(tensor.block), inspector.bindings());
        // Where there are several kinds of layers, the row says which it is of rather than its symbol.
        const std::string kind = kind_text(inspector.graph(), tensor.block);
        const std::string_view detail = kind.empty() ? tensor.symbol : std::string_view(kind);
        draw_subject_row(inspector, TensorSubject{tensor.id},
                         {swatch_of(ui.theme, tensor), tensor.label, detail, grouped(count)});
    }
}

// Stored besides, trained by no gradient.
void draw_buffers(Inspector& inspector) {
    const Counted& shown = inspector.shown();
    if (shown.graph.buffers.empty()) return;
    const Ui& ui = inspector.ui;
    separator(ui, 12, 8);
    section_title(ui, "Not in the total", "trained by no gradient");
    for (const StoredTensor& stored : shown.graph.buffers) {
        const Tensor& tensor = shown.graph.tensors[stored.parts.front()];
        const std::int64_t count = elements_of(stored.shape, shown.bindings) * value_of(stored.copies, shown.bindings);
        draw_subject_row(inspector, TensorSubject{tensor.id},
                         {swatch_of(ui.theme, tensor), tensor.label, tensor.symbol, grouped(count)});
    }
}

// As people write it: the width first.
Expr tensor_formula(const Shape& shape) {
    const bool out_first = shape.rank() == 2 && shape[1] == Expr(Symbol::dim);
    return out_first ? shape[1] * shape[0] : element_count(shape);
}

// What the experts that a token is not sent to hold: (E - k) of each mixture. All mixtures of a model are alike.
Expr idle_formula(const ModelGraph& graph) {
    std::vector<Expr> layers, one;
    for (const LayerBlock& layer : graph.layers) {
        std::vector<Expr> tensors;
        for (const Tensor& tensor : graph.tensors)
            if (tensor.role == Role::parameter && graph.is(tensor.block, BlockKind::expert) &&
                graph.inside(tensor.block, layer.block))
                tensors.push_back(tensor_formula(tensor.shape));
        if (tensors.empty()) continue;
        layers.push_back(graph.blocks[layer.block].repeat);
        one = std::move(tensors);
    }
    const Expr all = layers.size() == graph.layers.size() ? Expr(Symbol::layers) : sum_of(layers);
    return all * (Expr(Symbol::experts) - Symbol::experts_per_token) * sum_of(one);
}

// The longest formulas that there are, and what they were printed for: the total is what is shown most.
struct TotalFormulas {
    Architecture architecture;
    Printed total;
    Printed idle;                                   // the experts that a token is not sent to
    std::vector<std::vector<FormulaPiece>> layers;  // of one of each kind, in symbols
    std::vector<FormulaPiece> shared;               // of what layers share, likewise
};

const TotalFormulas& total_formulas(const Inspector& inspector) {
    auto& last = kept<TotalFormulas>(inspector.ui, "inspector.total");
    const Counted& shown = inspector.shown();
    if (last.architecture == shown.architecture) return last;
    last = {shown.architecture, printed(total_formula(shown.graph), shown.bindings), {}, {}, {}};
    if (shown.architecture.layer.mixture) last.idle = printed(idle_formula(shown.graph), shown.bindings);
    for (std::size_t i = 0; i < shown.graph.layers.size(); ++i)
        last.layers.push_back(pieces_in_symbols(layer_formula(shown.graph, i)));
    last.shared = pieces_in_symbols(shared_formula(shown.graph));
    return last;
}

// What a token uses: all but the experts that it is not sent to.
void draw_active_card(Inspector& inspector) {
    const Counted& shown = inspector.shown();
    const Parameters& parameters = shown.parameters;
    if (parameters.active == parameters.total) return;
    gap(inspector.ui, 8);
    const Card card(inspector.ui, "inspector.active");
    const About part(anything), total(total_key);
    const Printed& idle = total_formulas(inspector).idle;
    for (const bool symbols : {true, false}) {
        Runs runs;
        append_text(runs, grouped(parameters.total));
        for (const Component component : {Component::tower, Component::connector})
            if (const std::int64_t count = parameters.of(component); count > 0)
                append_text(runs, " − " + (symbols ? std::string(component_name(component)) : grouped(count)));
        if (shown.architecture.layer.mixture) {
            append_text(runs, " − ");
            append_pieces(inspector, runs, symbols ? idle.symbols : idle.numbers);
        }
        draw_row(inspector, symbols ? "inspector.active.symbols" : "inspector.active.numbers",
                 symbols ? "active" : "numbers", runs,
                 symbols ? inspector.ui.fonts.mono : inspector.ui.fonts.mono_caption,
                 symbols ? inspector.ui.theme.text_high : inspector.ui.theme.text_mid);
    }
    draw_result(inspector, "inspector.active.result", grouped(parameters.active));
}

template <class Formula>  // Expr or Printed
void draw_sum_card(Inspector& inspector, std::string_view about, const Formula& formula, std::int64_t now,
                   std::int64_t before) {
    const Card card(inspector.ui, "inspector.formula");
    draw_formula(inspector, formula, now, about);
    const About sum(about);
    draw_change(inspector, before, now);
}

void draw_layers_row(Inspector& inspector) {
    const Counted& shown = inspector.shown();
    const Ui& ui = inspector.ui;
    section_title(ui, "Layer by layer");
    const Card card(ui, "inspector.layer");
    const About sum(anything);
    const std::vector<LayerBlock>& layers = shown.graph.layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerGroup& group = layers[i].group;
        const std::int64_t one = shown.parameters.by_layer[i];
        if (one == 0 && shown.parameters.shared_by_layers > 0) continue;  // it has none of its own
        const IdScope scope(shown.graph.blocks[layers[i].block].id);
        if (layers.size() > 1) {
            if (i > 0) gap(ui, 8);
            caption(ui, "One " + group.label + (group.label.empty() ? "" : " ") + "layer (of " +
                            std::to_string(group.count) + ")");
            gap(ui, 2);
        }
        Runs runs;
        append_pieces(inspector, runs, total_formulas(inspector).layers[i]);
        draw_row(inspector, "inspector.layer.symbols", layers.size() > 1 ? "" : "one layer", runs, ui.fonts.mono,
                 ui.theme.text_high);
        draw_words_row(inspector, "", "= " + grouped(one));
        const std::string count = std::to_string(group.count);
        draw_words_row(inspector, count + (group.count == 1 ? " layer" : " layers"),
                       "× " + count + " = " + grouped(one * group.count));
    }
    if (shown.parameters.shared_by_layers > 0) {
        if (layers.size() > 1) gap(ui, 8);
        Runs runs;
        append_pieces(inspector, runs, total_formulas(inspector).shared);
        draw_row(inspector, "inspector.layer.shared", "shared", runs, ui.fonts.mono, ui.theme.text_high);
        draw_words_row(inspector, "once for all", "= " + grouped(shown.parameters.shared_by_layers));
    }
    if (layers.size() > 1) gap(ui, 8);
    const About total(total_key);  // which it makes with the layers above
    draw_words_row(inspector, "the rest", grouped(shown.parameters.total - shown.parameters.in_layers));
}

void inspect_component(Inspector& inspector, Component component) {
    const Ui& ui = inspector.ui;
    const Counted& shown = inspector.shown();
    const std::int64_t count = shown.parameters.of(component);
    const bool tied = shown.graph.tied_head.has_value();
    const ImU32 colour = component_colour(ui.theme, component);
    const std::array chips{std::string_view("component")};
    draw_head(inspector, {SwatchLook::parameter, colour}, component_name(component), chips);
    gap(ui, 2);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, meaning_of(component, shown.architecture.output, tied));
    gap(ui, 10);
    if (count > 0)
        draw_sum_card(inspector, subject_key(component), component_formula(shown.graph, component), count,
                      inspector.base().parameters.of(component));
    else
        draw_sum_card(inspector, {}, Expr(0), 0, inspector.base().parameters.of(component));
    gap(ui, 8);
    const std::optional<std::int64_t> bytes = weight_bytes(shown, component);
    const std::array facts{FactRow{"Share of the total", percent(count, shown.parameters.total), ""},
                           FactRow{"Memory in " + std::string(precision_name(shown.input)), memory_text(bytes), ""},
                           FactRow{"Bytes", count_text(bytes), ""}};
    FactTable table{"all of it", "", facts};
    table.share_all = static_cast<double>(count) / static_cast<double>(shown.parameters.total);
    table.colour = colour;
    draw_facts(inspector, "inspector.costs", table);
    separator(ui, 12, 8);
    section_title(ui, "Its tensors", "all layers");
    draw_tensors_of(inspector, component);
    if (component == Component::output && tied) {
        const Tensor& embedding = shown.graph.tensors[*shown.graph.tied_head];
        draw_subject_row(inspector, TensorSubject{embedding.id},
                         {swatch_of(ui.theme, embedding), embedding.label, "tied, counted there", {}});
    }
    if (component == Component::output) draw_outputs(inspector);
}

void inspect_total(Inspector& inspector) {
    const Ui& ui = inspector.ui;
    const Counted& shown = inspector.shown();
    const std::int64_t total = shown.parameters.total;
    const std::array chips{std::string_view("parameters")};
    draw_head(inspector, {}, "All parameters", chips);
    gap(ui, 2);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid,
              nothing(inspector.model.look.selection) ? "Click anything to see where its number comes from."
                                                      : "Every trained number of the model, each counted once.");
    if (const std::string& doubt = inspector.model.derived.doubt; !doubt.empty()) {
        gap(ui, 6);
        paragraph(ui, ui.fonts.table, readable(ui.theme, ui.theme.wrong), doubt);
    }
    gap(ui, 10);
    draw_sum_card(inspector, total_key, total_formulas(inspector).total, total, inspector.base().parameters.total);
    draw_active_card(inspector);
    gap(ui, 8);
    const Multiplied multiplied = shown.parameters.multiplied();
    const std::optional<std::int64_t> bytes = weight_bytes(shown);
    std::vector<FactRow> facts{FactRow{"Memory in " + std::string(precision_name(shown.input)), memory_text(bytes), ""},
                               FactRow{"Bytes", count_text(bytes), ""},
                               FactRow{"In the layers", percent(shown.parameters.in_layers, total), ""},
                               FactRow{"Multiplied for each token", grouped(multiplied.token), ""}};
    if (multiplied.source > 0) facts.push_back({"Multiplied for each source token", grouped(multiplied.source), ""});
    if (shown.parameters.active != total)
        facts.insert(facts.begin(), {"Active for each token", percent(shown.parameters.active, total), ""});
    draw_facts(inspector, "inspector.costs", {"whole model", "", facts});
    separator(ui, 12, 8);
    section_title(ui, "By component");
    for (const Component component : components) {
        if (!has_component(shown, component)) continue;
        const std::int64_t count = shown.parameters.of(component);
        draw_subject_row(inspector, component,
                         {{SwatchLook::parameter, component_colour(ui.theme, component)},
                          component_name(component),
                          percent(count, total),
                          grouped(count)});
    }
    separator(ui, 12, 8);
    draw_layers_row(inspector);
    draw_buffers(inspector);
    if (shown.graph.tied_head) {
        gap(ui, 8);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "The output head is the embedding, transposed. It is stored once and counted once.");
    }
}

}  // namespace

Intents draw_inspector(const Ui& ui, const Shown& model) {
    Inspector to{ui, model, {}};
    const Subject& subject = model.look.selection;
    // Of a sum each part has its own.
    const bool sum = std::holds_alternative<Component>(subject) || std::holds_alternative<TotalSubject>(subject);
    const About about(sum ? std::string() : subject_key(subject));
    if (const Tensor* tensor = tensor_of(to.graph(), subject)) {
        const TensorIndex index = index_of(to.graph(), *tensor);
        if (tensor->role == Role::parameter || tensor->role == Role::buffer)
            inspect_parameter(to, index);
        else
            inspect_activation(to, index);
    } else if (const auto* component = std::get_if<Component>(&subject)) {
        inspect_component(to, *component);
    } else if (const auto* field = std::get_if<Field>(&subject)) {
        inspect_field(to, *field);
    } else {
        inspect_total(to);  // also where nothing is selected: the panel is never empty
    }
    return std::move(to.intents);
}

}  // namespace headcount
