// The options of the commands, and what --help says of them.
#include "app/cli/options.hpp"

#include <algorithm>

namespace headcount {

void add_model(CLI::App* command, ModelArguments& model) {
    command->add_option("ARCH", model.arch, "a preset's id, a configuration, weights, or a document saved by Headcount")
        ->required();
    add_set(command, model.set);
}
void add_set(CLI::App* command, std::vector<std::string>& set) {
    command->add_option("--set", set, "change a field after loading, such as kv_heads=8; may be repeated")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
}
CLI::Option* add_value(CLI::App* command, const std::string& name, std::optional<std::string>& value,
                       const std::string& type, const std::string& what) {
    return command->add_option(name, value, what)->type_name(type);
}
CLI::Option* add_input(CLI::App* command, InputArguments& input) {
    add_value(command, "--cached", input.cached, "P", "tokens already in the key/value cache (0)");
    return add_tokens(command, input);
}
CLI::Option* add_tokens(CLI::App* command, InputArguments& input) {
    add_value(command, "--batch", input.batch, "B", "sequences side by side (1)");
    add_value(command, "--dtype", input.precision, "FORMAT", "fp32, bf16, fp16, int8 or int4 (bf16)");
    return add_value(command, "--tokens", input.tokens, "T", "tokens of each sequence in this pass");
}
void add_json(CLI::App* command, bool& json) {
    command->add_flag("--json", json, "one JSON document and nothing else");
}

void describe_memory(CLI::App* command, MemoryArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input)->required();
    add_value(command, "--kv-dtype", arguments.cache_precision, "FORMAT", "of the key/value cache (as computed in)");
    add_value(command, "--train", arguments.train, "OPTIMIZER", "adam, adam8, sgd (with momentum) or muon");
    add_value(command, "--recompute", arguments.recompute, "HOW", "in training: none, selective or full (none)");
    command->add_flag("--dropout", arguments.dropout, "in training: masks of dropout are kept as well");
    command->add_flag("--scores", arguments.scores, "whole scores are kept, as training does unless --fused is given");
    command->add_flag("--fused", arguments.fused, "in training: attention is fused and keeps no scores");
    add_value(command, "--devices", arguments.devices, "N", "divide the model among so many devices (1)");
    add_value(command, "--zero", arguments.zero, "STAGE", "ZeRO: 0, 1, 2 or 3 (0)");
    add_value(command, "--tensor", arguments.tensor, "N", "devices of a tensor-parallel group (1)");
    add_value(command, "--pipeline", arguments.pipeline, "N", "stages of a pipeline (1)");
    add_json(command, arguments.json);
}

void describe_compute(CLI::App* command, ComputeArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input)->required();
    add_value(command, "--kv-dtype", arguments.cache_precision, "FORMAT", "of the key/value cache (as computed in)");
    command->add_flag("--full", arguments.full,
                      "every query counted against every key, and not only what is not masked");
    add_value(command, "--hardware", arguments.hardware, "ID", "a device that memory lists, such as rtx-4090");
    add_value(command, "--tensor", arguments.tensor, "N", "so many of them share each matrix (1)");
    add_value(command, "--pipeline", arguments.pipeline, "N", "so many of them share the layers (1)");
    add_json(command, arguments.json);
}

void describe_sweep(CLI::App* command, SweepArguments& arguments) {
    add_model(command, arguments.model);
    command->add_option("--vary", arguments.vary, "a number and its values, such as layers=8..64:8; may be given twice")
        ->required()
        ->allow_extra_args(false)
        ->type_name("KEY=FROM..TO[:STEP]");
    add_tokens(command, arguments.input);
    command->add_flag("--memory", arguments.memory, "with the memory of inference: weights, cache, activations");
    add_value(command, "--hardware", arguments.hardware, "ID", "with memory, and the time at this device's roof");
    command->add_flag("--csv", arguments.csv, "comma-separated values");
    add_json(command, arguments.json);
}

void describe_sensitivity(CLI::App* command, SensitivityArguments& arguments) {
    add_model(command, arguments.model);
    add_tokens(command, arguments.input);
    add_value(command, "--by", arguments.by, "WHAT",
              "sort by total, active, weights, kv_cache, kv_cache_per_token, memory, flops or seconds (total)");
    add_value(command, "--hardware", arguments.hardware, "ID", "with the time at this device's roof");
    command->add_flag("--csv", arguments.csv, "comma-separated values");
    add_json(command, arguments.json);
}

void describe_solve(CLI::App* command, SolveArguments& arguments) {
    add_model(command, arguments.model);
    CLI::Option* vary = command->add_option("--vary", arguments.vary, "the number that is free")->type_name("KEY");
    CLI::Option* free =
        command
            ->add_option("--free", arguments.free, "one or two that are free, such as dim,layers; multiples are kept")
            ->type_name("KEY[,KEY]");
    const std::vector<CLI::Option*> held{
        add_value(command, "--total", arguments.total, "N", "parameters there are to be: 8030261248, 8.03B"),
        add_value(command, "--memory", arguments.memory, "SIZE", "memory of inference that must do: 24GiB, 24GB"),
        add_value(command, "--hardware", arguments.hardware, "ID", "as --memory, of a device such as rtx-4090"),
        add_value(command, "--flops", arguments.flops, "N", "operations of a pass that must do: 1e15, 1.5PFLOP"),
        add_value(command, "--size", arguments.size, "N", "the same shape with so many parameters: 13B"),
        add_value(command, "--compute", arguments.compute, "N", "tokens for a training's operations: 5.76e23")};
    add_value(command, "--multiple", arguments.multiple, "N", "only multiples of this (of --vary 1)");
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
        if (alone && (given(vary) || given(free)))
            throw CLI::ExcludesError(given(vary) ? "--vary" : "--free", "--size and --compute");
    });
}

