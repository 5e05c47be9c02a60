// Puts a model together: what it needs is asked for before anything is allocated, each tensor is found in its file, and
// is what the graph expects.
#include "core/runtime/model.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/arch/family.hpp"
#include "core/base/checked.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/checkpoints/gguf_published.hpp"
#include "core/runtime/fill_weights.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/restored.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

Error wrong_shape(const std::string& name, const std::vector<std::int64_t>& found,
                  const std::vector<std::int64_t>& expected) {
    return {"the weights have the shape " + shape_text(found) + ", not " + shape_text(expected), name,
            "open the weights with the architecture that they belong to"};
}

// The tensors of a checkpoint's files by the names of the published checkpoint, as `fill_weights` asks for them.
class WeightFiles {
  public:
    // Opens the files of a model with this configuration. The checkpoint must outlive it.
    static Result<WeightFiles> open(const Checkpoint& checkpoint, const Carried& configuration) {
        if (is_gguf(checkpoint) && has_states(checkpoint))
            return Error{"layers with a state are stored in other numbers in a GGUF file, which are not read here",
                         checkpoint.files.empty() ? std::string() : checkpoint.files.front().string(),
                         "open the model's .safetensors"};
        WeightFiles files(checkpoint);
        files.quantization_ = quantization_of(configuration);
        for (const std::filesystem::path& path : checkpoint.files) {
            Result<FileBytes> file = FileBytes::open(path);
            if (!file) return file.error();
            files.files_.push_back(std::move(*file));
        }
        for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) {
            const std::string& name = checkpoint.tensors[i].name;
            files.names_.emplace(name, i);
            files.plain_names_.emplace(plain_name(name), i);
        }
        if (is_gguf(checkpoint)) {
            files.published_ = published_tensors(checkpoint).tensors;
            for (std::size_t i = 0; i < files.published_.size(); ++i)
                files.published_names_.emplace(files.published_[i].name, i);
        }
        return files;
    }

    // How the tensor that was asked for can be read, as long as these files are there; errors name it: missing, of
    // another shape, of a type not read.
    Result<StoredRows> read(const StoredCopy& copy) {
        if (const BlockForm* const kept = form(copy)) return rows_of(*piece_of(copy), kept);
        if (is_gguf(*checkpoint_)) {
            if (const PublishedTensor* const tensor = published(copy)) {
                if (tensor->shape != copy.shape) return wrong_shape(tensor->name, tensor->shape, copy.shape);
                const Result<ReadRows> rows =
                    published_rows(*checkpoint_, *tensor, copy.place.within.value_or(0),
                                   [this](std::size_t index, std::int64_t first, std::span<float> out) {
                                       return read_from(index, first, out);
                                   });
                return rows ? Result<StoredRows>({*rows}) : rows.error();
            }
        } else if (Result<std::optional<std::vector<float>>> restored = restore(copy); !restored) {
            return restored.error();
        } else if (*restored) {
            return StoredRows{held_rows(std::move(**restored))};
        } else if (const CheckpointTensor* const stored = find(copy.name)) {
            if (stored->shape != copy.shape) return wrong_shape(stored->name, stored->shape, copy.shape);
            return rows_of(*piece_of(copy), nullptr);
        } else if (std::optional<StoredRows> rows = joined(copy)) {
            return *std::move(rows);
        }
        return Error{"the weights lack a tensor of shape " + shape_text(copy.shape), copy.name,
                     "fetch the whole checkpoint, or take random weights"};
    }

    // In which blocks it lies in one piece of a file; null where it does not.
    const BlockForm* form(const StoredCopy& copy) const {
        const std::optional<FilePiece> piece = piece_of(copy);
        if (!piece) return nullptr;
        const StorageType& type = checkpoint_->tensors[piece->index].type;
        const BlockForm* const form = kept_form(type);
        const bool whole = piece->first % type.elements == 0 && copy.shape.back() % type.elements == 0;
        return form && whole ? form : nullptr;
    }

    // The file's name of a tensor, in whatever form it has it; empty where there is none.
    std::string named_plainly(const std::string& name) const {
        const auto found = plain_names_.find(plain_name(name));
        return found != plain_names_.end() ? checkpoint_->tensors[found->second].name : "";
    }

    // What this kind of file has done to the weights.
    FillOptions options(const Architecture& arch, double norm_offset) const {
        FillOptions options;
        options.neighbours_paired = checkpoint_->format.starts_with("llama2.c");
        if (is_gguf(*checkpoint_)) {
            options.parts_in_turn = true;
            options.neighbours_paired = rotates(arch) && permutes_queries(*checkpoint_);
            options.less_of_norms = norm_offset;  // llama.cpp's converters add it once and for all
        }
        return options;
    }

  private:
    explicit WeightFiles(const Checkpoint& checkpoint) : checkpoint_(&checkpoint) {}

    const CheckpointTensor* find(const std::string& name) const {
        const auto found = names_.find(name);
        return found != names_.end() ? &checkpoint_->tensors[found->second] : nullptr;
    }

    // Of a GGUF file: the tensor under its published name.
    const PublishedTensor* published(const StoredCopy& copy) const {
        // Tensors of every expert or head have one entry, whose name leaves the index open.
        const std::string& own = copy.tensor.name;
        const std::string every =
            copy.place.layer ? name_in_layer(own, std::to_string(*copy.place.layer)) : name_at(own, {});
        for (const std::string& name : {copy.name, every})
            if (const auto found = published_names_.find(name); found != published_names_.end())
                return &published_[found->second];
        return nullptr;
    }

    // Where it lies in the files just as it is published; nothing where it does not.
    std::optional<FilePiece> piece_of(const StoredCopy& copy) const {
        if (is_gguf(*checkpoint_)) {
            const PublishedTensor* const tensor = published(copy);
            if (!tensor || tensor->shape != copy.shape) return std::nullopt;
            const auto piece = published_piece(*checkpoint_, *tensor, copy.place.within.value_or(0));
            return piece ? *piece : std::nullopt;
        }
        const CheckpointTensor* const stored = find(copy.name);
        if (!stored || stored->shape != copy.shape) return std::nullopt;
        return FilePiece{static_cast<std::size_t>(stored - checkpoint_->tensors.data())};
    }

    StoredRows rows_of(const FilePiece& piece, const BlockForm* form) {
        return {
            .read = [this, piece](std::int64_t first,
                                  std::span<float> out) { return read_from(piece.index, piece.first + first, out); },
            .form = form,
            .blocks =
                [this, piece](std::int64_t first, std::int64_t count) {
                    const CheckpointTensor& tensor = checkpoint_->tensors[piece.index];
                    return read_blocks(files_[tensor.file], tensor, piece.first + first, count);
                }};
    }

    // Its pieces one behind the other; nothing where they are not all there, or do not make the whole.
    std::optional<StoredRows> joined(const StoredCopy& copy) {
        std::vector<std::size_t> pieces;
        std::optional<std::int64_t> rows = 0;
        for (const std::string& name : piece_names(copy.tensor, copy.name)) {
            const CheckpointTensor* const piece = find(name);
            if (!piece || !alike_beyond_rows(piece->shape, copy.shape)) return std::nullopt;
            if (rows) rows = checked_add(*rows, piece->shape.front());
            pieces.push_back(static_cast<std::size_t>(piece - checkpoint_->tensors.data()));
        }
        if (pieces.empty() || rows != copy.shape.front()) return std::nullopt;
        return StoredRows{[this, pieces](std::int64_t first, std::span<float> out) -> std::optional<Error> {
            for (const std::size_t index : pieces) {
                const std::int64_t size = checkpoint_->tensors[index].elements;
                const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(size - first, 0, std::ssize(out)));
                if (count > 0)
                    if (std::optional<Error> error = read_from(index, first, out.first(count))) return error;
                out = out.subspan(count);
                first = std::max<std::int64_t>(first - size, 0);
            }
            return std::nullopt;
        }};
    }

    // What a quantizer has stored in several tensors; nothing where it is stored as it is.
    Result<std::optional<std::vector<float>>> restore(const StoredCopy& copy) {
        const StoredParts parts{.find = [this](const std::string& name) { return find(name); },
                                .bytes = [this](const CheckpointTensor& tensor) -> Result<std::vector<std::byte>> {
                                    const auto bytes =
                                        files_[tensor.file].at(tensor.offset, static_cast<std::size_t>(tensor.bytes));
                                    if (!bytes) return within(tensor.name, bytes.error());
                                    return std::vector<std::byte>(bytes->begin(), bytes->end());
                                }};
        return restored_numbers(parts, quantization_, copy.name, copy.shape);
    }

    std::optional<Error> read_from(std::size_t index, std::int64_t first, std::span<float> out) {
        const CheckpointTensor& tensor = checkpoint_->tensors[index];
        return read_numbers(files_[tensor.file], tensor, first, out);
    }

    const Checkpoint* checkpoint_;
    Quantization quantization_;
    std::vector<FileBytes> files_;
    std::map<std::string, std::size_t, std::less<>> names_;  // of the checkpoint's tensors
    std::map<std::string, std::size_t, std::less<>> plain_names_;
    std::vector<PublishedTensor> published_;  // GGUF's
    std::map<std::string, std::size_t, std::less<>> published_names_;
};

