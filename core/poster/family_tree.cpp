// The presets as a tree: parents, and what changed since.
#include "core/poster/family_tree.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/field_walk.hpp"

namespace headcount {
namespace {

struct Member {
    const Preset* preset;
    CountedModel model;
    std::optional<std::size_t> parent = {};
};

// Whether a stands before b in the history: by year, then by size.
bool is_before(const Member& a, const Member& b) {
    const auto order = [](const Member& each) {
        return std::tuple(*each.preset->year, each.model.parameters.total, std::string_view(each.preset->id));
    };
    return order(a) < order(b);
}

// Which of them it came after, by way of those that are not among them.
std::optional<std::size_t> ancestor(const Preset& preset, const std::map<std::string_view, std::size_t>& places,
                                    std::span<const Preset> all) {
    std::string_view after = preset.after;
    for (std::size_t step = 0; step < all.size() && !after.empty(); ++step) {
        if (const auto found = places.find(after); found != places.end()) return found->second;
        const Preset* const hidden = find_preset(all, after);
        after = hidden ? std::string_view(hidden->after) : std::string_view{};
    }
    return std::nullopt;
}

// In a list that is sorted by is_before.
void find_parents(std::vector<Member>& models, std::span<const Preset> all) {
    std::map<std::string_view, std::size_t> places, last_of_group;
    for (std::size_t i = 0; i < models.size(); ++i) places[models[i].preset->id] = i;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Preset& preset = *models[i].preset;
        models[i].parent = ancestor(preset, places, all);
        const auto before = last_of_group.find(preset.group);
        if (preset.after.empty() && before != last_of_group.end()) models[i].parent = before->second;
        last_of_group[preset.group] = i;
    }
    for (Member& model : models) {  // a circle is no tree
        std::size_t steps = 0;
        for (std::optional<std::size_t> up = model.parent; up && steps <= models.size(); up = models[*up].parent)
            ++steps;
        if (steps > models.size()) model.parent.reset();
    }
}

std::vector<std::string> changes_of(const std::vector<FieldDifference>& fields) {
    constexpr std::size_t most = 3;
    std::vector<const FieldDifference*> rows;
    for (const FieldDifference& row : fields)
        if (row.adds.value_or(0) != 0 && info(row.field).kind != FieldKind::layers) rows.push_back(&row);
    std::ranges::stable_sort(rows, [](const FieldDifference* a, const FieldDifference* b) {
        return std::llabs(*a->adds) > std::llabs(*b->adds);
    });
    std::vector<std::string> changes;
    for (const FieldDifference* row : rows) {
        if (changes.size() == most) break;
        changes.push_back(std::string(info(row->field).label) + " " + row->a + " → " + row->b);
    }
    return changes;
}

// Of each the children in their order, so that a branch stands together.
void put(std::size_t at, const std::vector<std::vector<std::size_t>>& children, std::vector<std::size_t>& order) {
    order.push_back(at);
    for (const std::size_t child : children[at]) put(child, children, order);
}

}  // namespace

Result<std::vector<TreeNode>> family_tree(std::span<const Preset* const> shown, std::span<const Preset> all) {
    std::vector<Member> models;
    for (const Preset* preset : shown) {
        if (!preset->year) continue;
        Result<CountedModel> counted = count_model(preset->architecture);
        if (!counted) return within(preset->id, counted.error());
        models.push_back({.preset = preset, .model = *std::move(counted)});
    }
    std::ranges::sort(models, is_before);
    find_parents(models, all);
    std::vector<std::vector<std::size_t>> children(models.size());
    for (std::size_t i = 0; i < models.size(); ++i)
        if (models[i].parent) children[*models[i].parent].push_back(i);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < models.size(); ++i)
        if (!models[i].parent) put(i, children, order);
    std::vector<std::size_t> place(models.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;

    std::vector<TreeNode> nodes;
    nodes.reserve(order.size());
    for (const std::size_t each : order) {
        const Member& model = models[each];
        TreeNode node{.preset = model.preset,
                      .total = model.model.parameters.total,
                      .by_component = model.model.parameters.by_component,
                      .parent = std::nullopt};
        if (model.parent) {
            const CountedModel &before = models[*model.parent].model, &now = model.model;
            node.parent = place[*model.parent];
            node.cost = now.parameters.total - before.parameters.total;
            node.changes = changes_of(field_walk(before, now, ByItself::left_out));
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

}  // namespace headcount
