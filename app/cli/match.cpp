// headcount match: a file of weights beside the computed tensors.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/tables.hpp"
#include "core/report/text_table.hpp"

namespace headcount {

Failure print_match(const MatchArguments& arguments, std::ostream& out) {
    Notes written;  // with the result
    Result<OpenedModel> model = open_model(arguments.model, written);
    if (!model) return model.error();
    if (!model->checkpoint)
        return Error{"there are no weights to compare", arguments.model.arch,
                     "name a .safetensors file, its index, a .gguf, a llama2.c .bin, or a directory with one of them"};
    Result<CheckpointMatch> match =
        match_checkpoint(*model->checkpoint, model->architecture, model->graph, model->parameters);
    if (!match) return match.error();
    if (arguments.json) {
        out << noted_json(match_json(*model->checkpoint, *match), model->notes);
        return std::nullopt;
    }
    out << printable(model->architecture.name) << ", " << model->checkpoint->format << ": "
        << grouped(match->parameters) << " parameters in " << bytes_text(match->bytes) << "; "
        << grouped(model->parameters.total) << " computed\n";
    for (const std::string& note : model->notes) out << printable(note) << '\n';
    out << grouped(match->matched) << " tensors match, " << grouped(match->differences) << " do not\n\n";
    write_text(out, types_table(*match));
    if (match->rows.empty()) return std::nullopt;
    out << '\n';
    write_text(out, match_table(*match));
    if (match->cut) out << "... and more\n";
    return std::nullopt;
}

}  // namespace headcount
