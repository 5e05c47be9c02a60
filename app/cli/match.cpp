// headcount match: a file of weights beside the computed tensors.
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

struct MatchArguments {
    ModelArguments model;
    bool json = false;
};

Failure print_match(const MatchArguments& arguments, Output& output) {
    Notes written;  // with the result
    const Result<CountedDocument> counted = count_document(arguments.model, written);
    if (!counted) return counted.error();
    const CountedModel& model = counted->model;
    std::ostream& out = output.out;
    if (!counted->checkpoint)
        return Error{"there are no weights to compare", arguments.model.arch,
                     "name a .safetensors file, its index, a .gguf, a llama2.c .bin, or a directory with one of them"};
    Result<CheckpointMatch> match =
        match_checkpoint(*counted->checkpoint, model.architecture, model.graph, model.parameters);
    if (!match) return match.error();
    if (arguments.json) {
        out << noted_json(match_json(*counted->checkpoint, *match), *counted);
        return std::nullopt;
    }
    out << printable(model.architecture.name) << ", " << counted->checkpoint->format << ": "
        << grouped(match->parameters) << " parameters in " << bytes_text(match->bytes) << "; "
        << grouped(model.parameters.total) << " computed\n";
    for (const std::string& note : counted->notes) out << printable(note) << '\n';
    out << grouped(match->matched) << " tensors match, " << grouped(match->differences) << " do not\n\n";
    write_text(out, types_table(*match));
    if (match->rows.empty()) return std::nullopt;
    out << '\n';
    write_text(out, match_table(*match));
    if (match->cut) out << "... and more\n";
    return std::nullopt;
}

}  // namespace

Command match_command() {
    const auto describe = [](CLI::App* command, MatchArguments& arguments) {
        add_model(command, arguments.model);
        add_json(command, arguments.json);
        command->footer(
            "The exit status is 0 also where tensors differ: a script reads \"differences\" of --json, 0 where all "
            "fit.");
    };
    return make_command("match", "compare a file of weights with the computed tensors", describe, print_match);
}

}  // namespace headcount
