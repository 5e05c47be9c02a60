// What the options of `run` say, as numbers.
#include "app/cli/run_settings.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/runtime/image_and_sound.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

constexpr std::int64_t usual_tokens = 64, bench_tokens = 128;

}  // namespace

RunSettings run_settings(const RunArguments& arguments) {
    RunSettings settings;
    Sampling& sampling = settings.sampling;
    // Who narrows the choice wants one; who says nothing of it gets the same text every time.
    if (!arguments.top_k && !arguments.top_p && !arguments.min_p) sampling.temperature = 0;
    sampling.temperature = arguments.temperature.value_or(sampling.temperature);
    sampling.top_k = arguments.top_k.value_or(sampling.top_k);
    sampling.top_p = arguments.top_p.value_or(sampling.top_p);
    sampling.min_p = arguments.min_p.value_or(sampling.min_p);
    if (arguments.seed) settings.weights_seed = sampling.seed = static_cast<std::uint64_t>(*arguments.seed);
    settings.tokens = arguments.tokens;
    settings.threads = threads_of(arguments.threads);
    return settings;
}

int threads_of(std::optional<std::int64_t> asked) { return static_cast<int>(asked.value_or(usual_threads())); }

Result<std::vector<std::int32_t>> tokens_of(const std::vector<std::int64_t>& ids, std::string_view flag,
                                            std::int64_t vocab) {
    std::vector<std::int32_t> tokens;
    for (const std::int64_t id : ids) {
        if (id >= vocab)
            return Error{grouped(id) + " is no token: the vocabulary is " + grouped(vocab), std::string(flag),
                         "give ids from 0 to " + grouped(vocab - 1)};
        tokens.push_back(static_cast<std::int32_t>(id));
    }
    return tokens;
}

std::optional<Error> wrong_texts(const RunArguments& arguments, const Architecture& arch) {
    const bool text = arguments.prompt || arguments.prompt_ids;
    if (arguments.pixels && !arch.patches)
        return Error{"this model reads no image", "--pixels", "give what it reads: --prompt TEXT, or --features FILE"};
    if (arguments.features && !arch.sound)
        return Error{"this model reads no sound", "--features", "give what it reads: --prompt TEXT, or --pixels FILE"};
    if (arch.patches && (text || !arguments.pixels))
        return Error{"this model reads an image", text ? "--prompt" : "headcount run", "give --pixels FILE"};
    if (arch.sound && (arguments.source || arguments.source_ids || !arguments.features))
        return Error{"this model reads sound", arguments.source || arguments.source_ids ? "--source" : "headcount run",
                     "give --features FILE"};
    if (arch.sound) return std::nullopt;
    const bool source = arguments.source || arguments.source_ids;
    if (source && !arch.encoder)
        return Error{"this model has no encoder beside a decoder, which could read a source", "--source",
                     "give the text as --prompt"};
    if (!arch.encoder || arguments.bench || source) return std::nullopt;
    return Error{"this model's encoder has nothing to read", "headcount run",
                 "give --source TEXT or --source-ids 1,2,3"};
}

Result<std::vector<float>> numbers_of(const RunArguments& arguments, const Architecture& arch) {
    if (!arguments.pixels && !arguments.features) return std::vector<float>{};
    Result<std::vector<float>> numbers =
        arguments.pixels ? read_image(arch, *arguments.pixels) : read_sound(arch, *arguments.features);
    if (!numbers) return within(arguments.pixels ? "--pixels" : "--features", numbers.error());
    return numbers;
}

Result<std::vector<std::int32_t>> types_of(const RunArguments& arguments, std::int64_t prompt,
                                           const Architecture& arch) {
    std::vector<std::int32_t> types;
    if (!arguments.token_types) return types;
    const auto given = static_cast<std::int64_t>(arguments.token_types->size());
    if (given != prompt)
        return Error{grouped(given) + " types are given for " + grouped(prompt) + " tokens", "--token-types",
                     "give one for each token"};
    for (const std::int64_t type : *arguments.token_types) {
        if (type >= arch.token_types)
            return Error{"there is no token type " + grouped(type), "--token-types",
                         arch.token_types > 0 ? "give types from 0 to " + grouped(arch.token_types - 1)
                                              : "leave it out: this model has none"};
        types.push_back(static_cast<std::int32_t>(type));
    }
    return types;
}

std::vector<std::int32_t> bench_prompt(const Architecture& arch) {
    const std::int64_t room = arch.context > 0 ? std::max<std::int64_t>(arch.context / 2, 1) : bench_tokens;
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < std::min(bench_tokens, room); ++i)
        ids.push_back(static_cast<std::int32_t>(i % std::max<std::int64_t>(arch.vocab, 1)));
    return ids;
}

Result<std::int64_t> fitting_tokens(const RunSettings& settings, std::int64_t prompt, const Architecture& arch) {
    const std::int64_t context = most_tokens(arch);
    if (!generates(arch)) {
        if (settings.tokens.value_or(0) > 0)
            return Error{sees_all(arch) ? "this model makes no text: it reads all tokens at once"
                                        : "this model makes no text: it has no scores for a next token",
                         "--tokens", "leave it out, or give 0"};
        if (context <= 0 || prompt <= context) return 0;
    }
    const std::int64_t asked = settings.tokens.value_or(usual_tokens);
    if (context <= 0) return asked;
    if (prompt > context)
        return Error{"the prompt has " + grouped(prompt) + " tokens, the model's context is " + grouped(context),
                     "--prompt", "shorten it"};
    const std::int64_t room = context - prompt + 1;  // the last one is made, and not read
    if (asked <= room || !settings.tokens) return std::min(asked, room);
    return Error{grouped(prompt) + " tokens of prompt and " + grouped(asked) +
                     " new ones do not fit into the context of " + grouped(context) +
                     ", in which the last one needs no place",
                 "--tokens", "give at most " + grouped(room)};
}

Result<std::vector<std::int32_t>> text_ids(const std::string& text, bool whole, const std::string& flag,
                                           const Tokenizer& tokenizer, const Architecture& arch) {
    if (std::optional<Error> error = wrong_size(tokenizer, arch.vocab)) return *std::move(error);
    Result<std::vector<std::int32_t>> ids = tokenizer.encode(text, whole);
    if (!ids) return within(flag, ids.error());
    if (ids->empty()) return Error{"an empty text has no tokens for this model", flag, "give some text"};
    return ids;
}

}  // namespace headcount
