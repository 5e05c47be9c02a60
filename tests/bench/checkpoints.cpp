// How long it takes to read a safetensors index with all the headers of its 1,000 shards.
#include <benchmark/benchmark.h>

#include "core/checkpoints/safetensors.hpp"
#include "tests/core/checkpoints/safetensors_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

constexpr int shards = 1000;

// A layer of Llama 3.1 405B in each shard. The weights, 6 TB, are holes in the files.
std::filesystem::path write_shards(const testing_data::Scratch& scratch) {
    nlohmann::json map = nlohmann::json::object();
    for (int i = 0; i < shards; ++i) {
        char file[64];
        std::snprintf(file, sizeof(file), "model-%05d-of-%05d.safetensors", i + 1, shards);
        const std::string layer = "model.layers." + std::to_string(i) + ".";
        const std::vector<testing_data::Bf16Tensor> tensors{
            {layer + "input_layernorm.weight", {16384}},          {layer + "mlp.down_proj.weight", {16384, 53248}},
            {layer + "mlp.gate_proj.weight", {53248, 16384}},     {layer + "mlp.up_proj.weight", {53248, 16384}},
            {layer + "post_attention_layernorm.weight", {16384}}, {layer + "self_attn.k_proj.weight", {1024, 16384}},
            {layer + "self_attn.o_proj.weight", {16384, 16384}},  {layer + "self_attn.q_proj.weight", {16384, 16384}},
            {layer + "self_attn.v_proj.weight", {1024, 16384}}};
        for (const auto& tensor : tensors) map[tensor.name] = file;
        const testing_data::SafetensorsHead head = testing_data::safetensors_head(tensors);
        std::filesystem::resize_file(scratch.file(file, head.bytes), head.whole);
    }
    return scratch.file("model.safetensors.index.json",
                        nlohmann::json{{"metadata", {{"total_size", 1}}}, {"weight_map", map}}.dump(2));
}

void read_thousand_shards(benchmark::State& state) {
    const testing_data::Scratch scratch;
    const std::filesystem::path index = write_shards(scratch);
    std::size_t tensors = 0;
    for ([[maybe_unused]] auto _ : state) {
        const Result<Checkpoint> model = read_checkpoint(index);
        if (!model) {
            state.SkipWithError(sentence(model.error()).c_str());
            return;
        }
        tensors = model->tensors.size();
    }
    state.SetLabel(std::to_string(shards) + " shards, " + std::to_string(tensors) + " tensors");
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.1)->Repetitions(9)->ReportAggregatesOnly();
}

BENCHMARK(read_thousand_shards)->Apply(medians);

}  // namespace
}  // namespace headcount