// What is added to the weights of norms: the same for all of a model.
double norm_offset(const ModelGraph& graph) {
    const Node* norm = graph.first(Op::norm);
    return norm ? norm->rule<NormRule>().offset : 0;
}

// Files of base models have their tensors without the first part of the name, those of whole models, of which the base
// is wanted, with one more.
std::vector<StoredCopy> renamed(const Architecture& arch, const StoredCopy& copy) {
    StoredCopy shorter = copy, longer = copy;
    shorter.name = copy.name.substr(copy.name.find('.') + 1);
    longer.name = std::string(arch.family->base_path()) + "." + copy.name;
    return {shorter, longer};
}

Result<StoredRows> read_any_name(WeightFiles& files, const Architecture& arch, const StoredCopy& copy) {
    Result<StoredRows> read = files.read(copy);
    if (read) return read;
    std::vector<StoredCopy> others = renamed(arch, copy);
    others.push_back(copy);
    others.back().name = files.named_plainly(copy.name);
    for (const StoredCopy& each : others)
        if (Result<StoredRows> other = files.read(each); other && !each.name.empty()) return other;
    return read;
}

StoredForms forms_in(const WeightFiles& files, const Architecture& arch, const ModelGraph& graph) {
    return stored_forms(arch, graph, [&](const StoredCopy& copy) {
        const BlockForm* form = files.form(copy);
        for (const StoredCopy& each : renamed(arch, copy)) form = form ? form : files.form(each);
        return form;
    });
}

