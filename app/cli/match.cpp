// headcount match: a file of weights beside the computed tensors.
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"
#include "core/runtime/weight_error.hpp"

namespace headcount {
namespace {

struct MatchArguments {
    ModelArguments model;
    std::optional<std::string> original;
    bool ranks = false;   // too
    bool strict = false;  // a difference is a failure
    bool json = false;
};

// How far each tensor is from the original's, and the ranks of that where they were asked for.
struct Apart {
    WeightErrors errors;
    std::vector<std::optional<Ranks>> ranks;
};

Result<Apart> errors_from(const MatchArguments& arguments, const CountedDocument& counted, Output& output) {
    const std::string& path = *arguments.original;
    const Result<OpenedDocument> opened = open_document(ModelArguments{.arch = path, .set = {}}, output.notes);
    if (!opened) return opened.error();
    if (!opened->checkpoint)
        return Error{"there are no weights in " + in_quotes(path), "--original",
                     "name a file of weights or its folder"};
    const Result<std::shared_ptr<const Model>> ours = load_model(counted.model.architecture, *counted.checkpoint);
    if (!ours) return ours.error();
    const Result<std::shared_ptr<const Model>> theirs = load_model(opened->document.architecture, *opened->checkpoint);
    if (!theirs) return theirs.error();
    Result<WeightErrors> errors = weight_errors(counted.model, **ours, **theirs);
    if (!errors) return errors.error();
    Apart apart{*std::move(errors), {}};
    if (arguments.ranks)
        for (const TensorError& each : apart.errors.tensors)
            apart.ranks.push_back(difference_ranks(**ours, **theirs, counted.model, each));
    return apart;
}

// Of every tensor how far its numbers are from the original's.
Table errors_table(const Apart& apart) {
    Table table{{{"tensor"}, figures("error"), figures("angle"), figures("worst")}, {}};
    if (!apart.ranks.empty())
        for (const char* title : {"stable rank", "effective rank"}) table.columns.push_back(figures(title));
    for (std::size_t i = 0; i < apart.errors.tensors.size(); ++i) {
        const TensorError& each = apart.errors.tensors[i];
        const std::optional<double> share = each.error.share();
        const std::optional<double> angle = each.error.angle();
        table.rows.push_back({each.name, share ? share_text(*share) : "", angle ? decimal_text(*angle, 2) + "°" : "",
                              decimal_text(each.error.worst, 6)});
        if (apart.ranks.empty()) continue;
        const std::optional<Ranks>& ranks = apart.ranks[i];
        table.rows.back().emplace_back(ranks ? stable_text(*ranks) : "");
        table.rows.back().emplace_back(ranks ? effective_text(*ranks) : "");
    }
    return table;
}

nlohmann::ordered_json errors_json(const Apart& apart) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < apart.errors.tensors.size(); ++i) {
        const TensorError& each = apart.errors.tensors[i];
        rows.push_back({{"name", each.name}, {"error", nullptr}, {"angle", nullptr}, {"worst", each.error.worst}});
        if (const std::optional<double> share = each.error.share()) rows.back()["error"] = *share;
        if (const std::optional<double> angle = each.error.angle()) rows.back()["angle"] = *angle;
        if (apart.ranks.empty()) continue;
        const std::optional<Ranks>& ranks = apart.ranks[i];
        rows.back()["ranks"] = nullptr;
        if (ranks)
            rows.back()["ranks"] = {{"stable", ranks->stable},
                                    {"effective", ranks->effective},
                                    {"exact", ranks->exact},
                                    {"unseen", ranks->unseen}};
    }
    return rows;
}

// What a script stops at.
Failure differs(const MatchArguments& arguments, const CheckpointMatch& match, Output& output) {
    if (!arguments.strict || match.differences == 0) return std::nullopt;
    output.answered = true;
    return Error{grouped(match.differences) + (match.differences == 1 ? " tensor does" : " tensors do") + " not match",
                 "--strict", "the rows say which"};
}

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
    std::optional<Apart> errors;
    if (arguments.original) {
        Result<Apart> found = errors_from(arguments, *counted, output);
        if (!found) return found.error();
        errors = std::move(*found);
    }
    if (arguments.json) {
        nlohmann::ordered_json json = match_json(*counted->checkpoint, *match);
        if (errors) json["errors"] = errors_json(*errors);
        out << noted_json(json, *counted);
        return differs(arguments, *match, output);
    }
    out << printable(model.architecture.name) << ", " << counted->checkpoint->format << ": "
        << grouped(match->parameters) << " parameters in " << bytes_text(match->bytes) << "; "
        << grouped(model.parameters.total) << " computed\n";
    for (const std::string& note : counted->notes) out << printable(note) << '\n';
    out << grouped(match->matched) << " tensors match, " << grouped(match->differences) << " do not\n\n";
    write_text(out, types_table(*match));
    if (!match->rows.empty()) {
        out << '\n';
        write_text(out, match_table(*match));
        if (match->cut) out << "... and more\n";
    }
    if (!errors) return differs(arguments, *match, output);
    out << '\n';
    write_text(out, errors_table(*errors));
    if (const std::optional<double> share = errors->errors.all.share())
        out << "\nAll weights: " << share_text(*share) << " from the original\n";
    return differs(arguments, *match, output);
}

}  // namespace

Command match_command() {
    const auto describe = [](CLI::App* command, MatchArguments& arguments) {
        add_model(command, arguments.model);
        command
            ->add_option("--original", arguments.original,
                         "weights of the same shapes: how far each tensor's numbers are from theirs")
            ->option_text("FILE");
        command->add_flag(
            "--ranks", arguments.ranks,
            "with --original the stable and the effective rank of what each matrix differs by (may take minutes)");
        add_rule(command, [&arguments]() -> Failure {
            if (!arguments.ranks || arguments.original) return std::nullopt;
            return Error{"ranks of what?", "--ranks", "give --original too"};
        });
        command->add_flag("--strict", arguments.strict, "end with exit status 1 where a tensor does not match");
        add_json(command, arguments.json);
        command->footer(
            "The exit status is 0 also where tensors differ, unless it is strict: a script reads \"differences\" of "
            "--json, 0 where all fit.");
    };
    return make_command("match", "compare a file of weights with the computed tensors", describe, print_match);
}

}  // namespace headcount
