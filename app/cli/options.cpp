// The options of the commands, what their words are read as, and what --help says of them.
#include "app/cli/options.hpp"

#include <algorithm>
#include <array>

#include "app/cli/option_kinds.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {
namespace {

// The words of a table, in its order.
template <class Table>
std::vector<std::string_view> keys_of(const Table& table) {
    std::vector<std::string_view> keys;
    for (const auto& each : table) keys.push_back(each.key);
    return keys;
}

void add_precision(CLI::App* command, const std::string& name, std::optional<Precision>& precision,
                   const std::string& what) {
    add_value(command, name, precision, any_of(keys_of(precisions())), what, read_precision);
}

CLI::Option* add_tokens(CLI::App* command, InputArguments& input) {
    add_whole(command, "--batch", input.batch, "B", "sequences side by side (1)", 1);
    add_precision(command, "--dtype", input.precision, "format of the numbers (bf16)");
    return add_value(command, "--tokens", input.tokens, "T", "tokens of each sequence in this pass", read_tokens);
}

void add_cache_precision(CLI::App* command, std::optional<Precision>& precision) {
    add_precision(command, "--kv-dtype", precision, "of the key/value cache (as computed in)");
}

void add_look(CLI::App* command, LookArguments& look, const std::string& theme, const std::string& size) {
    add_choice(command, "--theme", look.theme, theme, std::array<std::string_view, 2>{"dark", "light"});
    add_value(command, "--size", look.size, "WxH", size, read_size);
}

Failure wrong_output(bool csv, bool json) {
    if (!csv || !json) return std::nullopt;
    return Error{"one output cannot be both", "--csv and --json", "leave one of them out"};
}

Failure wrong_training(const MemoryArguments& arguments) {
    if (!arguments.train && (arguments.recompute || arguments.dropout))
        return Error{"only training keeps activations", arguments.dropout ? "--dropout" : "--recompute",
                     "add --train OPTIMIZER"};
    if (!arguments.train && arguments.fused)
        return Error{"inference is fused unless --scores is given", "--fused",
                     "leave it out, or add --train OPTIMIZER"};
    if (arguments.fused && arguments.scores)
        return Error{"fused attention keeps no scores", "--fused", "leave one of --fused and --scores out"};
    return std::nullopt;
}

Failure wrong_prompt(const RunArguments& arguments) {
    if (arguments.prompt && arguments.prompt_ids)
        return Error{"a prompt is given twice", "--prompt-ids", "give --prompt or --prompt-ids"};
    if (arguments.prompt || arguments.prompt_ids || arguments.bench) return std::nullopt;
    return Error{"there is no prompt", "headcount run", "give --prompt TEXT or --prompt-ids 1,2,3"};
}

// What one view shows and another does not.
Failure wrong_view(const RenderArguments& arguments) {
    const std::string& view = arguments.view.key;
    if (arguments.output.format == PictureFormat::svg && arguments.tilted)
        return Error{"an SVG file has the diagram flat, not in perspective", "--tilt",
                     "leave --tilt out, or make it a PNG file"};
    if (view != explore_view && (arguments.present || arguments.tour))
        return Error{"a class is shown the Explore view alone", arguments.present ? "--present" : "--tour",
                     "leave --view out"};
    if (arguments.claim && view != claims_view)
        return Error{"claims are in another view", "--claim", "give --view claims"};
    if (arguments.with && view != compare_view)
        return Error{"two models are in another view", "--with", "give --view compare"};
    const bool sheet = arguments.sheet || arguments.question || arguments.answers;
    if (sheet && view != worksheet_view)
        return Error{"worksheets are in another view", "--sheet", "give --view worksheet"};
    if (sheet && !arguments.sheet) return Error{"of which worksheet?", "--question", "give --sheet too"};
    if (arguments.step && !arguments.tour) return Error{"a step of what?", "--step", "give --tour too"};
    return std::nullopt;
}

}  // namespace

