// What `run` may be told.

#include "app/cli/options.hpp"
#include "app/cli/run_changes.hpp"
#include "app/cli/run_settings.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// How the next token is chosen: one number of it, in its range.
CLI::Option* add_sampling(CLI::App* command, const std::string& name, std::optional<double>& value,
                          const std::string& type, const std::string& what, double Sampling::*part) {
    const auto read = [part](const std::string& text, std::string_view flag) -> Result<double> {
        char* end = nullptr;
        Sampling sampling;
        sampling.*part = std::strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0')
            return Error{quote(text) + " is not a number", std::string(flag), "give a number such as 0.8"};
        if (const std::optional<Error> error = wrong_sampling(sampling))
            return Error{error->what, std::string(flag), error->fix};
        return sampling.*part;
    };
    return add_value(command, name, value, type, what, read);
}

CLI::Option* add_change(CLI::App* command, Change::Kind kind, std::vector<Change>& changes, const std::string& type,
                        const std::string& what) {
    return add_values(command, "--" + std::string(key(kind)), changes, type, what + "; may be repeated",
                      [kind](const std::string& text, std::string_view flag) {
                          Result<Change> change = parse_change(kind, text);
                          return change ? change : within(std::string(flag), change.error());
                      });
}

Failure wrong_prompt(const RunArguments& arguments) {
    if (arguments.prompt && arguments.prompt_ids)
        return Error{"a prompt is given twice", "--prompt-ids", "give --prompt or --prompt-ids"};
    if (arguments.source && arguments.source_ids)
        return Error{"a source is given twice", "--source-ids", "give --source or --source-ids"};
    if (arguments.pixels && arguments.features)
        return Error{"an image and sound are given", "--features", "give what the model reads"};
    if (arguments.pixels || arguments.features || arguments.prompt || arguments.prompt_ids || arguments.source ||
        arguments.source_ids || arguments.bench)
        return std::nullopt;
    return Error{"there is no prompt", "headcount run",
                 "give --prompt TEXT or --prompt-ids 1,2,3, or --source where an encoder is to read"};
}

Failure wrong_dump(const RunArguments& arguments) {
    if (changes_of(arguments).empty() || !arguments.dump ||
        std::filesystem::path(*arguments.dump).extension() != ".xlsx")
        return std::nullopt;
    return Error{"the formulas of a spreadsheet know of no experiment", "--dump",
                 "leave --off, --mean, --put, --scale and --patch out, or write .safetensors"};
}

}  // namespace

Result<std::vector<std::int64_t>> read_ids(const std::string& text, std::string_view flag) {
    const std::string fix = "give ids of tokens with commas between them, such as 1,2,3";
    std::vector<std::int64_t> ids;
    for (std::string word : split(text, ',')) {
        std::erase(word, ' ');
        if (word.empty()) return Error{"an id of a token is missing", std::string(flag), fix};
        const Result<std::int64_t> id = parse_whole_number(word, flag, 0);
        if (!id) return Error{id.error().what, std::string(flag), fix};
        ids.push_back(*id);
    }
    return ids;
}

void describe_run(CLI::App* command, RunArguments& arguments) {
    add_model(command, arguments.model);
    add_name(command, "--prompt", arguments.prompt, "TEXT", "what the model goes on from");
    add_value(command, "--prompt-ids", arguments.prompt_ids, "1,2,3", "the same as ids of tokens; needs no tokenizer",
              read_ids);
    add_name(command, "--source", arguments.source, "TEXT",
             "what an encoder beside the decoder reads; the prompt is then how the decoder's text begins");
    add_value(command, "--source-ids", arguments.source_ids, "1,2,3", "the same as ids of tokens", read_ids);
    add_name(command, "--pixels", arguments.pixels, "FILE",
             "the image that a model reads: one tensor (channels, height, width), as its processor makes it");
    add_name(command, "--features", arguments.features, "FILE",
             "the sound that a model reads: one tensor (channels, moments)");
    add_value(command, "--token-types", arguments.token_types, "0,0,1", "of which kind each token of the prompt is (0)",
              read_ids);
    add_whole(command, "--tokens", arguments.tokens, "N",
              "how many new ones at most (64); none of a model that makes no text", 0);
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
    add_name(command, "--dump", arguments.dump, "FILE",
             "every activation of the prompt, as float32 safetensors; .xlsx: as live formulas")
        ->transform(output_file);
    add_change(
        command, Change::Kind::off, arguments.off, "PLACE",
        "what this place adds becomes zero: layer.I.attention, layer.I.attention.head:J, layer.I.feed_forward, "
        "layer.I.feed_forward.neuron:N, layer.I.feed_forward.expert:K, stream.I, or an activation by the name that "
        "--dump gives it, with .column:C; @TOKEN behind it: of this token alone; or a weight, such as "
        "layer.I.attention.query.weight.column:C@ROW; counted from 0");
    add_change(command, Change::Kind::mean, arguments.mean, "PLACE", "the same as it is on average over the prompt");
    add_change(command, Change::Kind::put, arguments.put, "PLACE=X", "each of its numbers becomes X");
    add_change(command, Change::Kind::scale, arguments.scale, "PLACE=X", "the same times X");
    add_change(command, Change::Kind::patch, arguments.patch, "PLACE=FILE",
               "the same as it is in another run, of which --dump wrote FILE");
    command->add_flag("--rank", arguments.rank,
                      "how the log probability of the likeliest next token changes with each head and layer off");
    add_value(command, "--tree", arguments.tree, "WxD",
              "the W likeliest ways in which the prompt may go on, D tokens ahead, as a tree (5x3)", read_tree);
    command->add_flag("--ids", arguments.ids, "the ids of the tokens as well");
    command->add_flag("--bench", arguments.bench, "the tokens per second, going on behind a text's end");
    add_json(command, arguments.json);
    add_rule(command, [&arguments] {
        Failure failure = wrong_prompt(arguments);
        return failure ? failure : wrong_dump(arguments);
    });
}

}  // namespace headcount
