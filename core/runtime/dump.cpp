// The header first, which says where each tensor is to lie, then the tensors one after the other.
#include "core/runtime/dump.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

// One tensor of the file: copies side by side.
struct Written {
    std::string name;
    std::vector<MatrixView> copies;
    bool has_copies = false;      // whether they are a dimension of their own, be it of 1
    std::vector<float> own = {};  // what a run does not have as floats, which the copies then show
};

// The ids of the experts that each token was sent to, beside their weights.
void add_experts(const Run& run, TensorIndex routing, std::int64_t layer, std::vector<Written>& all) {
    const ModelGraph& graph = run.model().graph;
    const bool encoder = graph.of_source(routing);
    const std::span<const std::int32_t> ids = run.experts(layer, encoder);
    Written& made = all.emplace_back();
    made.name = experts_name(graph, routing, layer);
    made.own.assign(ids.begin(), ids.end());
    const std::int64_t columns = run.model().architecture.layer.mixture->experts_per_token;
    made.copies.push_back({made.own.data(), std::ssize(ids) / columns, columns, columns});
}

std::vector<Written> tensors_of(const Run& run) {
    const ModelGraph& graph = run.model().graph;
    std::vector<Written> all;
    const auto add_hidden = [&](const std::string& name, const auto& hidden) {
        for (std::int64_t layer = 0;; ++layer) {
            const MatrixView view = hidden(layer);
            if (!view) return;
            all.push_back({name + std::to_string(layer), {view}});
        }
    };
    add_hidden("hidden.", [&](std::int64_t layer) { return run.hidden(layer); });
    add_hidden("encoder.hidden.", [&](std::int64_t layer) { return run.encoder_hidden(layer); });
    if (const MatrixView output = run.encoder_output()) all.push_back({"encoder.output", {output}});
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.view || !is_computed(tensor.role)) continue;
        const auto index = static_cast<TensorIndex>(i);
        const bool has_copies = graph.is(tensor.block, BlockKind::head) || graph.is(tensor.block, BlockKind::expert);
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        const std::int64_t layers = group ? stack_layers(run.model().architecture, graph.layers[*group].group.kind) : 1;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            Written written{activation_name(graph, index, layer), {}, has_copies};
            for (std::int64_t copy = 0;; ++copy) {
                const MatrixView view = copy == 0 || has_copies ? run.activation(index, layer, copy) : MatrixView{};
                if (!view) break;
                written.copies.push_back(view);
            }
            if (written.copies.empty()) continue;
            all.push_back(std::move(written));
            if (graph.producer(index)->op == Op::route) add_experts(run, index, layer, all);
        }
    }
    return all;
}

std::string header_of(const std::vector<Written>& tensors, std::int64_t tokens) {
    nlohmann::ordered_json header;
    std::int64_t at = tokens * std::int64_t{sizeof(std::int64_t)};
    header["input_ids"] = {{"dtype", "I64"}, {"shape", {tokens}}, {"data_offsets", {0, at}}};
    for (const Written& each : tensors) {
        const MatrixView& first = each.copies.front();
        const auto copies = static_cast<std::int64_t>(each.copies.size());
        nlohmann::json shape = nlohmann::json::array({first.rows, first.columns});
        if (each.has_copies) shape.insert(shape.begin(), copies);
        const std::int64_t bytes = copies * first.rows * first.columns * std::int64_t{sizeof(float)};
        header[each.name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors begin at a multiple of eight
    return text;
}

}  // namespace

std::string activation_name(const ModelGraph& graph, TensorIndex tensor, std::int64_t layer) {
    const std::string& id = graph.tensors[tensor].id;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[tensor].block);
    if (!group) return id;
    const std::string& block = graph.blocks[graph.layers[*group].block].id;
    return block + "." + std::to_string(layer) + id.substr(block.size());
}

std::string experts_name(const ModelGraph& graph, TensorIndex routing, std::int64_t layer) {
    return activation_name(graph, routing, layer) + ".experts";
}

std::optional<Error> write_activations(const Run& run, const std::filesystem::path& path) {
    const std::vector<Written> tensors = tensors_of(run);
    Result<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    const std::string header = header_of(tensors, run.tokens());
    const std::uint64_t length = header.size();
    file->write({reinterpret_cast<const char*>(&length), sizeof(length)});
    file->write(header);
    const std::vector<std::int64_t> ids(run.ids().begin(), run.ids().end());
    file->write({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(std::int64_t)});
    std::vector<float> row;
    for (const Written& each : tensors)
        for (const MatrixView& view : each.copies) {
            row.resize(static_cast<std::size_t>(view.columns));
            for (std::int64_t i = 0; i < view.rows; ++i) {
                for (std::int64_t j = 0; j < view.columns; ++j) row[static_cast<std::size_t>(j)] = view.at(i, j);
                file->write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
            }
        }
    return file->finish();
}

Result<DumpFile> DumpFile::open(const std::filesystem::path& path) {
    Result<Checkpoint> file = read_checkpoint(path);
    if (!file) return file.error();
    return DumpFile(path, *std::move(file));
}

Result<DumpTensor> DumpFile::read(const std::string& name) const {
    const auto found = std::ranges::find(file_.tensors, name, &CheckpointTensor::name);
    if (found == file_.tensors.end())
        return Error{"the file has no tensor " + in_quotes(name), path_.string(),
                     "give what --dump wrote of a run of the same model"};
    Result<FileBytes> bytes = FileBytes::open(file_.files.at(found->file));
    if (!bytes) return bytes.error();
    DumpTensor tensor{found->shape, std::vector<float>(static_cast<std::size_t>(found->elements))};
    if (std::optional<Error> error = read_numbers(*bytes, *found, 0, tensor.numbers)) return *std::move(error);
    const bool finite = std::ranges::all_of(tensor.numbers, [](float each) { return std::isfinite(each); });
    if (finite) return tensor;
    return Error{in_quotes(name) + " holds a number that is none", path_.string(), "give another run's dump"};
}

Error DumpFile::wrong_shape(const std::string& name, const DumpTensor& found,
                            const std::vector<std::int64_t>& expected) const {
    return {in_quotes(name) + " has the shape " + shape_text(found.shape) + ", not " + shape_text(expected),
            path_.string(), "give the dump of a run of the same model on as many tokens"};
}

}  // namespace headcount
