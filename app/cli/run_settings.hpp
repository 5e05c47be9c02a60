// What the options of `run` say, as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/cli/model.hpp"
#include "app/cli/run_tree.hpp"
#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"
#include "core/runtime/changes.hpp"
#include "core/runtime/sampler.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

struct RunArguments {
    ModelArguments model;
    std::optional<std::string> prompt;  // this or ids, or neither to see how fast it is
    std::optional<std::vector<std::int64_t>> prompt_ids, token_types;
    std::optional<std::string> source;  // what an encoder beside the decoder reads: this or ids
    std::optional<std::vector<std::int64_t>> source_ids;
    std::optional<std::filesystem::path> pixels, features;  // of a model that reads an image, or sound
    std::optional<std::int64_t> tokens, top_k, seed, threads;
    std::optional<double> temperature, top_p, min_p;
    std::optional<std::filesystem::path> dump;
    std::vector<Change> off, mean, put, scale, patch;
    std::optional<TreeSize> tree;
    bool ids = false, bench = false, rank = false, random_weights = false, json = false;
};

struct RunSettings {
    Sampling sampling;
    std::uint64_t weights_seed = 1;      // of random weights: the sampling's, where it is given
    std::optional<std::int64_t> tokens;  // new ones
    int threads = 1;
};

void describe_run(CLI::App* command, RunArguments& arguments);

RunSettings run_settings(const RunArguments& arguments);

// As many as were asked for; else as many as the processor has, up to 8.
int threads_of(std::optional<std::int64_t> asked);

// "1,2,3", at least one.
Result<std::vector<std::int64_t>> read_ids(const std::string& text, std::string_view flag);

// The ids of a text that this flag gives; `whole`: with what the tokenizer puts around one. Errors: a tokenizer of
// another vocabulary, no token at all.
Result<std::vector<std::int32_t>> text_ids(const std::string& text, bool whole, const std::string& flag,
                                           const Tokenizer& tokenizer, const Architecture& arch);

// The ids that this flag gives; an error where the vocabulary has no such token.
Result<std::vector<std::int32_t>> tokens_of(const std::vector<std::int64_t>& ids, std::string_view flag,
                                            std::int64_t vocab);

// Whether what is read is there, and nothing that this model does not read.
std::optional<Error> wrong_texts(const RunArguments& arguments, const Architecture& arch);

// The numbers of the file that this model reads in the place of text, as `Run::set_numbers` takes them; none of a model
// that reads text.
Result<std::vector<float>> numbers_of(const RunArguments& arguments, const Architecture& arch);

// 128 ids, or as many as the context has room for: to be timed with.
std::vector<std::int32_t> bench_prompt(const Architecture& arch);

// How many new tokens there are to be behind a prompt of so many: what was asked for must fit into the context.
Result<std::int64_t> fitting_tokens(const RunSettings& settings, std::int64_t prompt, const Architecture& arch);

// The kinds of the prompt's tokens, as many as there are of these; none where nothing is said.
Result<std::vector<std::int32_t>> types_of(const RunArguments& arguments, std::int64_t prompt,
                                           const Architecture& arch);

}  // namespace headcount
