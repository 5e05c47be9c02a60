// Finds each tensor in its file and sees that it is what the graph expects.
#include "core/runtime/weight_files.hpp"

#include "core/runtime/gguf_numbers.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (const std::int64_t each : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}

Error wrong_shape(const std::string& name, const std::vector<std::int64_t>& found,
                  const std::vector<std::int64_t>& expected) {
    return {"the weights have the shape " + shape_text(found) + ", not " + shape_text(expected), name,
            "open the weights with the architecture that they belong to"};
}

}  // namespace

Result<WeightFiles> WeightFiles::open(const Checkpoint& checkpoint) {
    WeightFiles files(checkpoint);
    for (const std::filesystem::path& path : checkpoint.files) {
        Result<FileBytes> file = FileBytes::open(path);
        if (!file) return file.error();
        files.files_.push_back(std::move(*file));
    }
    for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) files.names_.emplace(checkpoint.tensors[i].name, i);
    if (is_gguf(checkpoint)) {
        files.published_ = published_tensors(checkpoint).tensors;
        for (std::size_t i = 0; i < files.published_.size(); ++i)
            files.published_names_.emplace(files.published_[i].name, i);
    }
    return files;
}

FillOptions WeightFiles::options(const Architecture& arch, double norm_offset) const {
    FillOptions options;
    options.neighbours_paired = checkpoint_->format.starts_with("llama2.c");
    if (is_gguf(*checkpoint_)) {
        options.parts_in_turn = true;
        options.neighbours_paired = rotates(arch) && permutes_queries(*checkpoint_);
        options.less_of_norms = norm_offset;  // llama.cpp's converters add it once and for all
    }
    return options;
}

Result<ReadRows> WeightFiles::read_as_stored(const CheckpointTensor& tensor, const StoredCopy& copy) {
    if (tensor.shape != copy.shape) return wrong_shape(tensor.name, tensor.shape, copy.shape);
    return ReadRows([this, &tensor](std::int64_t first, std::span<float> out) {
        return read_numbers(files_[tensor.file], tensor, first, out);
    });
}

Result<ReadRows> WeightFiles::read_published(const PublishedTensor& tensor, const StoredCopy& copy) {
    if (tensor.shape != copy.shape) return wrong_shape(tensor.name, tensor.shape, copy.shape);
    return published_rows(*checkpoint_, tensor, copy.place.within.value_or(0),
                          [this](std::size_t index, std::int64_t first, std::span<float> out) -> std::optional<Error> {
                              const CheckpointTensor& own = checkpoint_->tensors[index];
                              return read_numbers(files_[own.file], own, first, out);
                          });
}

Result<ReadRows> WeightFiles::read(const StoredCopy& copy) {
    if (is_gguf(*checkpoint_)) {
        // Tensors of every expert or head have one entry, whose name leaves the index open.
        const std::string& own = copy.tensor.name;
        const std::string every =
            copy.place.layer ? name_in_layer(own, std::to_string(*copy.place.layer)) : name_at(own, {});
        for (const std::string& name : {copy.name, every})
            if (const auto found = published_names_.find(name); found != published_names_.end())
                return read_published(published_[found->second], copy);
    } else if (const auto found = names_.find(copy.name); found != names_.end()) {
        return read_as_stored(checkpoint_->tensors[found->second], copy);
    }
    return Error{"the weights lack a tensor of shape " + shape_text(copy.shape), copy.name,
                 "fetch the whole checkpoint, or take random weights"};
}

}  // namespace headcount