void add_model(CLI::App* command, ModelArguments& model) {
    command->add_option("ARCH", model.arch, "a preset's id, a configuration, weights, or a document saved by Headcount")
        ->required();
    add_set(command, model.set);
}
void add_set(CLI::App* command, std::vector<std::string>& set) {
    add_values(command, "--set", set, "KEY=VALUE", "change a field after loading, such as kv_heads=8; may be repeated",
               read_change);
}
void add_input(CLI::App* command, InputArguments& input, bool required) {
    add_whole(command, "--cached", input.cached, "P", "tokens already in the key/value cache (0)", 0);
    add_tokens(command, input)->required(required);
}
void add_json(CLI::App* command, bool& json) {
    command->add_flag("--json", json, "one JSON document and nothing else");
}

void describe_tensors(CLI::App* command, TensorsArguments& arguments) {
    add_model(command, arguments.model);
    add_whole(command, "--layer", arguments.layer, "N", "the tensors of this layer only, counted from 0", 0);
    add_json(command, arguments.json);
}

void describe_memory(CLI::App* command, MemoryArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input)->required();
    add_cache_precision(command, arguments.cache_precision);
    add_choice(command, "--train", arguments.train, "with this optimizer; sgd has momentum", optimizer_words());
    add_choice(command, "--recompute", arguments.recompute, "in training: of the activations (none)",
               recompute_words());
    command->add_flag("--dropout", arguments.dropout, "in training: masks of dropout are kept as well");
    command->add_flag("--scores", arguments.scores, "whole scores are kept, as training does unless --fused is given");
    command->add_flag("--fused", arguments.fused, "in training: attention is fused and keeps no scores");
    add_whole(command, "--devices", arguments.devices, "N", "divide the model among so many devices (1)", 1);
    add_whole(command, "--zero", arguments.zero, "0|1|2|3", "stage of ZeRO (0)", 0, 3);
    add_whole(command, "--tensor", arguments.tensor, "N", "devices of a tensor-parallel group (1)", 1);
    add_whole(command, "--pipeline", arguments.pipeline, "N", "stages of a pipeline (1)", 1);
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_training(arguments); });
}

void describe_compute(CLI::App* command, ComputeArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input)->required();
    add_cache_precision(command, arguments.cache_precision);
    command->add_flag("--full", arguments.full,
                      "every query counted against every key, and not only what is not masked");
    add_name(command, "--hardware", arguments.hardware, "DEVICE", "a device that memory lists, such as rtx-4090");
    add_whole(command, "--tensor", arguments.tensor, "N", "so many of them share each matrix (1)", 1);
    add_whole(command, "--pipeline", arguments.pipeline, "N", "so many of them share the layers (1)", 1);
    add_json(command, arguments.json);
}

void describe_sweep(CLI::App* command, SweepArguments& arguments) {
    add_model(command, arguments.model);
    add_values(command, "--vary", arguments.vary, "KEY=FROM..TO[:STEP]",
               "a number and its values, such as layers=8..64:8; may be given twice",
               [](const std::string& text, std::string_view) { return parse_range(text); })
        ->required();
    add_tokens(command, arguments.input);
    command->add_flag("--memory", arguments.memory, "with the memory of inference: weights, cache, activations");
    add_name(command, "--hardware", arguments.hardware, "DEVICE", "with memory, and the time at this device's roof");
    command->add_flag("--csv", arguments.csv, "comma-separated values");
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_output(arguments.csv, arguments.json); });
}

void describe_sensitivity(CLI::App* command, SensitivityArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input);
    add_value(command, "--by", arguments.by, any_of(keys_of(metrics)), "what to sort by (total)", read_metric);
    add_name(command, "--hardware", arguments.hardware, "DEVICE", "with the time at this device's roof");
    command->add_flag("--csv", arguments.csv, "comma-separated values");
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_output(arguments.csv, arguments.json); });
}

