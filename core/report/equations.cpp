// Writes the equations of a model's nodes, in the order in which they run.
#include "core/report/equations.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/graph/written.hpp"

namespace headcount {
namespace {

// "layer.attention", and "model" of what is in no block.
std::string place_of(const ModelGraph& graph, const Node& node) {
    const std::string& id = graph.blocks[node.block].id;
    return id.empty() ? "model" : id;
}

std::int64_t times(const CountedModel& model, const Node& node) {
    const Result<std::int64_t> count = evaluate(model.graph.runs(node.block), model.bindings);
    return count ? *count : 0;
}

// "(6, 33) RoPE turns ...": each sentence once, with the lines that it is for.
std::vector<std::string> notes_of(const ModelGraph& graph) {
    std::vector<std::pair<std::string, std::string>> notes;  // the sentence, its lines
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (std::string& sentence : equation_of(graph, graph.nodes[i]).where) {
            const std::string line = std::to_string(i + 1);
            const auto said = std::ranges::find_if(notes, [&](const auto& note) { return note.first == sentence; });
            if (said == notes.end())
                notes.emplace_back(std::move(sentence), line);
            else
                said->second += ", " + line;
        }
    std::vector<std::string> texts;
    for (const auto& [sentence, lines] : notes) texts.push_back("(" + lines + ") " + sentence + ".");
    return texts;
}

// Sums and products stand in brackets beside the sign between the sides.
std::string latex_sides(const Shape& shape) {
    std::string sides;
    for (const Expr& side : shape.dimensions()) {
        const Expr::Kind kind = side.kind();
        const bool whole = kind == Expr::Kind::symbol || kind == Expr::Kind::integer || kind == Expr::Kind::min;
        const std::string text = latex_sizes(in_symbols(side));
        sides += (sides.empty() ? "" : " \\times ") + (whole ? text : "(" + text + ")");
    }
    return sides;
}

// Words stay words, and signs become LaTeX's.
std::string latex_words(std::string_view words) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 24> signs{{{"_", "\\_"},
                                                                                   {"%", "\\%"},
                                                                                   {"&", "\\&"},
                                                                                   {"#", "\\#"},
                                                                                   {"$", "\\$"},
                                                                                   {"{", "\\{"},
                                                                                   {"}", "\\}"},
                                                                                   {"\\", "\\textbackslash{}"},
                                                                                   {"^", "\\textasciicircum{}"},
                                                                                   {"θ", "$\\theta$"},
                                                                                   {"·", "$\\cdot$"},
                                                                                   {"−", "$-$"},
                                                                                   {"≤", "$\\le$"},
                                                                                   {"≈", "$\\approx$"},
                                                                                   {"∞", "$\\infty$"},
                                                                                   {"⌊", "$\\lfloor$"},
                                                                                   {"⌋", "$\\rfloor$"},
                                                                                   {"Σ", "$\\sum$"},
                                                                                   {"α", "$\\alpha$"},
                                                                                   {"⊗", "$\\otimes$"},
                                                                                   {"β", "$\\beta$"},
                                                                                   {"Δ", "$\\Delta$"},
                                                                                   {"⊙", "$\\odot$"},
                                                                                   {"²", "$^2$"}}};
    std::string latex;
    while (!words.empty()) {
        const auto sign = std::ranges::find_if(signs, [&](const auto& each) { return words.starts_with(each.first); });
        latex += sign == signs.end() ? words.substr(0, 1) : sign->second;
        words.remove_prefix(sign == signs.end() ? 1 : sign->first.size());
    }
    return latex;
}

// A line for each node: its number, the equation, the shape of what it makes in symbols and in numbers, where it stands
// and how often a token passes it.
Table equations_table(const CountedModel& model) {
    Table table{{known("line"), {"equation"}, {"in symbols"}, {"shape"}, {"place"}, figures("times")}, {}};
    for (std::size_t i = 0; i < model.graph.nodes.size(); ++i) {
        const Node& node = model.graph.nodes[i];
        const Tensor& made = model.graph.tensors[node.output];
        table.rows.push_back({static_cast<std::int64_t>(i + 1),
                              written_text(model.graph, equation_of(model.graph, node)), shape_in_symbols(made.shape),
                              shape_in_numbers(made.shape, model.bindings), place_of(model.graph, node),
                              times(model, node)});
    }
    return table;
}

}  // namespace

void write_equations(std::ostream& out, const EquationsOf& equations) {
    write_text(out, marked(equations_table(equations.model), equations.sign));
    out << '\n';
    for (const std::string& note : notes_of(equations.model.graph)) out << note << '\n';
}

std::string equations_markdown(const EquationsOf& equations) {
    std::string text = "# " + printable(equations.title) + "\n\n" +
                       markdown(marked(equations_table(equations.model), equations.sign)) + "\n";
    for (const std::string& note : notes_of(equations.model.graph)) text += "- " + note + "\n";
    return text;
}

std::string equations_latex(const EquationsOf& equations) {
    const CountedModel& model = equations.model;
    const ModelGraph& graph = model.graph;
    std::string text = "% " + printable(equations.title) + ": needs amsmath and amssymb\n";
    std::optional<BlockIndex> block;
    for (const Node& node : graph.nodes) {
        if (block != node.block) {
            if (block) text += "\\end{align}\n";
            const std::int64_t count = times(model, node);
            text += "\\paragraph{" + latex_words(place_of(graph, node)) +
                    (count > 1 ? ", " + latex_words(equations.sign) + grouped(count) + " times" : "") +
                    "}\n\\begin{align}\n";
        } else {
            text += " \\\\\n";
        }
        block = node.block;
        std::string equation = written_text(graph, equation_of(graph, node), Notation::latex);
        equation.insert(equation.find(" = ") + 1, "&");
        text += "  " + equation + " && \\in \\mathbb{R}^{" + latex_sides(graph.tensors[node.output].shape) + "}";
        const bool last = &node == &graph.nodes.back() || (&node + 1)->block != node.block;
        if (last) text += "\n";
    }
    text += "\\end{align}\n\\begin{itemize}\n";
    for (const std::string& note : notes_of(graph)) text += "  \\item " + latex_words(note) + "\n";
    return text + "\\end{itemize}\n";
}

nlohmann::ordered_json equations_json(const EquationsOf& equations) {
    const CountedModel& model = equations.model;
    const ModelGraph& graph = model.graph;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        const Tensor& made = graph.tensors[node.output];
        const Equation equation = equation_of(graph, node);
        list.push_back({{"number", i + 1},
                        {"id", made.id},
                        {"op", info(node.op).key},
                        {"name", made.label},
                        {"block", graph.blocks[node.block].id},
                        {"equation", written_text(graph, equation)},
                        {"latex", written_text(graph, equation, Notation::latex)},
                        {"in_symbols", shape_in_symbols(made.shape)},
                        {"shape", shape_in_numbers(made.shape, model.bindings)},
                        {"times", times(model, node)},
                        {"where", equation.where}});
        if (!equations.sign.empty()) list.back()["verified"] = false;
    }
    return list;
}

}  // namespace headcount