void describe_run(CLI::App* command, RunArguments& arguments) {
    add_model(command, arguments.model);
    add_value(command, "--prompt", arguments.prompt, "TEXT", "what the model goes on from");
    add_value(command, "--prompt-ids", arguments.prompt_ids, "1,2,3", "the same as ids of tokens; needs no tokenizer");
    add_value(command, "--tokens", arguments.tokens, "N", "how many new ones at most (64)");
    add_value(command, "--temperature", arguments.temperature, "X",
              "0 always takes the likeliest token (0; 0.8 where one of the next three is given)");
    add_value(command, "--top-k", arguments.top_k, "K", "choose among the K likeliest (0: all)");
    add_value(command, "--top-p", arguments.top_p, "P",
              "choose among the likeliest that together have the share P (1)");
    add_value(command, "--min-p", arguments.min_p, "P",
              "leave out what has less than P times the likeliest's share (0)");
    add_value(command, "--seed", arguments.seed, "S", "of the choices (42)");
    add_value(command, "--threads", arguments.threads, "N", "of the processor (as many as it has, up to 8)");
    command->add_flag("--random-weights", arguments.random_weights, "run an architecture without its weights");
    add_value(command, "--dump", arguments.dump, "FILE", "every activation of the prompt, as float32 safetensors");
    command->add_flag("--ids", arguments.ids, "the ids of the tokens as well");
    command->add_flag("--bench", arguments.bench, "the tokens per second, going on behind a text's end");
    add_json(command, arguments.json);
}

void describe_worksheets(CLI::App* command, WorksheetArguments& arguments) {
    command->require_subcommand(1, 1);
    CLI::App* list = command->add_subcommand("list", "the worksheets that ship with Headcount");
    add_json(list, arguments.json);
    const auto with_sheet = [&](const std::string& name, const std::string& what) {
        CLI::App* part = command->add_subcommand(name, what);
        part->add_option("ID", arguments.id, "a worksheet's id, or the path of one")->required();
        add_value(part, "--seed", arguments.seed, "N", "other numbers, drawn from this one");
        add_value(part, "--arch", arguments.arch, "ARCH", "your model, for a worksheet about it");
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
    add_value(file, "--format", arguments.format, "FORMAT", "html, md, csv or json (by the file's ending, else html)");
    file->add_flag("--key", arguments.key, "the teacher's key");
    file->add_option("-o,--output", arguments.output, "write to this file")->type_name("FILE");
}

void describe_render(CLI::App* command, RenderArguments& arguments) {
    add_model(command, arguments.model);
    add_input(command, arguments.input);
    command
        ->add_option("--view", arguments.view,
                     "explore, compare, costs, what-if (or what-if:solve), run, worksheet, claims (explore)")
        ->type_name("VIEW");
    add_value(command, "--theme", arguments.theme, "THEME", "dark or light (dark)");
    add_value(command, "--size", arguments.size, "WxH", "pixels (1600x1000)");
    add_value(command, "--select", arguments.select, "ID", "select this tensor, such as layer.attention.query.weight");
    add_value(command, "--at", arguments.at, "PLACE",
              "zoom to model, layer, a block or a tensor, such as layer.attention.head:3");
    command->add_flag("--tilt", arguments.tilted, "see the diagram in perspective");
    command->add_flag("--log", arguments.log_sides, "draw sides by their logarithm");
    add_value(command, "--tour", arguments.tour, "ID", "a step of this tour, by its id or file");
    add_value(command, "--step", arguments.step, "N", "which step of the tour (1)");
    add_value(command, "--with", arguments.with, "ARCH", "in the Compare view, beside this model");
    add_value(command, "--claim", arguments.claim, "ID", "in the Claims view, this claim");
    add_value(command, "--sheet", arguments.sheet, "ID", "in the Worksheet view, this worksheet or file");
    add_value(command, "--question", arguments.question, "N", "which question of it (1)");
    add_value(command, "--answers", arguments.answers, "FILE", "what a student has answered in it");
    command->add_flag("--present", arguments.present, "as it is shown to a class");
    command->add_option("-o,--output", arguments.output, "FILE.png: the view; FILE.svg: the diagram alone")
        ->required()
        ->type_name("FILE");
}

void describe_window(CLI::App* command, WindowArguments& arguments) {
    command->add_option("ARCH", arguments.model.arch, "open this in the window");
    add_set(command, arguments.model.set);
    add_value(command, "--theme", arguments.theme, "THEME", "dark or light");
    add_value(command, "--size", arguments.size, "WxH", "size of the window in pixels");
    add_value(command, "--tour", arguments.tour, "ID", "start this tour, by its id or file");
    add_value(command, "--screenshot", arguments.screenshot, "FILE", "write a picture of the window and end");
    add_value(command, "--report-ui", arguments.report_ui, "FILE",
              "write what the window shows to this file, for tests");
}

}  // namespace headcount
