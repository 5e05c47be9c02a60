// Reads the options of experiments, and writes what came of them.
#include "app/cli/run_changes.hpp"

#include <algorithm>
#include <ostream>

#include "app/cli/run_filled.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/experiment/weight_changes.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

constexpr int rank_decimals = 4;

std::string figure(std::optional<double> change) {
    if (!change) return "";
    const std::string text = decimal_text(*change, rank_decimals);
    return text.find_first_of("123456789") == std::string::npos && text.front() == '-' ? text.substr(1) : text;
}

bool has_heads(const PartRank& part) {
    return std::ranges::any_of(part.heads, [](const std::vector<double>& heads) { return !heads.empty(); });
}

std::string heads_name(const PartRank& part) { return part.block == "attention" ? "heads" : part.block + "_heads"; }

Table rank_table(const std::vector<PartRank>& parts, ChangePlace::Stack stack) {
    Table table{.columns = {figures("layer")}, .rows = {}};
    const auto add = [&](Column column, const PartRank& part, auto text_of) {
        table.columns.push_back(std::move(column));
        table.rows.resize(part.layers.size());
        for (std::size_t layer = 0; layer < part.layers.size(); ++layer) {
            if (table.rows[layer].empty()) table.rows[layer].emplace_back(static_cast<std::int64_t>(layer));
            table.rows[layer].emplace_back(text_of(layer));
        }
    };
    for (const PartRank& part : parts)
        if (part.stack == stack)
            add(figures(part.block), part, [&](std::size_t layer) { return figure(part.layers[layer]); });
    for (const PartRank& part : parts)
        if (part.stack == stack && has_heads(part))
            add({heads_name(part)}, part, [&](std::size_t layer) {
                return listed(
                    part.heads[layer], [](double each) { return figure(each); }, " ");
            });
    return table;
}

nlohmann::ordered_json parts_json(const std::vector<PartRank>& parts, ChangePlace::Stack stack) {
    nlohmann::ordered_json json{{"heads", nlohmann::json::array()}};
    std::size_t layers = 0;
    for (const PartRank& part : parts) {
        if (part.stack != stack) continue;
        layers = part.layers.size();
        nlohmann::ordered_json& all = json[part.block] = nlohmann::json::array();
        for (const std::optional<double>& each : part.layers)
            all.push_back(each ? nlohmann::ordered_json(*each) : nlohmann::ordered_json());
        if (part.block == "attention" || has_heads(part)) json[heads_name(part)] = part.heads;
    }
    // A model without any has them all the same, so that a script finds them.
    if (json["heads"].empty()) json["heads"] = std::vector<std::vector<double>>(layers);
    for (const char* block : {"attention", "feed_forward"})
        if (!json.contains(block)) json[block] = std::vector<nlohmann::json>(layers);
    return json;
}

}  // namespace

std::vector<Change> changes_of(const RunArguments& arguments) {
    std::vector<Change> changes = arguments.patch;
    for (const std::vector<Change>* more : {&arguments.mean, &arguments.put, &arguments.scale, &arguments.off})
        changes.insert(changes.end(), more->begin(), more->end());
    return changes;
}

bool any_mean(const std::vector<Change>& changes) {
    return std::ranges::any_of(changes, [](const Change& each) { return each.kind == Change::Kind::mean; });
}

Result<std::vector<NodeChange>> node_changes(const std::vector<Change>& changes, const Architecture& arch,
                                             const RunLengths& lengths, const Run* as_it_is) {
    std::vector<NodeChange> found;
    if (changes.empty()) return found;
    const ModelGraph graph = expand(arch, Cache::filled);
    for (const Change& change : changes) {
        if (weight_at(arch, graph, change.place)) continue;
        const OtherRuns others{.as_it_is = as_it_is, .later = change.kind == Change::Kind::mean && !as_it_is};
        Result<NodeChange> each = resolve(change, arch, graph, lengths, others);
        if (!each) return within("--" + std::string(key(change.kind)), each.error());
        found.push_back(*std::move(each));
    }
    return found;
}

std::string changes_text(const std::vector<Change>& changes) { return "changed: " + listed(changes, change_text); }

nlohmann::ordered_json changes_json(const std::vector<Change>& changes) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Change& change : changes) {
        nlohmann::ordered_json each{{"place", place_text(change.place)}, {"change", key(change.kind)}};
        if (change.kind == Change::Kind::scale) each["factor"] = change.number;
        if (change.kind == Change::Kind::put) each["number"] = change.number;
        if (change.kind == Change::Kind::patch) each["file"] = change.file.string();
        all.push_back(std::move(each));
    }
    return all;
}

void write_rank(std::ostream& out, const Rank& rank, const std::optional<Tokenizer>& tokenizer) {
    const std::string token = text_of_token(rank.token, tokenizer);
    out << "log probability of " << (tokenizer ? quote(token) : token) << ": "
        << decimal_text(rank.log_probability, rank_decimals) << "; with a part off it changes by\n";
    for (const auto stack : {ChangePlace::Stack::encoder, ChangePlace::Stack::main}) {
        const Table table = rank_table(rank.parts, stack);
        if (table.rows.empty()) continue;
        if (stack == ChangePlace::Stack::encoder)
            out << "encoder\n";
        else if (rank.parts.front().stack != stack)
            out << "decoder\n";
        write_text(out, table);
    }
}

nlohmann::ordered_json rank_json(const Rank& rank) {
    nlohmann::ordered_json json = parts_json(rank.parts, ChangePlace::Stack::main);
    if (!rank.parts.empty() && rank.parts.front().stack == ChangePlace::Stack::encoder)
        json["encoder"] = parts_json(rank.parts, ChangePlace::Stack::encoder);
    json["token"] = rank.token;
    json["log_probability"] = rank.log_probability;
    return json;
}

}  // namespace headcount
