// Follows numbers into the layout by filling weights with their own places, so that what fuses, cuts and turns a
// checkpoint's tensors is said once, in core/runtime/fill_weights.cpp.
#include "core/train/stored.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/arch/computation.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/write_file.hpp"
#include "core/runtime/fill_weights.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

double norm_offset_of(const ModelGraph& graph) {
    const Node* norm = graph.first(Op::norm);
    return norm ? norm->rule<NormRule>().offset : 0;
}

// Two numbers of one normal distribution are made of two shares (Box & Muller 1958); the first is taken.
double normal(std::uint64_t stream, std::uint64_t index) {
    const double radius = std::sqrt(-2 * std::log(1 - random_share(stream, 2 * index)));
    return radius * std::cos(2 * 3.14159265358979323846 * random_share(stream, 2 * index + 1));
}

// What one tensor's numbers are drawn from.
struct FirstNumbers {
    enum class Kind { same, normal, rate, step } kind = Kind::same;
    double center = 0, deviation = 0;

    float at(std::uint64_t stream, std::uint64_t index) const {
        const double share = random_share(stream, index);
        if (kind == Kind::normal) return static_cast<float>(deviation * normal(stream, index));
        if (kind == Kind::rate) return static_cast<float>(std::log(1 + 15 * share));
        if (kind == Kind::same) return static_cast<float>(center);
        // Steps from 0.001 to 0.1 by their logarithms, before softplus.
        const double step = std::exp(std::log(0.001) + share * (std::log(0.1) - std::log(0.001)));
        return static_cast<float>(step + std::log(-std::expm1(-step)));
    }
};

FirstNumbers first_numbers(const Architecture& arch, const ModelGraph& graph, const StoredTensor& tensor,
                           const Bindings& values) {
    using Kind = FirstNumbers::Kind;
    const Tensor& part = graph.tensors[tensor.parts.front()];
    if (part.part == Part::decay_rate) return {.kind = Kind::rate};
    if (part.part == Part::step_bias) return {.kind = Kind::step};
    const Drawn usual = drawn_from(graph, tensor, values, norm_offset_of(graph));
    if (part.shape.rank() < 2 || part.component == Component::norm) return {.center = usual.center};
    const bool back = part.part == Part::attention_output || part.part == Part::down ||
                      part.part == Part::expert_down || part.part == Part::shared_down ||
                      part.part == Part::state_output;
    const bool table = part.component == Component::embedding || part.part == Part::output_head ||
                       part.part == Part::relative_bias || part.part == Part::relative_rows;
    const Result<std::int64_t> inputs = evaluate(part.shape[0], values);
    double deviation =
        table ? 0.02 : 0.5 / std::sqrt(static_cast<double>(inputs ? std::max<std::int64_t>(1, *inputs) : 1));
    if (back) deviation /= std::sqrt(2 * static_cast<double>(std::max<std::int64_t>(1, arch.layers)));
    return {.kind = Kind::normal, .deviation = deviation};
}

}  // namespace

Result<std::vector<StoredPlaces>> stored_places(const Architecture& arch, const ModelGraph& graph,
                                                const ParameterLayout& parameters) {
    // A float holds whole numbers up to 2^24: places come in two parts, counted from 1.
    constexpr std::int64_t base = 1 << 20;
    Result<Weights> weights = Weights::reserve(arch, graph);
    if (!weights) return weights.error();
    std::vector<StoredPlaces> all;
    std::vector<float> low(static_cast<std::size_t>(parameters.floats())), high(low.size());
    std::int64_t count = 0;
    const auto follow = [&](bool of_low, std::vector<float>& to) {
        count = 0;
        const auto open = [&](const StoredCopy& copy) -> Result<StoredRows> {
            const std::int64_t first = count;
            count += copy.elements();
            if (of_low)
                all.push_back(
                    {copy.name, copy.shape, std::vector<std::int64_t>(static_cast<std::size_t>(copy.elements()), -1)});
            return StoredRows{[=](std::int64_t from, std::span<float> out) -> std::optional<Error> {
                for (std::size_t i = 0; i < out.size(); ++i) {
                    const std::int64_t place = first + from + static_cast<std::int64_t>(i) + 1;
                    out[i] = static_cast<float>(of_low ? place % base : place / base);
                }
                return std::nullopt;
            }};
        };
        const std::optional<Error> error = fill_weights(*weights, arch, graph, {}, open, {});
        parameters.copy_from(*weights, to);
        return error;
    };
    if (std::optional<Error> error = follow(true, low)) return *std::move(error);
    if (std::optional<Error> error = follow(false, high)) return *std::move(error);
    std::vector<std::pair<std::size_t, std::size_t>> of_number;  // tensor, and number in it
    of_number.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all[i].places.size(); ++j) of_number.emplace_back(i, j);
    for (std::size_t i = 0; i < low.size(); ++i) {
        const std::int64_t place = static_cast<std::int64_t>(high[i]) * base + static_cast<std::int64_t>(low[i]);
        // What follows a rule is filled with that.
        const bool counted = place >= 1 && place <= count && low[i] == std::floor(low[i]) && low[i] >= 0;
        const ParameterCopy* const owner = parameters.at(static_cast<std::int64_t>(i));
        if (!counted || !owner || parameters.follows_rule(owner->tensor)) continue;
        const auto& [tensor, number] = of_number[static_cast<std::size_t>(place - 1)];
        all[tensor].places[number] = static_cast<std::int64_t>(i);
    }
    return all;
}

