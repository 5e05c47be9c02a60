// The way to what is shown of a model's matrices: menus between chevrons.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/matrices_page.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {
namespace {

constexpr float run_way_height = 40;  // unscaled

class Way {
  public:
    Way(const Ui& ui, ImVec2 start) : ui_(ui), x_(start.x + ui.px(16)), y_(start.y) {}

    // As wide as its words.
    std::optional<int> menu(std::string_view name, std::string_view label, std::span<const MenuEntry> entries,
                            int current) {
        const float width = std::max(84.0F, width_of(label) + 44);
        float longest = 0;
        for (const MenuEntry& each : entries) longest = std::max(longest, width_of(each.name));
        if (!first_) {
            draw_icon(*ImGui::GetWindowDrawList(), Icon::chevron_right,
                      ImVec2(x_ + ui_.px(8), y_ + ui_.px(run_way_height / 2)), ui_.px(12), ui_.theme.text_low);
            x_ += ui_.px(20);
        }
        first_ = false;
        ImGui::SetCursorScreenPos({std::round(x_), std::round(y_ + ui_.px((run_way_height - size::button) / 2))});
        const MenuButton button{.label = label,
                                .width = width,
                                .list_width = std::max({width, longest + 48, 160.0F}),
                                .current = current,
                                .searchable = entries.size() > 12};
        x_ += ui_.px(width) + ui_.px(4);
        return menu_button(ui_, name, button, entries);
    }
    float end() const { return x_; }

  private:
    float width_of(std::string_view words) const {
        return std::ceil(text_width(ui_.fonts.body_medium, words) / ui_.scale);  // unscaled
    }

    const Ui& ui_;
    float x_, y_;
    bool first_ = true;
};

// "Layer 0" ... or "Head 0" ...
std::optional<std::int64_t> choose(Way& way, std::string_view name, const std::string& word, std::int64_t count,
                                   std::int64_t current) {
    const NumberedEntries all(word, count);
    const std::string label = word + " " + std::to_string(current);
    const auto chosen = way.menu(name, label, all.entries, static_cast<int>(current));
    return chosen ? std::optional<std::int64_t>(*chosen) : std::nullopt;
}

// What a layer has of what can be chosen.
std::vector<RunPart> parts_of(const RunValues& values, const RunSight& sight) {
    std::vector<RunPart> parts;
    const LayerKind kind = layer_kind(values.model().architecture, sight.layer, sight.encoder);
    if (kind.attention || kind.recurrent) parts.push_back(RunPart::mixer);
    if (values.layers(true) > 0 && !sight.encoder) parts.push_back(RunPart::cross);
    if (kind.feed_forward) parts.push_back(RunPart::feed_forward);
    return parts;
}

std::string_view part_name(const RunValues& values, const RunSight& sight, RunPart part) {
    if (part == RunPart::cross) return "Cross-attention";
    if (part == RunPart::feed_forward) return component_name(Component::feed_forward);
    const LayerKind kind = layer_kind(values.model().architecture, sight.layer, sight.encoder);
    if (kind.attention && kind.recurrent) return "Both mixers";
    return component_name(kind.recurrent ? Component::recurrence : Component::attention);
}

}  // namespace

std::optional<RunChoice> draw_run_way(const Ui& ui, const RunSnapshot& run, const RunChoice& here) {
    const RunValues& values = *run.values;
    const RunSight& sight = here.sight;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    Way way(ui, start);
    std::optional<RunChoice> asked;
    const auto ask = [&](auto&& change) {
        asked = here;
        change(asked->sight);
    };
    const bool two = values.layers(true) > 0;
    struct Entry {
        RunShows shows;
        std::string_view name;
        bool outside = false, encoder = false;  // of matrices
    };
    std::vector<Entry> entries;
    if (has_words(run)) entries.push_back({RunShows::words, "Words"});
    entries.push_back({RunShows::diagram, "Diagram"});
    entries.push_back({RunShows::matrices, two ? "Decoder" : "Layers"});
    if (two) entries.push_back({.shows = RunShows::matrices, .name = "Encoder", .encoder = true});
    entries.push_back({.shows = RunShows::matrices, .name = "Embedding and output", .outside = true});
    const bool matrices = here.shows == RunShows::matrices, outside = matrices && sight.part == RunPart::ends;
    const bool encoder = matrices && !outside && sight.encoder;
    const auto current = std::ranges::find_if(entries, [&](const Entry& each) {
        return each.shows == here.shows && each.outside == outside && each.encoder == encoder;
    });
    std::vector<MenuEntry> offered;
    for (const Entry& each : entries) offered.push_back({.name = each.name});
    const std::string_view label = matrices && !outside && !two ? "Model" : current->name;
    const auto index = static_cast<int>(current - entries.begin());
    if (const auto chosen = way.menu("run.way.model", label, offered, index)) {
        const Entry& there = entries[static_cast<std::size_t>(*chosen)];
        ask([&](RunSight& changed) {
            if (there.shows != RunShows::matrices) return;
            changed.part = there.outside ? RunPart::ends : RunPart::mixer;
            changed.encoder = there.encoder;
        });
        asked->shows = there.shows;
    }
    if (!outside && here.shows != RunShows::words) {
        // The diagram has both stacks.
        const std::int64_t layers = matrices ? values.layers(encoder) : std::max(values.layers(), values.layers(true));
        if (const auto layer = choose(way, "run.way.layer", "Layer", layers, std::min(sight.layer, layers - 1)))
            ask([&](RunSight& changed) { changed.layer = *layer; });
    }
    if (matrices && !outside) {
        std::vector<MenuEntry> names;
        const std::vector<RunPart> parts = parts_of(values, sight);
        for (const RunPart part : parts) names.push_back({.name = part_name(values, sight, part)});
        const auto now = static_cast<std::size_t>(std::ranges::find(parts, sight.part) - parts.begin());
        const std::size_t shown = std::min(now, parts.size() - 1);
        if (const auto part = way.menu("run.way.part", names[shown].name, names, static_cast<int>(shown)))
            ask([&](RunSight& changed) { changed.part = parts[static_cast<std::size_t>(*part)]; });
        if (sight.part != RunPart::feed_forward) {
            if (const auto head = choose(way, "run.way.head", "Head", values.heads_of(sight.layer), sight.head))
                ask([&](RunSight& changed) { changed.head = *head; });
        } else if (const std::int64_t experts = values.experts_per_token(sight.layer); experts > 0) {
            if (const auto which = choose(way, "run.way.expert", "Choice", experts, sight.which))
                ask([&](RunSight& changed) { changed.which = *which; });
        }
    }
    const std::string remark = here.shows == RunShows::words     ? "row = looks, column = is looked at"
                               : here.shows == RunShows::diagram ? "the numbers of this run, in place"
                                                                 : "one cell = one number";
    if (way.end() + text_width(ui.fonts.caption, remark) + ui.px(32) < start.x + width)
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start,
                     {start.x + width - ui.px(16), start.y + ui.px(run_way_height)}, ui.theme.text_mid, remark,
                     Align::right);
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(run_way_height)});
    return asked;
}

}  // namespace headcount