void describe_solve(CLI::App* command, SolveArguments& arguments) {
    add_model(command, arguments.model);
    CLI::Option* vary = add_value(command, "--vary", arguments.vary, "KEY", "the number that is free", read_field);
    CLI::Option* free = add_value(command, "--free", arguments.free, "KEY[,KEY]",
                                  "one or two that are free, such as dim,layers; multiples are kept", read_fields);
    const std::vector<CLI::Option*> held{
        add_amount(command, "--total", arguments.total, "N", "parameters there are to be: 8030261248, 8.03B",
                   Unit::parameters),
        add_amount(command, "--memory", arguments.memory, "SIZE", "memory of inference that must do: 24GiB, 24GB",
                   Unit::bytes),
        add_name(command, "--hardware", arguments.hardware, "DEVICE", "as --memory, of a device such as rtx-4090"),
        add_value(command, "--flops", arguments.flops, "N", "operations of a pass that must do: 1e15, 1.5PFLOP",
                  read_pass),
        add_amount(command, "--size", arguments.size, "N", "the same shape with so many parameters: 13B",
                   Unit::parameters),
        add_value(command, "--compute", arguments.compute, "N", "tokens for a training's operations: 5.76e23",
                  parse_operations)};
    add_whole(command, "--multiple", arguments.multiple, "N", "only multiples of this (of --vary 1)", 1);
    add_tokens(command, arguments.input);
    add_json(command, arguments.json);
    command->parse_complete_callback([vary, free, held] {
        const auto given = [](const CLI::Option* option) { return option->count() > 0; };
        const auto count = std::count_if(held.begin(), held.end(), given);
        const bool alone = given(held[4]) || given(held[5]);  // changes more than one field, or none
        if (count == 0) throw CLI::RequiredError("--total, --memory, --hardware, --flops, --size or --compute");
        if (count > 1)
            throw CLI::ExcludesError("--total, --memory, --hardware, --flops, --size, --compute", "each other");
        if (!alone && !given(vary) && !given(free)) throw CLI::RequiredError("--vary or --free");
        if (given(vary) && given(free)) throw CLI::ExcludesError("--vary", "--free");
        if (alone && (given(vary) || given(free)))
            throw CLI::ExcludesError(given(vary) ? "--vary" : "--free", "--size and --compute");
    });
}

void describe_run(CLI::App* command, RunArguments& arguments) {
    add_model(command, arguments.model);
    add_name(command, "--prompt", arguments.prompt, "TEXT", "what the model goes on from");
    add_value(command, "--prompt-ids", arguments.prompt_ids, "1,2,3", "the same as ids of tokens; needs no tokenizer",
              read_ids);
    add_whole(command, "--tokens", arguments.tokens, "N", "how many new ones at most (64)", 0);
    add_sampling(command, "--temperature", arguments.temperature, "X",
                 "0 always takes the likeliest token (0; 0.8 where one of the next three is given)",
                 &Sampling::temperature);
    add_whole(command, "--top-k", arguments.top_k, "K", "choose among the K likeliest (0: all)", 0);
    add_sampling(command, "--top-p", arguments.top_p, "P",
                 "choose among the likeliest that together have the share P (1)", &Sampling::top_p);
    add_sampling(command, "--min-p", arguments.min_p, "P",
                 "leave out what has less than P times the likeliest's share (0)", &Sampling::min_p);
    add_whole(command, "--seed", arguments.seed, "S", "of the choices (42)", 0);
    add_whole(command, "--threads", arguments.threads, "N", "of the processor (as many as it has, up to 8)", 1, 256);
    command->add_flag("--random-weights", arguments.random_weights, "run an architecture without its weights");
    add_name(command, "--dump", arguments.dump, "FILE", "every activation of the prompt, as float32 safetensors");
    command->add_flag("--ids", arguments.ids, "the ids of the tokens as well");
    command->add_flag("--bench", arguments.bench, "the tokens per second, going on behind a text's end");
    add_json(command, arguments.json);
    add_rule(command, [&arguments] { return wrong_prompt(arguments); });
}

void describe_export(CLI::App* command, ExportArguments& arguments) {
    add_model(command, arguments.model);
    add_output(command, arguments.output, "write to this file", export_formats())->required();
    add_rule(command, [&arguments] { return settle(arguments.output, export_formats()); });
}

