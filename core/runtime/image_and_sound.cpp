// Reads an image or sound from a file, and cuts it into rows.
#include "core/runtime/image_and_sound.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

using Sizes = std::vector<std::int64_t>;

std::string sizes_text(const Sizes& sizes) {
    return listed(sizes, [](std::int64_t size) { return std::to_string(size); });
}

// The file's only tensor, which has this shape, perhaps behind a side of 1.
Result<std::vector<float>> read_only_tensor(const std::filesystem::path& path, const Sizes& shape) {
    const Result<Checkpoint> file = read_checkpoint(path);
    if (!file) return file.error();
    if (file->tensors.size() != 1)
        return Error{"the file has " + grouped(std::ssize(file->tensors)) + " tensors", path.string(),
                     "give a file with one"};
    const CheckpointTensor& tensor = file->tensors.front();
    Sizes batch = shape;
    batch.insert(batch.begin(), 1);
    if (tensor.shape != shape && tensor.shape != batch)
        return Error{
            "the tensor has the shape " + sizes_text(tensor.shape) + ", and the model reads " + sizes_text(shape),
            path.string(), "give it in that shape"};
    Result<FileBytes> bytes = FileBytes::open(file->files.at(tensor.file));
    if (!bytes) return bytes.error();
    std::vector<float> numbers(static_cast<std::size_t>(tensor.elements));
    if (std::optional<Error> error = read_numbers(*bytes, tensor, 0, numbers)) return *std::move(error);
    if (std::ranges::all_of(numbers, [](float each) { return std::isfinite(each); })) return numbers;
    return Error{"the tensor holds a number that is none", path.string(), "give finite ones"};
}

}  // namespace

std::vector<float> rows_of_image(const Architecture& arch, std::span<const float> pixels) {
    const Patches& of = *arch.patches;
    const std::int64_t step = of.stride.value_or(of.size);
    std::vector<float> rows;
    rows.reserve(pixels.size());
    for (std::int64_t top = 0; top + of.size <= of.height; top += step)
        for (std::int64_t left = 0; left + of.size <= of.width; left += step)
            for (std::int64_t channel = 0; channel < of.channels; ++channel)
                for (std::int64_t y = 0; y < of.size; ++y) {
                    const auto from = pixels.begin() + (channel * of.height + top + y) * of.width + left;
                    rows.insert(rows.end(), from, from + of.size);
                }
    return rows;
}

std::vector<float> rows_of_sound(const Architecture& arch, std::span<const float> heard) {
    const std::int64_t channels = arch.sound->channels, moments = std::ssize(heard) / channels;
    std::vector<float> rows(heard.size());
    for (std::int64_t channel = 0; channel < channels; ++channel)
        for (std::int64_t moment = 0; moment < moments; ++moment)
            rows[static_cast<std::size_t>(moment * channels + channel)] =
                heard[static_cast<std::size_t>(channel * moments + moment)];
    return rows;
}

Result<std::vector<float>> read_image(const Architecture& arch, const std::filesystem::path& path) {
    const Patches& of = *arch.patches;
    const Result<std::vector<float>> pixels = read_only_tensor(path, {of.channels, of.height, of.width});
    if (!pixels) return pixels;
    return rows_of_image(arch, *pixels);
}

Result<std::vector<float>> read_sound(const Architecture& arch, const std::filesystem::path& path) {
    const Result<std::int64_t> moments = evaluate(moments_of(*arch.sound, most_source(arch)), {});
    if (!moments) return moments.error();
    const Result<std::vector<float>> heard = read_only_tensor(path, {arch.sound->channels, *moments});
    if (!heard) return heard;
    return rows_of_sound(arch, *heard);
}

}  // namespace headcount
