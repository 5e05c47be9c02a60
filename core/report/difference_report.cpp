// A comparison of two architectures as tables and as JSON.
#include "core/report/difference_report.hpp"

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/report/json.hpp"
#include "core/report/models_report.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// "4096 × 4096, 32 times"
std::string copies_text(std::int64_t copies, const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return "";
    const std::string text = sizes_text(shape);
    return copies == 1 ? text : text + ", " + grouped(copies) + " times";
}

Json field_json(const FieldDifference& row) {
    const auto number = [](std::optional<std::int64_t> value) { return value ? Json(*value) : Json(); };
    Json with = Json::array();
    for (const Field other : row.with) with.push_back(info(other).key);
    return {{"field", info(row.field).key},
            {"a", row.a_given},
            {"b", row.b_given},
            {"own", number(row.own)},
            {"interaction", number(row.interaction())},
            {"adds", number(row.adds)},
            {"with", std::move(with)},
            {"counted_at", row.counted_at ? Json(info(*row.counted_at).key) : Json()}};
}

}  // namespace

Table component_difference_table(const CountedModel& a, const CountedModel& b, const Difference& difference) {
    Table table{{{"component"}, {"A", ColumnKind::of_a}, {"B", ColumnKind::of_b}, figures("difference")}, {}};
    for (Component component : components) {
        const std::int64_t in_a = a.parameters.of(component), in_b = b.parameters.of(component);
        if (in_a == 0 && in_b == 0) continue;
        table.rows.push_back(
            {std::string(component_name(component)), in_a, in_b, ChangeCell{difference.of(component)}});
    }
    table.rows.push_back({"Total", a.parameters.total, b.parameters.total, ChangeCell{difference.total}});
    return table;
}

Table kind_difference_table(const Difference& difference) {
    Table table{{{"kind of tensor"}, {"A", ColumnKind::of_a}, {"B", ColumnKind::of_b}, figures("difference")}, {}};
    for (const KindDifference& kind : difference.kinds)
        if (kind.difference() != 0)
            table.rows.push_back({std::string(kind.label), kind.a, kind.b, ChangeCell{kind.difference()}});
    return table;
}

std::string_view field_order_words() {
    return "From A to B a field at a time, in this order. Interaction is what a field adds where those above it have "
           "changed, beyond what it adds to A by itself.";
}

Table field_difference_table(const Difference& difference) {
    Table table{{{"field"}, {"A"}, {"B"}, figures("by itself"), figures("interaction"), figures("adds")}, {}};
    const auto cell = [](std::optional<std::int64_t> number, const char* none) {
        return number ? ReportCell(ChangeCell{*number}) : ReportCell(std::string(none));
    };
    for (const FieldDifference& row : difference.fields) {
        std::string name(info(row.field).key);
        for (const Field other : row.with) name += " + " + std::string(info(other).key);
        if (row.counted_at)
            table.rows.push_back(
                {name, row.a_given, row.b_given, "with " + std::string(info(*row.counted_at).key), "", ""});
        else
            table.rows.push_back({name, row.a_given, row.b_given, cell(row.own, "not possible alone"),
                                  cell(row.interaction(), "beyond 64 bits"), cell(row.adds, "")});
    }
    if (difference.unnamed != 0) {
        const std::string kinds = fieldless_text(difference);
        table.rows.push_back({"in no field" + (kinds.empty() ? kinds : ": " + kinds), "", "", "",
                              ChangeCell{difference.unnamed}, ChangeCell{difference.unnamed}});
    }
    if (const std::optional<std::int64_t> own = checked_subtract(difference.total, difference.interaction);
        own && !table.rows.empty())
        table.rows.push_back(
            {"Total", "", "", ChangeCell{*own}, ChangeCell{difference.interaction}, ChangeCell{difference.total}});
    return table;
}

Table tensor_difference_table(const Difference& difference) {
    Table table{{{"tensor"}, {"change"}, {"A"}, {"B"}, figures("difference")}, {}};
    for (const TensorDifference& row : difference.tensors)
        table.rows.push_back({(row.b_name.empty() ? row.name : row.name + " → " + row.b_name) +
                                  (row.layers.empty() ? "" : ", " + row.layers + " layers"),
                              std::string(change_word(row.change)), copies_text(row.a_copies, row.a_shape),
                              copies_text(row.b_copies, row.b_shape), ChangeCell{row.difference()}});
    return table;
}

Json difference_json(const CountedModel& a, const CountedModel& b, const Difference& difference) {
    Json kinds = Json::array(), fields = Json::array(), changed = Json::array(), repeated = Json::array(),
         only_a = Json::array(), only_b = Json::array(), fused = Json::array();
    for (const KindDifference& kind : difference.kinds)
        if (kind.difference() != 0)
            kinds.push_back({{"kind", kind.key},
                             {"label", kind.label},
                             {"a", kind.a},
                             {"b", kind.b},
                             {"difference", kind.difference()}});
    for (const FieldDifference& row : difference.fields) fields.push_back(field_json(row));
    for (const TensorDifference& row : difference.tensors) {
        if (row.change == TensorChange::fused) {
            Json& one = fused.emplace_back(Json{{"name", row.name}, {"a", row.a_shape}, {"b", row.b_shape}});
            if (!row.b_name.empty()) one["b_name"] = row.b_name;
            continue;
        }
        if (row.change == TensorChange::removed) only_a.push_back(row.name);
        if (row.change == TensorChange::added) only_b.push_back(row.name);
        if (row.change == TensorChange::removed || row.change == TensorChange::added) continue;
        Json& one = (row.change == TensorChange::reshaped ? changed : repeated)
                        .emplace_back(Json{{"name", row.name},
                                           {"a", row.a_shape},
                                           {"b", row.b_shape},
                                           {"a_copies", row.a_copies},
                                           {"b_copies", row.b_copies},
                                           {"difference", row.difference()}});
        if (!row.b_name.empty()) one["b_name"] = row.b_name;
        if (!row.layers.empty()) one["layers"] = row.layers;
    }
    Json json{{"a", model_json(a)},
              {"b", model_json(b)},
              {"difference", {{"total", difference.total}, {"by_component", by_component(difference.by_component)}}},
              {"kinds", std::move(kinds)},
              {"fields", std::move(fields)},
              {"interaction", difference.interaction},
              {"changed", std::move(changed)},
              {"repeated", std::move(repeated)},
              {"only_a", std::move(only_a)},
              {"only_b", std::move(only_b)}};
    if (!fused.empty()) json["fused"] = std::move(fused);
    return json;
}

}  // namespace headcount
