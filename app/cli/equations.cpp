// headcount equations: the whole forward pass, one numbered line an operation.
#include "core/report/equations.hpp"

#include <array>
#include <sstream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/open.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

enum class EquationFormat { text, md, tex };
constexpr std::array<FileFormat, 3> equation_formats{
    {{"text", "a table", "txt"}, {"md", "Markdown"}, {"tex", "LaTeX"}}};

struct EquationArguments {
    ModelArguments model;
    InputArguments input;
    OutputArguments output;
    bool json = false;
};

std::string text_of(const CountedDocument& counted, const EquationArguments& arguments) {
    const CountedModel& model = counted.model;
    const EquationsOf of{model, title_as_known(counted.document), doubt_sign(counted.doubt)};
    if (arguments.json) return json_text(equations_json(of));
    const auto format = static_cast<EquationFormat>(arguments.output.format.value_or(0));
    if (format == EquationFormat::md) return equations_markdown(of);
    if (format == EquationFormat::tex) return equations_latex(of);
    std::ostringstream text;
    text << printable(of.title) << ": " << read_words(model.architecture, model.input) << "\n\n";
    write_equations(text, of);
    return text.str();
}

Failure print_equations(const EquationArguments& arguments, Output& output) {
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes, arguments.input);
    if (!counted) return counted.error();
    const ModelGraph& graph = counted->model.graph;
    output.notes.insert(output.notes.end(), counted->notes.begin(), counted->notes.end());
    if (graph.unread) return in_file(counted->document, arguments.model, *graph.unread);
    if (!graph.guess.empty()) output.notes.push_back(capitalized(graph.guess) + ".");
    const std::string text = text_of(*counted, arguments);
    if (!arguments.output.file.empty()) return write_out(text, arguments.output.file, counted->read, output.out);
    output.out << text;
    return std::nullopt;
}

}  // namespace

Command equations_command() {
    const auto describe = [](CLI::App* command, EquationArguments& arguments) {
        add_model(command, arguments.model);
        add_input(command, arguments.input, std::array{InputWord::tokens, InputWord::source, InputWord::cached});
        add_output(command, arguments.output, equation_formats);
        add_json(command, arguments.json);
        add_rule(command, [&arguments] { return settle(arguments.output, equation_formats, std::size_t{0}); });
    };
    return make_command("equations", "write the whole forward pass as equations", describe, print_equations);
}

}  // namespace headcount
