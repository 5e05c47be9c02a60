// Memory, arithmetic and memory traffic of a model, as tables and as JSON.
#include "core/report/costs_report.hpp"

#include <array>

#include "core/analysis/adapter_work.hpp"
#include "core/analysis/factored.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/rates.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

struct Line {
    std::string what;
    const MemoryFigure* whole;
    const MemoryFigure* on_device;  // null: not said by itself
    bool of_weights = false;
};

std::string block_of(const ModelGraph& graph, const Node& node) {
    const Block& block = graph.blocks[node.block];
    return block.id.empty() ? block.name : block.id;
}

struct Named {
    const char* key;
    const char* name;
    const Pass* pass;
    const PassWork* work;  // in one of its forms
    double rule;

    std::optional<double> seconds() const {
        if (!pass->roof) return std::nullopt;
        return std::max(seconds_at(*pass->roof, work->least), pass->sending.value_or(0));
    }
};

std::vector<Named> named(const Passes& passes) {
    const auto rule = [&](const Pass& pass, bool training) {
        return operations_by_rule(pass, passes.multiplied, training, passes.adapters);
    };
    std::vector<Named> all;
    if (const Result<Pass>& prefill = passes.prefill)
        all.push_back({"prefill", "prefill", &*prefill, &prefill->work, rule(*prefill, false)});
    if (const Result<Pass>& decode = passes.decode) {
        all.push_back({"decode", "decode", &*decode, &decode->work, rule(*decode, false)});
        if (decode->anew)
            all.push_back({"decode_anew", "decode, made anew", &*decode, &*decode->anew, rule(*decode, false)});
    }
    if (const Result<Pass>& train = passes.train)
        all.push_back({"train", "train", &*train, &train->work, rule(*train, true)});
    return all;
}

}  // namespace

std::string on_device_title(const Sharding& sharding) {
    return sharding.devices == 1 ? "on the device" : "on one device, at least";
}

std::vector<DeviceRoom> device_rooms(const MemoryFormulas& formulas, std::span<const Device> devices,
                                     const Bindings& bindings) {
    const std::vector<Room> rooms = formulas.rooms(devices, bindings);
    std::vector<DeviceRoom> both;
    for (std::size_t i = 0; i < rooms.size(); ++i) both.push_back({devices[i], rooms[i]});
    return both;
}

Table memory_table(const Memory& memory, const MemoryOptions& options, std::string_view sign) {
    const bool divided = options.sharding.divided();
    Table table{{{"what"}, figures("bytes"), figures("")}, {}};
    if (divided) table.columns.push_back(figures(on_device_title(options.sharding)));
    table.columns.push_back({"formula"});
    std::vector<Line> lines;
    for (std::size_t i = 0; i < components.size(); ++i)
        if (memory.weights_by_component[i].bytes > 0)
            lines.push_back({"Weights: " + std::string(component_name(components[i])), &memory.weights_by_component[i],
                             nullptr, true});
    if (memory.adapters.bytes > 0) lines.push_back({"Weights: Adapters", &memory.adapters, nullptr});
    const MemoryParts& device = memory.device;
    lines.push_back({"Weights", &memory.weights, &device.weights, true});
    if (options.training) {
        lines.push_back({"Activations kept", &memory.activations, &device.activations});
        lines.push_back({"Gradients", &memory.gradients, &device.gradients});
        lines.push_back({"Optimizer", &memory.optimizer, &device.optimizer});
    } else {
        if (memory.cache.bytes > 0) lines.push_back({"KV cache", &memory.cache, &device.cache});
        if (memory.states.bytes > 0)
            lines.push_back({std::string(states_title(memory)), &memory.states, &device.states});
        lines.push_back({"Activations at most", &memory.activations, &device.activations});
    }
    const auto about = [&](std::int64_t bytes, bool of_weights) -> ReportCell {
        return of_weights && !sign.empty() ? ReportCell(std::string(sign) + grouped(bytes)) : ReportCell(bytes);
    };
    for (const Line& line : lines) {
        std::vector<ReportCell> row{line.what, about(line.whole->bytes, line.of_weights),
                                    bytes_text(line.whole->bytes)};
        if (divided) row.emplace_back(line.on_device ? bytes_text(line.on_device->bytes) : "");
        row.emplace_back(formula_text(line.whole->formula));
        table.rows.push_back(std::move(row));
    }
    if (memory.host > 0) {
        const std::int64_t all = options.training ? memory.gradients.bytes + memory.optimizer.bytes : memory.host;
        table.rows.push_back({"In the host's memory", all, bytes_text(all), bytes_text(memory.host), ""});
    }
    std::vector<ReportCell> total{"Total", about(memory.total, true), bytes_text(memory.total)};
    if (divided) total.emplace_back(bytes_text(device.total));
    total.emplace_back("");
    table.rows.push_back(std::move(total));
    if (!options.training) return table;
    std::vector<ReportCell> besides{"For a moment besides", memory.backward.bytes, bytes_text(memory.backward.bytes)};
    if (divided) besides.emplace_back("");
    besides.emplace_back(formula_text(memory.backward.formula));
    table.rows.push_back(std::move(besides));
    return table;
}