void describe_worksheets(CLI::App* command, WorksheetArguments& arguments) {
    command->require_subcommand(1, 1);
    CLI::App* list = command->add_subcommand("list", "the worksheets that ship with Headcount");
    add_json(list, arguments.json);
    const auto with_sheet = [&](const std::string& name, const std::string& what) {
        CLI::App* part = command->add_subcommand(name, what);
        part->add_option("ID", arguments.id, "a worksheet's id, or the path of one")->required()->type_name("SHEET");
        add_whole(part, "--seed", arguments.seed, "N", "other numbers, drawn from this one", 0);
        add_name(part, "--arch", arguments.arch, "ARCH", "your model, for a worksheet about it");
        return part;
    };
    CLI::App* show = with_sheet("show", "the questions, and the ids that answers are given by");
    show->add_flag("--key", arguments.key, "with the answers");
    CLI::App* answer = with_sheet("answer", "grade a file of answers, or a folder of them");
    answer->add_option("--answers", arguments.answers, "FILE.json, FILE.csv or a folder")
        ->required()
        ->type_name("FILE");
    add_json(answer, arguments.json);
    answer->add_flag("--csv", arguments.csv, "one row for each student, for a spreadsheet");
    CLI::App* file = with_sheet("export", "a sheet to print, its key, or a file to answer in");
    file->add_flag("--key", arguments.key, "the teacher's key");
    add_output(file, arguments.output, "write to this file", sheet_formats());
    add_rule(file, [&arguments] { return settle(arguments.output, sheet_formats(), {SheetFormat::html}); });
}

void describe_completion(CLI::App* command, CompletionArguments& arguments) {
    static constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};
    add_choice(command, "SHELL", arguments.shell, "which shell reads it", shells)->required();
}

void describe_render(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views) {
    add_model(command, arguments.model);
    add_input(command, arguments.input, false);
    add_value(command, "--view", arguments.view, any_of(views),
              "which view; a part of one is written as what-if:solve (explore)",
              [views](const std::string& text, std::string_view flag) { return read_view(text, flag, views); });
    add_look(command, arguments.look, "colours (dark)", "pixels (1600x1000)");
    add_name(command, "--select", arguments.select, "ID", "select this tensor, such as layer.attention.query.weight");
    add_name(command, "--at", arguments.at, "PLACE",
             "zoom to model, layer, a block or a tensor, such as layer.attention.head:3");
    command->add_flag("--tilt", arguments.tilted, "see the diagram in perspective");
    command->add_flag("--log", arguments.log_sides, "draw sides by their logarithm");
    add_name(command, "--tour", arguments.tour, "TOUR", "a step of this tour, by its id or file");
    add_whole(command, "--step", arguments.step, "N", "which step of the tour (1)", 1);
    add_name(command, "--with", arguments.with, "ARCH", "in the Compare view, beside this model");
    add_name(command, "--claim", arguments.claim, "CLAIM", "in the Claims view, this claim");
    add_name(command, "--sheet", arguments.sheet, "SHEET", "in the Worksheet view, this worksheet or file");
    add_whole(command, "--question", arguments.question, "N", "which question of it (1)", 1);
    add_name(command, "--answers", arguments.answers, "FILE", "what a student has answered in it");
    command->add_flag("--present", arguments.present, "as it is shown to a class");
    add_output(command, arguments.output, "write to this file", picture_formats())->required();
    add_rule(command, [&arguments] {
        Failure failure = settle(arguments.output, picture_formats());
        return failure ? failure : wrong_view(arguments);
    });
}

void describe_window(CLI::App* command, WindowArguments& arguments) {
    command->add_option("ARCH", arguments.model.arch, "open this in the window");
    add_set(command, arguments.model.set);
    add_look(command, arguments.look, "colours", "size of the window in pixels");
    add_name(command, "--tour", arguments.tour, "TOUR", "start this tour, by its id or file");
    add_value(command, "--screenshot", arguments.screenshot, "FILE", "write a picture of the window and end",
              read_screenshot);
    add_name(command, "--report-ui", arguments.report_ui, "FILE",
             "write what the window shows to this file, for tests");
    add_rule(command, [&arguments]() -> Failure {
        if (!arguments.model.arch.empty() || arguments.model.set.empty()) return std::nullopt;
        return Error{"there is no model to change", "--set", "name a preset or a file before it"};
    });
}

}  // namespace headcount
