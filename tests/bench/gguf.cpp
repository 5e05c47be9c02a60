// How long it takes to read the header of a GGUF file with 128,000 vocabulary entries and 300 tensors: Headcount's
// reader, and ggml's own where HEADCOUNT_GGML names its library (libggml-base.so), on the same file in the same run.
#include "core/checkpoints/gguf.hpp"

#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdlib>
#include <optional>

#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

constexpr int vocabulary = 128'000, layers = 33, tensors = 300;

// Laid out as Llama 3's files are. The weights, 4.3 GB, are a hole in the file.
std::string write_model(const testing_data::Scratch& scratch) {
    testing_data::GgufFile model;
    std::vector<std::string> tokens, merges;
    for (int i = 0; i < vocabulary; ++i) {
        tokens.push_back("token" + std::to_string(i));
        merges.push_back("tok " + std::to_string(i));
    }
    model.text("general.architecture", "llama")
        .number("llama.block_count", layers)
        .number("llama.embedding_length", 4096);
    model.texts("tokenizer.ggml.tokens", tokens).texts("tokenizer.ggml.merges", merges);
    model.numbers("tokenizer.ggml.token_type", std::vector<std::uint32_t>(vocabulary, 1));
    const auto q4_k = [&](const std::string& name, std::uint64_t in, std::uint64_t out) {
        model.tensor(name + ".weight", {in, out}, 12, 256, 144);
    };
    q4_k("token_embd", 4096, vocabulary);
    q4_k("output", 4096, vocabulary);
    for (int i = 0; i < layers; ++i) {
        const std::string layer = "blk." + std::to_string(i) + ".";
        for (const char* norm : {"attn_norm", "ffn_norm"}) model.tensor(layer + norm + ".weight", {4096});
        for (const char* name : {"attn_q", "attn_output"}) q4_k(layer + name, 4096, 4096);
        for (const char* name : {"attn_k", "attn_v"}) q4_k(layer + name, 4096, 1024);
        for (const char* name : {"ffn_gate", "ffn_up"}) q4_k(layer + name, 4096, 14336);
        q4_k(layer + "ffn_down", 14336, 4096);
    }
    model.tensor("output_norm.weight", {4096});
    std::string path = scratch.file("model.gguf", model.header());
    std::filesystem::resize_file(path, (model.header().size() + 31) / 32 * 32 + model.data_bytes());
    return path;
}

void read_gguf_header(benchmark::State& state) {
    const testing_data::Scratch scratch;
    const std::filesystem::path path = write_model(scratch);
    for ([[maybe_unused]] auto _ : state) {
        const Result<Checkpoint> model = read_gguf(path);
        if (!model || model->tensors.size() != tensors) {
            state.SkipWithError("the file of the benchmark cannot be read");
            return;
        }
    }
    state.SetLabel(std::to_string(vocabulary) + " entries, " + std::to_string(tensors) + " tensors");
}

// What of ggml's gguf.h is called, and the library that it is called in.
struct GgmlParameters {
    bool no_alloc;
    void** context;
};
struct Ggml {
    void* (*open)(const char* path, GgmlParameters parameters);
    void (*close)(void* file);
};

std::optional<Ggml> load_ggml() {
    void* library = dlopen(std::getenv("HEADCOUNT_GGML"), RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::nullopt;
    const Ggml found{reinterpret_cast<decltype(Ggml::open)>(dlsym(library, "gguf_init_from_file")),
                     reinterpret_cast<decltype(Ggml::close)>(dlsym(library, "gguf_free"))};
    return found.open && found.close ? std::optional(found) : std::nullopt;
}

void read_gguf_header_ggml(benchmark::State& state) {
    const std::optional<Ggml> peer = load_ggml();
    if (!peer) {
        const char* reason = dlerror();
        state.SkipWithError(reason ? reason : "HEADCOUNT_GGML names no library of ggml");
        return;
    }
    const testing_data::Scratch scratch;
    const std::string path = write_model(scratch);
    for ([[maybe_unused]] auto _ : state) {
        void* model = peer->open(path.c_str(), {.no_alloc = true, .context = nullptr});
        if (!model) {
            state.SkipWithError("ggml cannot read the file of the benchmark");
            return;
        }
        peer->close(model);
    }
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.1)->Repetitions(9)->ReportAggregatesOnly();
}

BENCHMARK(read_gguf_header)->Apply(medians);
[[maybe_unused]] const auto* const optional_benchmark =
    std::getenv("HEADCOUNT_GGML")
        ? benchmark::RegisterBenchmark("read_gguf_header_ggml", read_gguf_header_ggml) -> Apply(medians)
        : nullptr;

}  // namespace
}  // namespace headcount
