// Below the diagram while changes are on: the model as one line, layer behind layer, and in each how far its tokens'
// stream has moved from the run as it is.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/charts/heat_map.hpp"
#include "app/diagram/view.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/changes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float moved_strip_height = 48, strip_margin = 16, strip_caption = 20, strip_cells = 13, strip_names = 15,
                between_layers_moved = 6;  // unscaled

// "Layer 3" below each block, of which the first is the embedding; by its number alone, and only every so many-th,
// where there is no room for more.
class LayerNames {
  public:
    LayerNames(const Ui& ui, std::size_t blocks, float each) {
        const auto width = [&](const std::string& text) { return text_width(ui.fonts.caption, text); };
        const std::string last = std::to_string(blocks - 1);
        const float gap = ui.px(between_layers_moved);
        embedding_ = width("Embedding") <= each;
        whole_ = width("Layer " + last) <= each;
        if (!whole_) step_ = static_cast<std::size_t>(std::ceil((width(last) + gap) / (each + gap)));
    }
    std::string of(std::size_t block) const {
        if (block == 0) return embedding_ ? "Embedding" : "";
        if ((block - 1) % step_ != 0) return "";
        return (whole_ ? "Layer " : "") + std::to_string(block - 1);
    }

  private:
    bool embedding_ = false, whole_ = false;
    std::size_t step_ = 1;
};

}  // namespace

const RunTrial* moved_trial(const RunPanel& panel) {
    const RunTrial* const trial = trial_of(panel);
    const bool on = std::ranges::any_of(panel.place.experiments.changes, &RunChange::on);
    return on && !panel.presents && trial && !trial->moved.empty() && !trial->moved.front().empty() ? trial : nullptr;
}

void draw_moved_strip(RunPanel& panel) {
    const RunTrial* const found = moved_trial(panel);
    if (!found) return;
    const RunTrial& trial = *found;
    const RunSnapshot& run = *trial.of;
    const Ui& ui = panel.ui;
    const float width = ImGui::GetWindowSize().x;
    const ImVec2 min = ImGui::GetWindowPos() + ImVec2(0, ImGui::GetWindowSize().y - ui.px(moved_strip_height));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = min.x + ui.px(strip_margin), right = min.x + width - ui.px(strip_margin);
    const float top = min.y + ui.px(strip_caption), bottom = top + std::round(ui.px(strip_cells));
    const auto blocks = static_cast<float>(trial.moved.size());
    const float gap = ui.px(between_layers_moved), each = (right - left + gap) / blocks - gap;
    const LayerNames names(ui, trial.moved.size(), each);
    double most = 0;
    for (const std::vector<double>& layer : trial.moved)
        for (const double share : layer) most = std::max(most, share);
    // The buttons stand between both.
    const float side = (width - zoom_bar_width(ui)) / 2 - ui.px(2 * strip_margin);
    const std::string end = "at most " + share_text(most);
    const float caption = text_width(ui.fonts.table, end);
    draw_text(list, ui.fonts.table, {left, min.y}, ui.theme.text_mid, "How far each token has moved", side);
    if (caption <= side) draw_text(list, ui.fonts.table, {right - caption, min.y}, ui.theme.text_low, end);
    for (std::size_t block = 0; block < trial.moved.size(); ++block) {
        const std::vector<double>& shares = trial.moved[block];
        const ImVec2 from(std::round(left + (each + gap) * static_cast<float>(block)), top), to(from.x + each, bottom);
        const float cell = each / static_cast<float>(std::max<std::size_t>(shares.size(), 1));
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const float x = from.x + cell * static_cast<float>(i), line = cell >= ui.px(4) ? 1.0F : 0.0F;
            list.AddRectFilled({x, top}, {x + cell - line, bottom},
                               heat_colour(ui.theme, ui.theme.text_high, most > 0 ? shares[i] / most : 0));
        }
        if (const std::string title = names.of(block); !title.empty()) {
            const float middle = (from.x + to.x) / 2, half = text_width(ui.fonts.caption, title) / 2;
            const ImVec2 begin(middle - half, bottom), behind(middle + half, bottom + ui.px(strip_names));
            const bool here = block > 0 && static_cast<std::int64_t>(block) - 1 == panel.layer();
            draw_text_in(list, ui.fonts.caption, begin, behind, here ? ui.theme.text_high : ui.theme.text_mid, title,
                         Align::centre);
            ui.recorder.record("run.moved_strip.name." + std::to_string(block), title, begin, behind);
        }
        const std::string name = "run.moved_strip." + std::to_string(block);
        ui.recorder.record(name, from, to);
        const IdScope scope(name);
        const Press press = press_area(ui, "layer", from, to, size::radius_matrix, false);
        if (!press.hovered || shares.empty()) continue;
        const float along = (ImGui::GetIO().MousePos.x - from.x) / std::max(cell, 0.01F);
        const auto token = static_cast<std::size_t>(std::clamp(along, 0.0F, static_cast<float>(shares.size() - 1)));
        const std::string where = block == 0 ? "as embedded" : "behind layer " + std::to_string(block - 1);
        show_tooltip(ui, {in_quotes(token_text(run, static_cast<std::int64_t>(token))) + " " + where,
                          share_text(shares[token]),
                          {},
                          "It has moved by so much of its length. Press to look at it there."});
        if (!press.pressed) continue;
        panel.set([&](RunPlace& place) {
            place.position = static_cast<std::int64_t>(token);
            if (block > 0) place.layer = static_cast<std::int64_t>(block) - 1;
        });
    }
}

}  // namespace headcount
