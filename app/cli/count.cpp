// headcount count: exact parameters, overall, by component, by kind of tensor and a layer.
#include <algorithm>
#include <array>
#include <functional>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/families/unknown.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

struct CountArguments {
    ModelArguments model;
    InputArguments input;
    bool json = false;
};

// "the embedding is looked up, positions are added, not multiplied": what the tables are for, whose rows are read.
std::string looked_up_words(const ModelGraph& graph) {
    const auto reads = [&](Op op) { return graph.first(op) != nullptr; };
    std::vector<std::string_view> added;
    if (reads(Op::add_positions)) added.push_back("positions");
    if (reads(Op::add_types)) added.push_back("types");
    std::vector<std::string> tables;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::embed) continue;
        const Tensor& table = graph.tensors[node.parameters.front()];
        if (table.part != Part::token_embedding || !graph.tied_head) tables.push_back("the " + lower(table.label));
    }
    std::string words;
    if (!tables.empty())
        words = listed(tables, std::identity(), " and ") + (tables.size() > 1 ? " are looked up" : " is looked up");
    if (!added.empty()) words += (words.empty() ? "" : ", ") + listed(added, std::identity(), " and ") + " are added";
    return words + ", not multiplied";
}

// The sums that people compare with published numbers.
Table sums_table(const CountedModel& model) {
    const Parameters& parameters = model.parameters;
    Table table{{{"sum"}, figures("parameters"), figures("share"), {"formula"}}, {}};
    auto add = [&](std::string what, std::int64_t count, const std::string& formula = "") {
        table.rows.push_back({std::move(what), count, percent(count, parameters.total), formula});
    };
    const std::vector<LayerBlock>& groups = model.graph.layers;
    std::vector<Expr> one, all;
    std::int64_t layers = 0;
    for (const LayerBlock& each : groups) layers += each.group.count;
    for (std::size_t i = 0; i < groups.size(); ++i) one.push_back(layer_formula(model.graph, i));
    const bool alike = std::ranges::all_of(one, [&](const Expr& each) { return each == one.front(); });
    const std::int64_t shared = parameters.shared_by_layers;
    for (std::size_t i = 0; i < (alike ? 1 : groups.size()); ++i) {
        if (shared > 0 && parameters.by_layer[i] == 0) continue;  // it has none of its own
        add(alike ? "One layer" : "One " + groups[i].group.label + " layer (of " + grouped(groups[i].group.count) + ")",
            parameters.by_layer[i], in_symbols(one[i]));
        all.push_back((alike ? Expr(Symbol::layers) : model.graph.blocks[groups[i].block].repeat) * one[i]);
    }
    if (shared > 0) {
        all.push_back(shared_formula(model.graph));
        add(all.size() > 1 ? "Shared by layers, once" : "One set for all layers", shared, in_symbols(all.back()));
    }
    add("All " + grouped(layers) + " layers", parameters.in_layers, in_symbols(sum_of(all)));
    add("Total without norms", parameters.total - parameters.of(Component::norm));
    if (model.graph.has_encoder()) {
        add("Multiplied for each source token", parameters.multiplied().source);
        add("Multiplied for each token of the decoder", parameters.multiplied().token);
    } else {
        add("Active for each token", parameters.active);
        add("Active and multiplied", parameters.active_multiplied,
            parameters.active_multiplied == parameters.active ? "" : looked_up_words(model.graph));
    }
    std::string besides;
    for (const StoredTensor& buffer : model.graph.buffers)
        besides += (besides.empty() ? "" : "; ") + buffer.name + ": " +
                   in_symbols(buffer.copies * element_count(buffer.shape));
    if (parameters.buffers > 0) add("Stored besides, not in the total", parameters.buffers, besides);
    return table;
}

// What the weights take, by component; the total comes last.
Table weights_table(const CountedModel& model) {
    Table table{{{"weights in " + formats_title(model.input.precision)}, figures("bytes"), figures("")}, {}};
    const auto add = [&](std::string name, std::optional<Component> component) {
        const std::optional<std::int64_t> bytes = weight_bytes(model, component);
        if (bytes && *bytes > 0) table.rows.push_back({std::move(name), *bytes, bytes_text(*bytes)});
    };
    for (const Component component : components) add(std::string(component_name(component)), component);
    add("Total", std::nullopt);
    return table;
}

// {"total", "by_component"}; nothing where that does not fit in 64 bits.
nlohmann::ordered_json weights_json(const CountedModel& model) {
    const std::optional<std::int64_t> total = weight_bytes(model);
    if (!total) return nullptr;
    std::array<std::int64_t, components.size()> each{};
    for (std::size_t i = 0; i < components.size(); ++i) each[i] = weight_bytes(model, components[i]).value_or(0);
    return {{"total", *total}, {"by_component", by_component(each)}};
}

// What stands on the last layer.
std::string_view output_words(const CountedModel& model) {
    switch (model.architecture.output) {
        case OutputKind::language:
        case OutputKind::masked:
            return model.graph.tied_head ? "The output head is the embedding, counted once."
                                         : "The output head is a matrix of its own.";
        case OutputKind::pooler: return "A pooler stands on the first token; there is no output head.";
        case OutputKind::none:
            return contains(model.graph.tensors, Component::output, &Tensor::component)
                       ? "The output head is counted, and not computed here."
                       : "There is no output head.";
        case OutputKind::classes: return "A classifier reads what leaves the layers.";
    }
    return "";
}

Failure print_count(const CountArguments& arguments, Output& output) {
    Notes written;  // with the result
    Result<CountedDocument> counted = count_document(arguments.model, written, arguments.input);
    if (!counted) return counted.error();
    const CountedModel& model = counted->model;
    const Parameters& parameters = model.parameters;
    std::ostream& out = output.out;
    if (arguments.json) {
        Result<nlohmann::ordered_json> json =
            count_json(model.architecture, model.graph, parameters, counted->doubt.empty());
        if (!json) return json.error();
        (*json)["weights"] = weights_json(model);
        out << noted_json(*json, *counted);
        return std::nullopt;
    }
    out << printable(model.architecture.name) << " (" << printable(family_label(model.architecture))
        << "): " << doubt_sign(counted->doubt) << grouped(parameters.total) << " parameters ("
        << short_count(parameters.total) << ")\n"
        << output_words(model) << '\n';
    if (model.architecture.tied_layers) out << "All layers have one set of weights, counted once, outside of them.\n";
    for (const std::string& note : counted->notes) out << printable(note) << '\n';
    out << '\n';
    write_figures(out, parameters_table(model.graph, parameters), *counted);
    out << '\n';
    write_figures(out, sums_table(model), *counted);
    out << '\n';
    if (arguments.input.precision) {
        write_figures(out, weights_table(model), *counted);
        out << '\n';
    }
    write_figures(out, tensors_table(model.graph, parameters), *counted);
    return std::nullopt;
}

}  // namespace

Command count_command() {
    const auto describe = [](CLI::App* command, CountArguments& arguments) {
        add_model(command, arguments.model);
        add_input(command, arguments.input, std::array{InputWord::dtype});
        add_json(command, arguments.json);
    };
    return make_command("count", "count parameters: overall, by component, by kind of tensor", describe, print_count);
}

}  // namespace headcount
