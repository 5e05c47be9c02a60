// Finds the model that is asked for, and how much of a run there is memory for.
#include "app/state/run/model.hpp"

#include <algorithm>
#include <array>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/json_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/files/assets.hpp"
#include "core/files/open.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/this_machine.hpp"

namespace headcount {
namespace {

constexpr std::string_view shipped_model = "models/tiny-stories";
constexpr std::size_t most_examples = 20;
constexpr std::int64_t most_activations = std::int64_t{1} << 30;            // bytes that are kept to be looked at
constexpr std::array<std::int64_t, 5> capacities{1024, 512, 256, 128, 64};  // tokens

std::optional<Error> open_shipped(RunBasis& basis) {
    const Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    const std::filesystem::path folder = *assets / shipped_model;
    Result<Opened> opened = open_architecture(folder.string(), {});
    if (!opened) return opened.error();
    if (!opened->checkpoint)
        return Error{"the model that ships has no weights", folder.string(), "install Headcount again"};
    basis.architecture = std::move(opened->architecture);
    basis.architecture.name = "Tiny stories";
    basis.checkpoint = std::move(opened->checkpoint);
    basis.file = folder.string();
    return std::nullopt;
}

// Of prompts.json beside the weights; none where there is none.
Result<std::vector<ExamplePrompt>> read_examples(const std::filesystem::path& file) {
    std::vector<ExamplePrompt> examples;
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::is_directory(file, none) ? file : file.parent_path();
    const std::filesystem::path path = folder / "prompts.json";
    if (!std::filesystem::exists(path, none)) return examples;
    const Result<nlohmann::json> json = read_json(path);
    if (!json) return json.error();
    if (auto wrong = json_fields::wrong_list(*json, "", "prompts", 1, most_examples))
        return within(path.string(), *std::move(wrong));
    for (const nlohmann::json& each : (*json)["prompts"]) {
        ExamplePrompt& example = examples.emplace_back();
        for (auto [key, text] : {std::pair("text", &example.text), {"shows", &example.shows}})
            if (auto wrong = json_fields::read_text(each, "prompts", key, *text, true))
                return within(path.string(), *std::move(wrong));
    }
    return examples;
}

std::optional<Error> wrong_source(const RunBasis& basis) {
    if (basis.source != RunSource::file) return std::nullopt;
    if (!basis.checkpoint)
        return Error{"there are no weights in or beside the file", basis.file,
                     "open one that has some, or choose random weights"};
    if (basis.edited)
        return Error{"the model was edited, and its weights are those of the file", "",
                     "undo the edits, or choose random weights"};
    return std::nullopt;
}

// As many tokens as memory has room for with all activations kept; else with the least that answers what may follow:
// of a model that makes no tokens a masked one may stand anywhere, and the logits of all are needed.
std::optional<Error> choose_options(RunModel& model, std::int64_t given_back) {
    const Architecture& arch = model.architecture();
    model.options.threads = usual_threads();
    std::optional<std::int64_t> free = available_memory();
    if (free) *free += given_back;
    std::optional<std::int64_t> stored;
    if (model.of.checkpoint) {
        const Result<std::int64_t> bytes = weight_bytes(arch, *model.of.checkpoint);
        if (!bytes) return bytes.error();
        stored = *bytes;
    }
    const auto choose = [&](Keep keep, std::int64_t capacity) -> std::optional<Error> {
        model.options.keep = keep;
        model.options.capacity = arch.context > 0 ? std::min(arch.context, capacity) : capacity;
        model.options.source = arch.encoder ? model.options.capacity : 0;
        const Result<MemoryNeed> need = memory_need(arch, model.options);
        if (!need) return need.error();
        model.need = *need;
        model.need.weights = stored.value_or(need->weights);
        return std::nullopt;
    };
    const Keep least = generates(arch) ? Keep::nothing : Keep::hidden;
    // Where even that does not fit, no other does.
    if (std::optional<Error> error = choose(least, capacities.back())) return error;
    if (free && model.need.total() > *free)
        return does_not_fit(model.need.total(), "weights and caches of " + arch.name);
    for (const Keep keep : {Keep::all, least})
        for (const std::int64_t capacity : capacities) {
            if (std::optional<Error> error = choose(keep, capacity)) return error;
            const bool held = keep != Keep::all || model.need.activations <= most_activations;
            if (held && (!free || model.need.total() <= *free)) return std::nullopt;
        }
    return std::nullopt;
}

}  // namespace

RunBasis run_basis(RunSource source, const Shown& own) {
    RunBasis basis{.source = source};
    if (source == RunSource::shipped) return basis;
    basis.architecture = own.derived.shown.architecture;
    if (source == RunSource::random) return basis;
    basis.checkpoint = own.derived.weights.checkpoint;
    basis.file = own.document.file;
    basis.edited = own.document.architecture != own.document.base;
    return basis;
}

RunModel run_model(RunBasis basis, std::int64_t given_back) {
    RunModel model{.asked = basis, .of = std::move(basis)};
    if (model.of.source == RunSource::shipped) model.wrong = open_shipped(model.of);
    if (!model.wrong) model.wrong = wrong_source(model.of);
    if (!model.wrong && model.of.checkpoint) {
        Result<std::vector<ExamplePrompt>> examples = read_examples(model.of.file);
        if (examples)
            model.examples = *std::move(examples);
        else
            model.no_examples = examples.error();
    }
    if (!model.of.architecture.family) return model;
    const Architecture& arch = model.architecture();
    const ModelGraph graph = expand(arch, Cache::filled);
    const Result<Parameters> parameters = count_parameters(graph, bindings(arch, Input{}));
    if (parameters) model.parameters = parameters->total;
    if (!model.wrong) model.wrong = choose_options(model, given_back);
    model.flops = flops_formula(graph);
    if (arch.encoder) model.first_flops = flops_formula(expand(arch));
    const MemoryOptions floats{.weights = Precision::fp32, .cache = Precision::fp32, .serving = {.chunk = 0}};
    const MemoryFormulas memory(arch, expand(arch), floats);
    model.cache_bytes = memory.cache_formula();
    model.state_bytes = memory.states_formula();
    model.decode_flops = run_flops(model, 1, 0);
    return model;
}

double run_flops(const RunModel& model, std::int64_t tokens, std::int64_t behind, std::int64_t source) {
    const Input input{.tokens = tokens, .batch = 1, .cached = behind, .source = source};
    const bool encodes = model.first_flops && behind == 0;
    const Result<std::int64_t> flops =
        evaluate(encodes ? *model.first_flops : model.flops, bindings(model.architecture(), input));
    return flops ? static_cast<double>(*flops) : 0;
}

}  // namespace headcount
