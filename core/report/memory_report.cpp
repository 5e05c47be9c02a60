// What a model's memory is, as tables and as JSON.
#include "core/report/memory_report.hpp"

#include "core/base/text.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

struct Line {
    std::string what;
    const MemoryFigure* whole;
    const MemoryFigure* on_device;  // null: not said by itself
};

std::string how_many(std::int64_t number) {
    return number == 0 ? "none" : grouped(number);
}

}  // namespace

Table memory_table(const Memory& memory, const MemoryOptions& options) {
    const bool divided = options.sharding.devices > 1;
    Table table{{{"what"}, figures("bytes"), figures("")}, {}};
    if (divided) table.columns.push_back(figures("on one device, at least"));
    table.columns.push_back({"formula"});
    std::vector<Line> lines;
    for (std::size_t i = 0; i < components.size(); ++i)
        if (memory.weights_by_component[i].bytes > 0)
            lines.push_back(
                {"Weights: " + std::string(component_name(components[i])), &memory.weights_by_component[i], nullptr});
    const MemoryParts& device = memory.device;
    lines.push_back({"Weights", &memory.weights, &device.weights});
    if (options.training) {
        lines.push_back({"Activations kept", &memory.activations, &device.activations});
        lines.push_back({"Gradients", &memory.gradients, &device.gradients});
        lines.push_back({"Optimizer", &memory.optimizer, &device.optimizer});
    } else {
        lines.push_back({"KV cache", &memory.cache, &device.cache});
        lines.push_back({"Activations at most", &memory.activations, &device.activations});
    }
    for (const Line& line : lines) {
        std::vector<ReportCell> row{line.what, line.whole->bytes, bytes_text(line.whole->bytes)};
        if (divided) row.emplace_back(line.on_device ? bytes_text(line.on_device->bytes) : "");
        row.emplace_back(in_symbols(line.whole->formula));
        table.rows.push_back(std::move(row));
    }
    std::vector<ReportCell> total{"Total", memory.total, bytes_text(memory.total)};
    if (divided) total.emplace_back(bytes_text(device.total));
    total.emplace_back("");
    table.rows.push_back(std::move(total));
    return table;
}

Table kept_table(const Memory& memory) {
    Table table{
        {{"kept for the backward pass"}, figures("in one"), figures("layers"), figures("bytes"), {"formula of one"}},
        {}};
    for (const KeptActivations& row : memory.kept)
        table.rows.push_back({row.block == "again" ? "computed again, a layer at a time" : row.block, row.one.bytes,
                              row.layers, row.all.bytes, in_symbols(row.one.formula)});
    return table;
}

Table devices_table(std::span<const DeviceRoom> devices) {
    Table table{
        {{"device"}, figures("memory"), {"fits"}, figures("longest context"), figures("largest batch"), {"name"}}, {}};
    for (const DeviceRoom& each : devices)
        table.rows.push_back({each.device.id, bytes_text(each.device.memory), each.room.fits ? "yes" : "no",
                              how_many(each.room.longest_context), how_many(each.room.largest_batch),
                              each.device.name});
    return table;
}

Json memory_json(const Memory& memory, std::span<const DeviceRoom> devices) {
    Json by_component = Json::object(), kept = Json::array(), list = Json::array();
    for (std::size_t i = 0; i < components.size(); ++i)
        by_component[std::string(component_key(components[i]))] = memory.weights_by_component[i].bytes;
    for (const KeptActivations& row : memory.kept)
        kept.push_back({{"block", row.block}, {"one", row.one.bytes}, {"layers", row.layers}, {"all", row.all.bytes}});
    for (const DeviceRoom& each : devices)
        list.push_back({{"id", each.device.id},
                        {"name", each.device.name},
                        {"bytes", each.device.memory},
                        {"fits", each.room.fits},
                        {"longest_context", each.room.longest_context},
                        {"largest_batch", each.room.largest_batch},
                        {"source", each.device.source}});
    Json cache = {{"total", memory.cache.bytes}, {"per_token", memory.cache_per_token.bytes}};
    if (memory.cache_next_token) cache["next_token"] = memory.cache_next_token->bytes;
    const MemoryParts& device = memory.device;
    return {{"weights", {{"total", memory.weights.bytes}, {"by_component", std::move(by_component)}}},
            {"kv_cache", std::move(cache)},
            {"activations", {{"peak", memory.activations.bytes}, {"where", memory.where}, {"kept", std::move(kept)}}},
            {"gradients", memory.gradients.bytes},
            {"optimizer", memory.optimizer.bytes},
            {"total", memory.total},
            {"per_device",
             {{"weights", device.weights.bytes},
              {"kv_cache", device.cache.bytes},
              {"activations", device.activations.bytes},
              {"gradients", device.gradients.bytes},
              {"optimizer", device.optimizer.bytes},
              {"total", device.total}}},
            {"devices", std::move(list)}};
}

}  // namespace headcount
