// What the options of `run` say, as numbers.
#include "app/cli/run_settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "app/cli/model.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::int64_t usual_tokens = 64, usual_threads = 8, most_threads = 256, bench_tokens = 128;

std::optional<Error> read_real(double& number, const std::optional<std::string>& text, const char* flag) {
    if (!text) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text->c_str(), &end);
    if (text->empty() || *end != '\0')
        return Error{quote(*text) + " is not a number", flag, "give a number such as 0.8"};
    number = value;
    return std::nullopt;
}

}  // namespace

Result<RunSettings> read_run_settings(const RunArguments& arguments) {
    RunSettings settings;
    Sampling& sampling = settings.sampling;
    // Who narrows the choice wants one; who says nothing of it gets the same text every time.
    if (!arguments.top_k && !arguments.top_p && !arguments.min_p) sampling.temperature = 0;
    auto seed = static_cast<std::int64_t>(sampling.seed);
    std::int64_t tokens = usual_tokens;
    std::int64_t threads = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, usual_threads);
    for (const std::optional<Error>& error :
         {read_real(sampling.temperature, arguments.temperature, "--temperature"),
          read_number(sampling.top_k, arguments.top_k, "--top-k", 0),
          read_real(sampling.top_p, arguments.top_p, "--top-p"), read_real(sampling.min_p, arguments.min_p, "--min-p"),
          read_number(seed, arguments.seed, "--seed", 0), read_number(tokens, arguments.tokens, "--tokens", 0),
          read_number(threads, arguments.threads, "--threads", 1)})
        if (error) return *error;
    if (threads > most_threads)
        return Error{grouped(threads) + " threads are too many", "--threads", "give as many as the processor has"};
    sampling.seed = static_cast<std::uint64_t>(seed);
    if (arguments.seed) settings.weights_seed = sampling.seed;
    if (arguments.tokens) settings.tokens = tokens;
    settings.threads = static_cast<int>(threads);
    if (std::optional<Error> error = wrong_sampling(sampling))
        return Error{error->what, "--" + error->where, error->fix};
    return settings;
}

std::optional<Error> wrong_prompt(const RunArguments& arguments) {
    if (arguments.prompt && arguments.prompt_ids)
        return Error{"a prompt is given twice", "--prompt-ids", "give --prompt or --prompt-ids"};
    if (arguments.prompt || arguments.prompt_ids || arguments.bench) return std::nullopt;
    return Error{"there is no prompt", "headcount run", "give --prompt TEXT or --prompt-ids 1,2,3"};
}

Result<std::vector<std::int32_t>> read_ids(const std::string& text, std::int64_t vocab) {
    const char* flag = "--prompt-ids";
    std::vector<std::int32_t> ids;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string word = text.substr(begin, end - begin);
        std::erase(word, ' ');
        const std::string fix = "give ids from 0 to " + grouped(vocab - 1);
        if (word.empty()) return Error{"an id of a token is missing", flag, fix};
        const Result<std::int64_t> id = parse_whole_number(word, flag, 0);
        if (!id) return Error{id.error().what, flag, fix};
        if (*id >= vocab) return Error{grouped(*id) + " is no token: the vocabulary is " + grouped(vocab), flag, fix};
        ids.push_back(static_cast<std::int32_t>(*id));
        begin = end + 1;
    }
    return ids;
}

std::vector<std::int32_t> bench_prompt(const Architecture& arch) {
    const std::int64_t room = arch.context > 0 ? std::max<std::int64_t>(arch.context / 2, 1) : bench_tokens;
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < std::min(bench_tokens, room); ++i)
        ids.push_back(static_cast<std::int32_t>(i % std::max<std::int64_t>(arch.vocab, 1)));
    return ids;
}

Result<std::int64_t> fitting_tokens(const RunSettings& settings, std::int64_t prompt, std::int64_t context) {
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

}  // namespace headcount