Table kept_table(const Memory& memory) {
    Table table{
        {{"kept for the backward pass"}, figures("in one"), figures("layers"), figures("bytes"), {"formula of one"}},
        {}};
    for (const KeptActivations& row : memory.kept)
        table.rows.push_back({row.block == "again" ? "computed again, a layer at a time" : row.block, row.one.bytes,
                              row.layers, row.all.bytes, formula_text(row.one.formula)});
    return table;
}

Table devices_table(std::span<const DeviceRoom> devices, bool of_text) {
    Table table{{{"device"}, known("memory"), {"fits"}}, {}};
    if (of_text) table.columns.push_back(figures("longest context"));
    table.columns.push_back(figures("largest batch"));
    table.columns.push_back({"name"});
    for (const DeviceRoom& each : devices) {
        std::vector<ReportCell> row{each.device.id, bytes_text(each.device.memory), each.room.fits ? "yes" : "no"};
        if (of_text) row.emplace_back(room_text(each.room.longest_context));
        row.emplace_back(room_text(each.room.largest_batch));
        row.emplace_back(each.device.name);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json memory_json(const Memory& memory, std::span<const DeviceRoom> devices) {
    Json kept = Json::array(), list = Json::array();
    std::array<std::int64_t, components.size()> weights{};
    for (std::size_t i = 0; i < components.size(); ++i) weights[i] = memory.weights_by_component[i].bytes;
    for (const KeptActivations& row : memory.kept)
        kept.push_back({{"block", row.block}, {"one", row.one.bytes}, {"layers", row.layers}, {"all", row.all.bytes}});
    for (const DeviceRoom& each : devices)
        list.push_back({{"id", each.device.id},
                        {"name", each.device.name},
                        {"bytes", each.device.memory},
                        {"fits", each.room.fits},
                        {"longest_context", whole_json(each.room.longest_context, Metric::longest_context)},
                        {"largest_batch", whole_json(each.room.largest_batch, Metric::largest_batch)},
                        {"source", each.device.source}});
    Json cache = {{"total", memory.cache.bytes}, {"per_token", memory.cache_per_token.bytes}};
    if (memory.cache_next_token) cache["next_token"] = memory.cache_next_token->bytes;
    const MemoryParts& device = memory.device;
    Json json{{"weights", {{"total", memory.weights.bytes}, {"by_component", by_component(weights)}}},
              {"kv_cache", std::move(cache)}};
    if (memory.adapters.bytes > 0)
        json["adapters"] = {{"bytes", memory.adapters.bytes},
                            {"parameters", memory.adapters.bytes * 8 / info(Precision::fp32).bits}};
    Json each{{"weights", device.weights.bytes}, {"kv_cache", device.cache.bytes}};
    if (memory.states.bytes > 0) {
        json["states"] = memory.states.bytes;
        each["states"] = device.states.bytes;
    }
    each.update({{"activations", device.activations.bytes},
                 {"gradients", device.gradients.bytes},
                 {"optimizer", device.optimizer.bytes},
                 {"total", device.total}});
    if (memory.host > 0) each["host"] = memory.host;
    if (memory.backward.bytes > 0) json["backward_pass"] = memory.backward.bytes;
    json.update(
        {{"activations", {{"peak", memory.activations.bytes}, {"where", memory.where}, {"kept", std::move(kept)}}},
         {"gradients", memory.gradients.bytes},
         {"optimizer", memory.optimizer.bytes},
         {"total", memory.total},
         {"per_device", std::move(each)},
         {"devices", std::move(list)}});
    return json;
}

Result<Passes> passes_of(const Architecture& arch, const Input& input, const Parameters& parameters,
                         const PassOptions& options) {
    const auto pass = [&](Phase phase) { return device_pass_of(arch, input, phase, options); };
    Passes passes{
        pass(Phase::prefill),           pass(Phase::decode), pass(Phase::training), parameters.multiplied(), {},
        served_of(arch, input, options)};
    const Result<Pass>& shown = passes.of(options.phase);
    if (!shown) return shown.error();
    if (options.adapters) passes.adapters = multiplied_adapters(shown->graph, shown->bindings, *options.adapters);
    return passes;
}

std::vector<std::string> left_out(const Architecture& arch, const Passes& passes) {
    std::vector<std::string> sentences;
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training})
        if (const Result<Pass>& pass = passes.of(phase); !pass && (phase != Phase::decode || !sees_all(arch)))
            sentences.push_back("The " + std::string(word_of(phase_nouns, phase)) +
                                " is left out: " + sentence(pass.error()));
    return sentences;
}