Result<std::shared_ptr<const Model>> first_model(const Architecture& arch, std::uint64_t seed) {
    ModelGraph graph = expand(arch, Cache::filled);
    if (graph.unread) return *graph.unread;
    const Result<std::int64_t> bytes = Weights::bytes_of(arch, graph);
    if (!bytes) return bytes.error();
    // As a run's, as they are trained, their gradients and two moments.
    const std::optional<std::int64_t> all = checked_multiply(*bytes, 5);
    if (!all) return Error{"what training takes does not fit in 64 bits", "", "take a smaller model"};
    if (std::optional<Error> error = does_not_fit(*all, "weights, gradients and moments")) return *std::move(error);
    Result<Weights> weights = Weights::reserve(arch, graph);
    if (!weights) return weights.error();
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const auto draw = [&](const StoredCopy& copy) -> Result<StoredRows> {
        const FirstNumbers from = first_numbers(arch, graph, copy.tensor, values);
        const std::uint64_t stream = random_stream(seed, copy.name);
        return StoredRows{[=](std::int64_t first, std::span<float> out) -> std::optional<Error> {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = from.at(stream, static_cast<std::uint64_t>(first) + i);
            return std::nullopt;
        }};
    };
    if (std::optional<Error> error = fill_weights(*weights, arch, graph, {}, draw, {})) return *std::move(error);
    return std::shared_ptr<const Model>(std::make_shared<Model>(Model{arch, std::move(graph), *std::move(weights)}));
}

std::optional<Error> write_tensors(const std::filesystem::path& path, const std::vector<FileTensor>& tensors,
                                   FileNumbers form, const std::string& about) {
    Result<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    nlohmann::ordered_json header;
    header["__metadata__"]["format"] = "pt";
    if (!about.empty()) header["__metadata__"]["about"] = about;
    const bool half = form == FileNumbers::bf16;
    std::int64_t at = 0;
    for (const FileTensor& each : tensors) {
        const std::int64_t bytes = std::ssize(each.numbers) * (half ? 2 : 4);
        header[each.name] = {
            {"dtype", half ? "BF16" : "F32"}, {"shape", each.shape}, {"data_offsets", {at, at + bytes}}};
        at += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    file->write({reinterpret_cast<const char*>(&length), sizeof(length)});
    file->write(text);
    for (const FileTensor& each : tensors) {
        if (!half) {
            file->write({reinterpret_cast<const char*>(each.numbers.data()), each.numbers.size() * sizeof(float)});
            continue;
        }
        std::vector<std::uint16_t> upper;
        upper.reserve(each.numbers.size());
        for (const float number : each.numbers)
            upper.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(as_bfloat16(number)) >> 16));
        file->write({reinterpret_cast<const char*>(upper.data()), upper.size() * sizeof(std::uint16_t)});
    }
    return file->finish();
}

const FileTensor* TensorFile::find(std::string_view name) const { return find_in(tensors, name, &FileTensor::name); }

Result<TensorFile> read_tensors(const std::filesystem::path& path) {
    const Result<Checkpoint> header = read_checkpoint(path);
    if (!header) return header.error();
    Result<FileBytes> bytes = FileBytes::open(header->files.front());
    if (!bytes) return bytes.error();
    TensorFile file;
    if (const auto about = header->metadata.find("about"); about != header->metadata.end() && about->is_string())
        file.about = about->get<std::string>();
    for (const CheckpointTensor& each : header->tensors) {
        FileTensor& tensor = file.tensors.emplace_back();
        tensor.name = each.name;
        tensor.shape = each.shape;
        tensor.numbers.resize(static_cast<std::size_t>(each.elements));
        if (std::optional<Error> error = read_numbers(*bytes, each, 0, tensor.numbers))
            return within(path.string(), *std::move(error));
    }
    return file;
}

}  // namespace headcount
