// Puts a model together: what it needs is asked for before anything is allocated.
#include "core/runtime/model.hpp"

#include "core/runtime/fill_weights.hpp"
#include "core/runtime/memory_need.hpp"
#include "core/runtime/random_weights.hpp"
#include "core/runtime/weight_files.hpp"

namespace headcount {
namespace {

// The model with room for its weights.
Result<std::shared_ptr<Model>> empty_model(const Architecture& arch) {
    Result<Computation> computation = computation_of(arch);
    if (!computation) return computation.error();
    ModelGraph graph = expand(arch, Cache::filled);
    const Result<std::int64_t> bytes = Weights::bytes_of(arch, graph);
    if (!bytes) return bytes.error();
    if (std::optional<Error> error = does_not_fit(*bytes, "the weights in float32")) return *error;
    Result<Weights> weights = Weights::reserve(arch, graph);
    if (!weights) return weights.error();
    return std::make_shared<Model>(Model{arch, std::move(*computation), std::move(graph), std::move(*weights)});
}

// Files of base models have their tensors without the first part of the name.
Result<ReadRows> read_any_name(WeightFiles& files, const StoredCopy& copy) {
    Result<ReadRows> read = files.read(copy);
    if (read || copy.name.find('.') == std::string::npos) return read;
    StoredCopy shorter = copy;
    shorter.name = copy.name.substr(copy.name.find('.') + 1);
    if (Result<ReadRows> other = files.read(shorter)) return other;
    return read;
}

}  // namespace

Result<std::shared_ptr<const Model>> load_model(const Architecture& arch, const Checkpoint& checkpoint,
                                                const Watch& watch) {
    Result<WeightFiles> files = WeightFiles::open(checkpoint);
    if (!files) return files.error();
    Result<std::shared_ptr<Model>> model = empty_model(arch);
    if (!model) return model.error();
    const FillOptions options = files->options(arch, (*model)->computation.norm_offset);
    const std::optional<Error> error =
        fill_weights((*model)->weights, arch, (*model)->graph, options,
                     [&](const StoredCopy& copy) { return read_any_name(*files, copy); }, watch);
    if (error) return *error;
    return std::shared_ptr<const Model>(*model);
}

Result<std::shared_ptr<const Model>> random_model(const Architecture& arch, std::uint64_t seed, const Watch& watch) {
    Result<std::shared_ptr<Model>> model = empty_model(arch);
    if (!model) return model.error();
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const double norm_offset = (*model)->computation.norm_offset;
    const ModelGraph& graph = (*model)->graph;
    const auto draw = [&](const StoredCopy& copy) -> Result<ReadRows> {
        const Drawn from = drawn_from(graph, copy.tensor, values, norm_offset);
        const std::uint64_t stream = random_stream(seed, copy.name);
        return ReadRows([=](std::int64_t first, std::span<float> out) -> std::optional<Error> {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = drawn(from, stream, static_cast<std::uint64_t>(first) + i);
            return std::nullopt;
        });
    };
    if (std::optional<Error> error = fill_weights((*model)->weights, arch, graph, {}, draw, watch)) return *error;
    return std::shared_ptr<const Model>(*model);
}

}  // namespace headcount
