// headcount shapes: every activation of one pass, or one attention head's.
#include <array>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

struct ShapesArguments {
    ModelArguments model;
    InputArguments input;
    bool head = false, json = false;
};

// Which words of the input matter.
constexpr std::array shapes_words{InputWord::tokens, InputWord::source,   InputWord::batch, InputWord::cached,
                                  InputWord::dtype,  InputWord::kv_dtype, InputWord::phase};

Failure print_shapes(const ShapesArguments& arguments, Output& output) {
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes, arguments.input);
    if (!counted) return counted.error();
    const PassOptions& pass = counted->pass;
    const Input input = input_in(counted->document.input, pass.phase);
    const Result<CountedModel> read = count_model(counted->document.architecture, input);
    if (!read) return in_file(counted->document, arguments.model, read.error());
    const CountedModel& model = *read;
    Result<std::vector<ActivationRow>> rows = arguments.head ? head_activations(model.graph, model.bindings, input)
                                                             : activations(model.graph, model.bindings, input);
    if (!rows) return in_file(counted->document, arguments.model, rows.error());
    std::ostream& out = output.out;
    if (arguments.json) {
        out << json_text(shapes_json(model.graph, *rows, model.bindings, counted->doubt.empty()));
        return std::nullopt;
    }
    std::string_view one_head = arguments.head ? ", one attention head" : "";
    if (arguments.head && model.graph.layers.size() > 1) one_head = ", one attention head of each kind of layers";
    out << printable(title_as_known(counted->document)) << one_head << ": " << pass_words(model.architecture, input)
        << ", " << formats_title(input.precision) << "\n\n";
    write_figures(out, activations_table(model.graph, *rows, model.bindings), *counted);
    return std::nullopt;
}

}  // namespace

Command shapes_command() {
    const auto describe = [](CLI::App* command, ShapesArguments& arguments) {
        CLI::Option* const arch = add_model(command, arguments.model);
        require_tokens(arch, add_input(command, arguments.input, shapes_words));
        command->add_flag("--head", arguments.head, "the rows of one attention head");
        add_json(command, arguments.json);
    };
    return make_command("shapes", "list every activation in order, with its shape", describe, print_shapes);
}

}  // namespace headcount
