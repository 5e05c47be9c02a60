// Reads the tensors, and says where one stops being numbers.
#include "core/diagnose/theirs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/runtime/number_bits.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

// Sums of float32 in another order differ by less; a number that was rounded to a format's digits by its last one.
double tolerance_of(std::string_view type) { return type == "BF16" ? 5e-3 : type == "F16" ? 1e-3 : 5e-5; }

// -inf is what a mask leaves; what is no number, nobody can be compared with.
std::optional<Error> no_number(const TheirTensor& tensor, const std::filesystem::path& path) {
    const auto found = std::ranges::find_if(tensor.numbers, [](float each) { return std::isnan(each); });
    if (found == tensor.numbers.end()) return std::nullopt;
    const std::int64_t columns = std::max<std::int64_t>(1, tensor.shape.empty() ? 1 : tensor.shape.back());
    const std::int64_t row = (found - tensor.numbers.begin()) / columns;
    const auto count = std::ranges::count_if(tensor.numbers, [](float each) { return std::isnan(each); });
    return Error{in_quotes(tensor.name) + " holds a number that is none (NaN), the first in its row " + grouped(row) +
                     ", counted from 0; of its " + grouped(std::ssize(tensor.numbers)) + " numbers " + grouped(count) +
                     " are such",
                 path.string(),
                 "look for a softmax over a row that is masked with -inf throughout, a division by 0 or a root of a "
                 "number below 0"};
}

// "model.input_ids" is "model", "input", "ids".
std::set<std::string> words_of(std::string_view name) {
    std::set<std::string> words;
    std::string word;
    for (const char c : lower(std::string(name)) + '.') {
        if (is_letter_or_digit(c))
            word += c;
        else if (!word.empty())
            words.insert(std::exchange(word, {}));
    }
    return words;
}

bool has_any(const std::set<std::string>& words, std::initializer_list<const char*> wanted) {
    return std::ranges::any_of(wanted, [&](const char* each) { return words.contains(each); });
}

// One row of whole numbers, by its name those of tokens: "position_ids" and "token_type_ids" are not.
bool holds_ids(const CheckpointTensor& tensor) {
    const bool row = std::ranges::count_if(tensor.shape, [](std::int64_t side) { return side != 1; }) <= 1;
    if (!row || tensor.elements == 0 || (tensor.type.name != "I64" && tensor.type.name != "I32")) return false;
    const std::set<std::string> words = words_of(tensor.name);
    return has_any(words, {"ids", "idx", "tokens", "token", "prompt", "input", "inputs"}) &&
           !has_any(words, {"position", "positions", "pos", "type", "types", "segment", "mask", "experts", "labels"});
}

Result<std::vector<std::int32_t>> ids_in(const CheckpointTensor& tensor, const Checkpoint& file) {
    Result<FileBytes> bytes = FileBytes::open(file.files.at(tensor.file));
    if (!bytes) return bytes.error();
    const auto found = bytes->at(tensor.offset, static_cast<std::size_t>(tensor.bytes));
    if (!found) return found.error();
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < tensor.elements; ++i) {
        const std::byte* const from = found->data() + i * tensor.type.bytes;
        const std::int64_t id =
            tensor.type.bytes == 8 ? number_at<std::int64_t>(from) : std::int64_t{number_at<std::int32_t>(from)};
        if (id < 0 || id > std::numeric_limits<std::int32_t>::max())
            return Error{in_quotes(tensor.name) + " holds " + std::to_string(id) + ", which is no id of a token",
                         file.files.at(tensor.file).string(), "write the ids that the model has read, each 0 or more"};
        ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
}

}  // namespace

Result<TheirIds> read_their_ids(const std::filesystem::path& path) {
    const Result<Checkpoint> file = read_checkpoint(path);
    if (!file) return file.error();
    TheirIds found;
    const CheckpointTensor *own = nullptr, *other = nullptr;
    for (const CheckpointTensor& each : file->tensors) {
        if (!holds_ids(each)) continue;
        const bool decoders = has_any(words_of(each.name), {"decoder", "dec", "target", "tgt"});
        const CheckpointTensor*& place = decoders ? own : other;
        if (!place) place = &each;
    }
    if (!own) own = std::exchange(other, nullptr);
    for (const auto& [tensor, ids] : {std::pair(own, &found.ids), std::pair(other, &found.source)}) {
        if (!tensor) continue;
        Result<std::vector<std::int32_t>> read = ids_in(*tensor, *file);
        if (!read) return read.error();
        *ids = *std::move(read);
    }
    return found;
}

bool holds_activations(const std::filesystem::path& path) {
    if (path.extension() != ".safetensors") return false;
    const Result<Checkpoint> file = read_checkpoint(path);
    return file && std::ranges::any_of(file->tensors, [](const CheckpointTensor& each) {
               const std::set<std::string> words = words_of(each.name);
               if (has_any(words, {"weight", "bias"})) return false;
               return has_any(words, {"logits", "activations"}) ||
                      (words.contains("hidden") && has_any(words, {"0", "1", "states", "state"}));
           });
}

bool have_few_digits(std::span<const float> numbers) {
    constexpr std::uint32_t lost = 0x1FFF;  // of the 23 bits of float32's fraction those that float16 has not
    return std::ranges::all_of(numbers, [](float each) { return (std::bit_cast<std::uint32_t>(each) & lost) == 0; });
}

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
