// Reads the tensors, and says where one stops being numbers.
#include "core/diagnose/theirs.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

// Sums of float32 in another order differ by less; a number that was rounded to a format's digits by its last one.
double tolerance_of(std::string_view type) {
    return type == "BF16" ? 5e-3 : type == "F16" ? 1e-3 : 5e-5;
}

// -inf is what a mask leaves; what is no number, nobody can be compared with.
std::optional<Error> no_number(const TheirTensor& tensor, const std::filesystem::path& path) {
    const auto found = std::ranges::find_if(tensor.numbers, [](float each) { return std::isnan(each); });
    if (found == tensor.numbers.end()) return std::nullopt;
    const std::int64_t columns = std::max<std::int64_t>(1, tensor.shape.empty() ? 1 : tensor.shape.back());
    const std::int64_t row = (found - tensor.numbers.begin()) / columns;
    return Error{in_quotes(tensor.name) + " holds a number that is none, the first in its row " + grouped(row) +
                     ", counted from 0",
                 path.string(),
                 "look for a softmax over a row that is masked with -inf throughout, a division by 0 or a root of a "
                 "number below 0"};
}

}  // namespace

Result<std::vector<TheirTensor>> read_theirs(const std::filesystem::path& path) {
    const Result<Checkpoint> file = read_checkpoint(path);
    if (!file) return file.error();
    // Without ids and masks.
    const auto is_theirs = [](const CheckpointTensor& each) { return is_read(each.type) && each.elements > 0; };
    std::int64_t bytes = 0;
    for (const CheckpointTensor& each : file->tensors)
        if (is_theirs(each)) bytes += each.elements * std::int64_t{sizeof(float)};
    if (std::optional<Error> error = does_not_fit(bytes, "its tensors in float32"))
        return Error{error->what, path.string(), "write fewer activations into it, of fewer tokens"};
    std::vector<TheirTensor> all;
    for (const CheckpointTensor& tensor : file->tensors) {
        if (!is_theirs(tensor)) continue;
        Result<FileBytes> numbers = FileBytes::open(file->files.at(tensor.file));
        if (!numbers) return numbers.error();
        TheirTensor& made = all.emplace_back(TheirTensor{
            .name = tensor.name, .shape = tensor.shape, .numbers = {}, .tolerance = tolerance_of(tensor.type.name)});
        made.numbers.resize(static_cast<std::size_t>(tensor.elements));
        if (std::optional<Error> error = read_numbers(*numbers, tensor, 0, made.numbers)) return *std::move(error);
        if (std::optional<Error> error = no_number(made, path)) return *std::move(error);
    }
    if (all.empty())
        return Error{"the file has no tensor of floating-point numbers", path.string(),
                     "write your logits and activations into it, as float32"};
    return all;
}

}  // namespace headcount