Table passes_table(const Passes& passes) {
    const std::vector<Named> all = named(passes);
    const bool timed = std::ranges::any_of(all, [](const Named& each) { return each.seconds().has_value(); });
    Table table{{{"pass"},
                 figures("operations"),
                 figures(""),
                 figures(all.front().work->flops.pairs == Pairs::full ? "causal" : "full"),
                 figures("by the rule"),
                 figures("bytes moved")},
                {}};
    if (timed) {
        table.columns.push_back(figures("at least"));
        table.columns.push_back(figures("tokens a second, at most"));
    }
    for (const Named& pass : all) {
        const Flops& flops = pass.work->flops;
        const std::int64_t other = flops.pairs == Pairs::full ? flops.causal : flops.full;
        std::vector<ReportCell> row{std::string(pass.name),
                                    flops.counted(),
                                    flop_text(static_cast<double>(flops.counted())),
                                    flop_text(static_cast<double>(other)),
                                    flop_text(pass.rule),
                                    bytes_text(pass.work->bytes)};
        if (timed) {
            const std::optional<double> seconds = pass.seconds();
            row.emplace_back(seconds ? seconds_text(*seconds) : "");
            row.emplace_back(seconds ? real_text(tokens_per_second(pass.pass->tokens, *seconds)) : "");
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table pass_formulas_table(const Passes& passes) {
    Table table{{{"pass"}, {"tokens"}, {"operations in symbols"}}, {}};
    for (const Named& pass : named(passes)) {
        std::vector<Expr> terms;
        for (const OperationWork& each : pass.work->operations)
            if (each.flops.counted() > 0) terms.push_back(each.flops_formula);
        // A decoding step reads one token behind all the others.
        std::string read;
        for (const Symbol symbol : {Symbol::tokens, Symbol::cached, Symbol::source})
            if (const auto number = pass.pass->bindings[symbol]; number && (symbol == Symbol::tokens || *number > 0))
                read += (read.empty() ? "" : ", ") + std::string(info(symbol).text) + " = " + grouped(*number);
        table.rows.push_back({std::string(pass.name), read, in_symbols(factored(sum_of(terms)))});
    }
    return table;
}

Table links_table(const Pass& pass, std::optional<double> link) {
    Table table{{{"group"}, known("devices"), figures("each sends"), figures("")}, {}};
    if (link) table.columns.push_back(figures("at least"));
    table.columns.push_back({"formula"});
    for (const LinkUse& each : pass.links) {
        std::vector<ReportCell> row{std::string(each.key), each.devices, each.sent.bytes, bytes_text(each.sent.bytes)};
        if (link) row.emplace_back(seconds_text(static_cast<double>(each.sent.bytes) / *link));
        row.emplace_back(in_symbols(each.sent.formula));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table operations_table(const Pass& pass) {
    const ModelGraph& graph = pass.graph;
    const std::optional<Roof>& roof = pass.roof;
    const PassWork& work = pass.work;
    Table table{{{"operation"},
                 {"in"},
                 figures("copies"),
                 figures("operations"),
                 figures("share"),
                 figures("bytes moved"),
                 figures("operations a byte")},
                {}};
    if (roof) {
        table.columns.push_back(figures("at least"));
        table.columns.push_back({"bound by"});
    }
    table.columns.push_back({"formula"});
    for (const OperationWork& each : work.operations) {
        const Node& node = graph.nodes[each.node];
        const std::int64_t flops = each.flops.counted();
        std::vector<ReportCell> row{label_of(graph, each),
                                    block_of(graph, node),
                                    each.copies,
                                    flops == 0 ? std::string() : flop_text(static_cast<double>(flops)),
                                    flops == 0 ? std::string() : percent(flops, work.flops.counted()),
                                    bytes_text(each.bytes),
                                    flops == 0 ? std::string() : real_text(intensity_of(each.flops, each.bytes))};
        if (roof) {
            row.emplace_back(seconds_text(seconds_at(*roof, each)));
            row.emplace_back(bound_by_memory(*roof, each) ? "memory" : "arithmetic");
        }
        row.emplace_back(flops == 0 ? std::string() : in_symbols(each.flops_formula));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Json compute_json(const Passes& passes, const PassOptions& options) {
    const Pass& shown = *passes.of(options.phase);
    const ModelGraph& graph = shown.graph;
    const auto flops_json = [](const Flops& flops) {
        return Json{{"flops", flops.counted()}, {"flops_causal", flops.causal}, {"flops_full", flops.full}};
    };
    Json json = Json::object(), rules{{"parameters", passes.multiplied.token}};
    if (graph.has_encoder()) rules["source_parameters"] = passes.multiplied.source;
    if (passes.adapters) rules["adapter_parameters"] = passes.adapters->token;
    if (passes.adapters && graph.has_encoder()) rules["source_adapter_parameters"] = passes.adapters->source;
    if (options.device) json["hardware"] = options.device->id;
    json["scores"] = shown.work.flops.pairs == Pairs::full ? "full" : "causal";
    for (const Named& pass : named(passes)) {
        Json& row = json[pass.key] = flops_json(pass.work->flops);
        row["bytes"] = pass.work->bytes;
        rules[pass.key] = pass.rule;
        const std::optional<double> seconds = pass.seconds();
        if (!seconds) continue;
        row["seconds"] = *seconds;
        row["tokens_per_second"] = tokens_per_second(pass.pass->tokens, *seconds);
    }
    json["rules"] = std::move(rules);
    Json list = Json::array();
    for (const OperationWork& each : shown.work.operations) {
        const Node& node = graph.nodes[each.node];
        Json row{{"name", label_of(graph, each)},
                 {"id", id_of(graph, each)},
                 {"block", block_of(graph, node)},
                 {"copies", each.copies}};
        row.update(flops_json(each.flops));
        row["bytes"] = each.bytes;
        row["intensity"] = intensity_of(each.flops, each.bytes);
        if (shown.roof) {
            row["seconds"] = seconds_at(*shown.roof, each);
            row["bound"] = bound_by_memory(*shown.roof, each) ? "memory" : "arithmetic";
        }
        list.push_back(std::move(row));
    }
    json["operations"] = std::move(list);
    return json;
}

}  // namespace headcount
