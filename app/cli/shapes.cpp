// headcount shapes: every activation of one pass, or one attention head's.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "core/analysis/activations.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/tables.hpp"
#include "core/report/text_table.hpp"

namespace headcount {

Failure print_shapes(const ShapesArguments& arguments, std::ostream& out, Notes& said) {
    Result<OpenedDocument> opened = open_document(arguments.model, arguments.input, said);
    if (!opened) return opened.error();
    const Document& document = opened->document;
    const Input& input = document.input;
    Result<CountedModel> model = count_model(document.architecture, input);
    if (!model) return in_file(document, arguments.model, model.error());
    Result<std::vector<ActivationRow>> rows = arguments.head
                                                  ? head_activations(model->graph, model->bindings, input.precision)
                                                  : activations(model->graph, model->bindings, input.precision);
    if (!rows) return in_file(document, arguments.model, rows.error());
    if (arguments.json) {
        out << json_text(shapes_json(model->graph, *rows, model->bindings));
        return std::nullopt;
    }
    std::string_view one_head = arguments.head ? ", one attention head" : "";
    if (arguments.head && model->graph.layers.size() > 1) one_head = ", one attention head of each kind of layers";
    out << printable(title_of(document)) << one_head << ": T = " << input.tokens << " tokens, ";
    if (input.cached > 0) out << "P = " << input.cached << " cached before them, ";
    out << "B = " << input.batch << " side by side, " << info(input.precision).key << "\n\n";
    write_text(out, activations_table(model->graph, *rows, model->bindings));
    return std::nullopt;
}

}  // namespace headcount
