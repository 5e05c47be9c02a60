// The small models of tests/golden/runtime, with what transformers computes of each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "core/checkpoints/checkpoint.hpp"
#include "core/files/config.hpp"
#include "core/runtime/image_and_sound.hpp"
#include "core/runtime/run.hpp"
#include "tests/golden/golden.hpp"

namespace headcount::testing_data {

struct GoldenModel {
    std::string name;
    Architecture architecture;
    std::uint64_t seed = 0;
    bool shipped = false;  // with weights of its own, in assets/models
    std::vector<std::int32_t> prompt, continuation;
    std::vector<std::int32_t> types;   // of tokens, where there are several
    std::vector<std::int32_t> source;  // of an encoder beside the decoder
    std::vector<float> numbers;        // of an image, or of sound, as the model reads it
    std::vector<float> logits;         // (T, V), or what else stands at the end
    std::vector<float> hidden;         // (L + 1, T, d)
    std::vector<float> encoder;        // the same of the source, where there is one
};

inline std::vector<float> floats_of(const Checkpoint& file, const std::string& name) {
    const auto tensor = std::find_if(file.tensors.begin(), file.tensors.end(),
                                     [&](const CheckpointTensor& each) { return each.name == name; });
    if (tensor == file.tensors.end() || tensor->type.name != "F32") throw std::runtime_error("no " + name);
    const std::string bytes = read_file(file.files.at(tensor->file));
    std::vector<float> floats(static_cast<std::size_t>(tensor->elements));
    std::memcpy(floats.data(), bytes.data() + tensor->offset, floats.size() * sizeof(float));
    return floats;
}

// None of a model that reads text.
inline std::vector<float> numbers_read(const Checkpoint& file, const Architecture& arch) {
    if (!arch.patches && !arch.sound) return {};
    const std::vector<float> numbers = floats_of(file, "numbers");
    return arch.patches ? rows_of_image(arch, numbers) : rows_of_sound(arch, numbers);
}

inline std::filesystem::path shipped_folder(const std::string& name) {
    return std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "models" / name;
}

inline GoldenModel golden_run(const std::string& name) {
    const std::filesystem::path folder = golden_folder() / "runtime";
    const nlohmann::json about = read_json_file(folder / (name + ".json"));
    const bool shipped = about.at("config").is_null();
    const nlohmann::json config = shipped ? read_json_file(shipped_folder(name) / "config.json") : about.at("config");
    const Result<Architecture> arch = read_config(config, name);
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    const Result<Checkpoint> file = read_checkpoint(folder / (name + ".safetensors"));
    if (!file) throw std::runtime_error(sentence(file.error()));
    return {.name = name,
            .architecture = *arch,
            .seed = shipped ? 0 : about.at("seed").get<std::uint64_t>(),
            .shipped = shipped,
            .prompt = about.at("prompt"),
            .continuation = about.at("continuation"),
            .types = about.value("types", std::vector<std::int32_t>{}),
            .source = about.value("source", std::vector<std::int32_t>{}),
            .numbers = numbers_read(*file, *arch),
            .logits = floats_of(*file, "logits"),
            .hidden = floats_of(*file, "hidden"),
            .encoder = arch->encoder ? floats_of(*file, "encoder") : std::vector<float>{}};
}

inline std::vector<std::string> golden_runs() {
    std::vector<std::string> names = files_in("runtime");
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}
// Of those that read tokens, which may come one by one.
inline std::vector<std::string> golden_runs_of_text() {
    std::vector<std::string> names = golden_runs();
    std::erase_if(names, [](const std::string& name) { return golden_run(name).architecture.patches.has_value(); });
    return names;
}

inline std::shared_ptr<const Model> model_of(const GoldenModel& golden) {
    Result<std::shared_ptr<const Model>> model = Error{"", "", ""};
    if (golden.shipped) {
        const Result<Checkpoint> weights = read_checkpoint(shipped_folder(golden.name) / "model.safetensors");
        if (!weights) throw std::runtime_error(sentence(weights.error()));
        model = load_model(golden.architecture, *weights);
    } else {
        model = random_model(golden.architecture, golden.seed);
    }
    if (!model) throw std::runtime_error(golden.name + ": " + sentence(model.error()));
    return *model;
}

inline Run start(std::shared_ptr<const Model> model, std::int64_t capacity = 0, int threads = 1) {
    Result<Run> run = Run::start(std::move(model), {.capacity = capacity, .threads = threads, .keep = Keep::all});
    if (!run) throw std::runtime_error(sentence(run.error()));
    return std::move(*run);
}

// What a model reads beside its prompt.
inline void give_texts(Run& run, const GoldenModel& golden) {
    run.set_types(golden.types);
    std::optional<Error> error;
    if (!golden.source.empty()) error = run.set_source(golden.source);
    if (!error && !golden.numbers.empty()) error = run.set_numbers(golden.numbers);
    if (error) throw std::runtime_error(sentence(*error));
}

inline Run begin(const GoldenModel& golden, std::int64_t capacity = 0, int threads = 1) {
    Run run = start(model_of(golden), capacity, threads);
    give_texts(run, golden);
    return run;
}

inline void append(Run& run, std::span<const std::int32_t> ids) {
    std::vector<std::int32_t> all;
    if (run.turns_anew(std::ssize(ids))) {  // then all of them at once
        all.assign(run.ids().begin(), run.ids().end());
        all.insert(all.end(), ids.begin(), ids.end());
        ids = all;
        run.keep_first(0);
    }
    if (std::optional<Error> error = run.append(ids)) throw std::runtime_error(sentence(*error));
}

inline std::int32_t likeliest(std::span<const float> logits) {
    return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

// A change in words, as a run of so many tokens obeys it.
inline NodeChange resolved(const Model& model, Change::Kind kind, const std::string& text, const RunLengths& lengths,
                           const OtherRuns& others = {}) {
    const Result<Change> change = parse_change(kind, text);
    if (!change) throw std::runtime_error(sentence(change.error()));
    Result<NodeChange> found = resolve(*change, model.architecture, model.graph, lengths, others);
    if (!found) throw std::runtime_error(sentence(found.error()));
    return *std::move(found);
}

// The largest difference as a part of the largest value; infinite where the sizes differ or a number is none.
inline double difference(const MatrixView& view, std::span<const float> expected) {
    const auto rows = static_cast<std::size_t>(view.rows), columns = static_cast<std::size_t>(view.columns);
    if (!view || rows * columns != expected.size()) return HUGE_VAL;
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const float got = view.at(static_cast<std::int64_t>(i / columns), static_cast<std::int64_t>(i % columns));
        if (!std::isfinite(got)) return HUGE_VAL;
        largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
        apart = std::max(apart, std::abs(static_cast<double>(got) - static_cast<double>(expected[i])));
    }
    return apart / largest;
}

// Of a tensor that is there.
inline TensorIndex index_of(const ModelGraph& graph, std::string_view id) {
    return static_cast<TensorIndex>(graph.find(id) - graph.tensors.data());
}
inline MatrixView activation_of(const Run& run, std::string_view id, std::int64_t layer = 0, std::int64_t copy = 0) {
    return run.activation(index_of(run.model().graph, id), layer, copy);
}
// Or what else stands at the end.
inline MatrixView logits_of(const Run& run) {
    const ModelGraph& graph = run.model().graph;
    const Node& last = graph.nodes.back();
    return graph.layer_of(last.block) ? run.hidden(run.model().architecture.layers) : run.activation(last.output);
}

// Of the residual stream that enters layer 0 and leaves each layer, an encoder's before the decoder's, and of what
// stands at the end.
inline std::vector<double> differences(const Run& run, const GoldenModel& golden) {
    std::vector<double> all;
    const auto add = [&](const std::vector<float>& expected, std::int64_t layers, const auto& hidden) {
        const std::size_t size = expected.size() / static_cast<std::size_t>(layers + 1);
        for (std::int64_t layer = 0; layer <= layers; ++layer)
            all.push_back(
                difference(hidden(layer), std::span(expected).subspan(static_cast<std::size_t>(layer) * size, size)));
    };
    const Architecture& arch = golden.architecture;
    if (arch.encoder)
        add(golden.encoder, arch.encoder->layers, [&](std::int64_t layer) { return run.encoder_hidden(layer); });
    add(golden.hidden, arch.layers, [&](std::int64_t layer) { return run.hidden(layer); });
    all.push_back(difference(logits_of(run), golden.logits));
    return all;
}

inline constexpr double agreement = 1e-4;

}  // namespace headcount::testing_data