// The model with room for its weights.
Result<std::shared_ptr<Model>> empty_model(const Architecture& arch, WeightFiles* files) {
    ModelGraph graph = expand(arch, Cache::filled);
    if (graph.unread) return *graph.unread;
    const StoredForms forms = files ? forms_in(*files, arch, graph) : StoredForms();
    const Result<std::int64_t> bytes = Weights::bytes_of(arch, graph, forms);
    if (!bytes) return bytes.error();
    if (std::optional<Error> error = does_not_fit(*bytes, "the weights")) return *error;
    Result<Weights> weights = Weights::reserve(arch, graph, forms);
    if (!weights) return weights.error();
    return std::make_shared<Model>(Model{arch, std::move(graph), std::move(*weights)});
}

}  // namespace

Result<std::shared_ptr<const Model>> load_model(const Architecture& arch, const Checkpoint& checkpoint,
                                                const Watch& watch) {
    Result<WeightFiles> files = WeightFiles::open(checkpoint, arch.carried);
    if (!files) return files.error();
    Result<std::shared_ptr<Model>> model = empty_model(arch, &*files);
    if (!model) return model.error();
    const FillOptions options = files->options(arch, norm_offset((*model)->graph));
    const std::optional<Error> error =
        fill_weights((*model)->weights, arch, (*model)->graph, options,
                     [&](const StoredCopy& copy) { return read_any_name(*files, arch, copy); }, watch);
    if (error) return *error;
    return std::shared_ptr<const Model>(*model);
}

Result<std::int64_t> weight_bytes(const Architecture& arch, const Checkpoint& checkpoint) {
    const Result<WeightFiles> files = WeightFiles::open(checkpoint, arch.carried);
    if (!files) return files.error();
    const ModelGraph graph = expand(arch, Cache::filled);
    return Weights::bytes_of(arch, graph, forms_in(*files, arch, graph));
}

Result<std::shared_ptr<const Model>> random_model(const Architecture& arch, std::uint64_t seed, const Watch& watch) {
    Result<std::shared_ptr<Model>> model = empty_model(arch, nullptr);
    if (!model) return model.error();
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const ModelGraph& graph = (*model)->graph;
    const double offset = norm_offset(graph);
    const auto draw = [&](const StoredCopy& copy) -> Result<StoredRows> {
        const Drawn from = drawn_from(graph, copy.tensor, values, offset);
        const std::uint64_t stream = random_stream(seed, copy.name);
        return StoredRows{[=](std::int64_t first, std::span<float> out) -> std::optional<Error> {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = drawn(from, stream, static_cast<std::uint64_t>(first) + i);
            return std::nullopt;
        }};
    };
    if (std::optional<Error> error = fill_weights((*model)->weights, arch, graph, {}, draw, watch)) return *error;
    return std::shared_ptr<const Model>(*model);
}

}  // namespace headcount
