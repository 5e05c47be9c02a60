// Attention as bands between the words of a run: from the one that looks to those that it looks at, as wide as it looks
// there.
#include <algorithm>
#include <cmath>

#include "app/diagram/run_heat.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {
namespace {

constexpr float least_drawn = 0.02F;                                       // of what a word looks at
constexpr float widest = 14, shallowest = 7, deepest = 24, per_depth = 9;  // design pixels; the last along for one down

}  // namespace

AttentionBands attention_bands(const RunPanel& panel, const RunSnapshot& run) {
    const RunValues& values = *run.values;
    const bool at_source = values.layers(true) > 0 && panel.place.at_source;
    const MatrixView weights = values.attention(panel.layer(), panel.head(), at_source);
    const std::int64_t from = pointed_in_run(panel.ui).chip.value_or(panel.lit_position());
    if (!weights || from < 0 || from >= std::min(weights.rows, rows_there(panel, run, panel.layer()))) return {};
    AttentionBands bands{.from = from, .at_source = at_source};
    const std::int64_t seen = mask_looked_at(panel, values) == AttentionMask::full ? weights.columns : from + 1;
    for (std::int64_t key = 0; key < std::min(seen, weights.columns); ++key)
        bands.shares.push_back(weights.at(from, key));
    return bands;
}

void draw_attention_bands(const Ui& ui, const AttentionBands& bands, const ChipFeet& feet) {
    const std::vector<ImVec2>& to = bands.at_source ? feet.source : feet.tokens;
    if (bands.shares.empty() || static_cast<std::size_t>(bands.from) >= feet.tokens.size()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 start = feet.tokens[static_cast<std::size_t>(bands.from)];
    for (std::size_t key = 0; key < std::min(bands.shares.size(), to.size()); ++key) {
        const float share = bands.shares[key];
        if (!(share >= least_drawn)) continue;
        const ImU32 ink = attention_heat(ui.theme, share);
        const float width = std::max(1.0F, ui.px(widest) * share);
        const ImVec2 end = to[key];
        const float along = std::abs(start.x - end.x);
        if (along < 1) {  // itself
            list.AddCircleFilled(start + ImVec2(0, ui.px(3)), std::max(ui.px(1.5F), width / 2), ink);
            continue;
        }
        const float depth = std::clamp(along / per_depth, ui.px(shallowest), ui.px(deepest));
        list.AddBezierCubic(start, start + ImVec2(0, depth), end + ImVec2(0, depth), end, ink, width);
    }
    ui.recorder.record("run.bands", start, start + ImVec2(1, ui.px(deepest)));
}

}  // namespace headcount
