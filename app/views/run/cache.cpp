// The KV cache of a run: how full it is, and the formula of its bytes.
#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/run/look.hpp"
#include "core/base/text.hpp"

namespace headcount {

void draw_run_cache(const Ui& ui, const Session& session) {
    const RunSnapshot* const run = run_of(session);
    if (!run) return;
    const std::int64_t tokens = run->values->tokens(), room = run->of->options.capacity;
    section_title(ui, "KV cache", std::to_string(tokens) + " of " + std::to_string(room) + " tokens");
    gap(ui, 6);
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(16)));
    const ImVec2 end = start + extent;
    ui.recorder.record("run.cache", start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, end, ui.theme.kv_fill, ui.theme.kv_edge, ui.px(size::radius_matrix));
    // A stripe a token, as far as these can be told apart.
    const float one = (extent.x - 4) / static_cast<float>(std::max<std::int64_t>(room, 1));
    const float full = one * static_cast<float>(tokens);
    if (one >= 3) {
        for (std::int64_t i = 0; i < tokens; ++i) {
            const float x = start.x + 2 + one * static_cast<float>(i);
            list.AddRectFilled(ImVec2(x, start.y + 2), ImVec2(x + one - 1, end.y - 2), ui.theme.kv_edge);
        }
    } else {
        list.AddRectFilled(start + ImVec2(2, 2), ImVec2(start.x + 2 + std::max(1.0F, full), end.y - 2),
                           ui.theme.kv_edge);
    }
    place(start, extent);
    gap(ui, 8);
    // As the graph of these tokens has it, in the numbers that the run holds.
    const Architecture& arch = run->values->model().architecture;
    const Bindings numbers =
        bindings(arch, Input{.tokens = tokens, .batch = 1, .cached = 0, .precision = Precision::fp32});
    const Expr& bytes = run->of->cache_bytes;
    const Result<std::int64_t> value = evaluate(bytes, numbers);
    const std::string text = value ? grouped(*value) + " B" : "";
    const float wide = text_width(ui.fonts.mono_medium, text) + ui.px(12);
    const ImVec2 line = ImGui::GetCursorScreenPos(), line_extent(extent.x, std::round(ui.px(20)));
    const std::string formula = in_numbers(bytes, numbers);
    const bool beside = text_width(ui.fonts.mono, formula) + wide <= extent.x;
    draw_text_in(list, ui.fonts.mono_medium, line, line + line_extent, ui.theme.text_high, text, Align::right);
    if (beside)
        draw_text_in(list, ui.fonts.mono, line, line + line_extent, ui.theme.text_mid, formula);
    else
        draw_text_in(list, ui.fonts.table, line, line + line_extent, ui.theme.text_mid, "Keys and values");
    place(line, line_extent);
    if (!beside) paragraph(ui, ui.fonts.mono_caption, ui.theme.text_low, formula);
    gap(ui, 2);
    const std::string symbols = in_symbols(bytes) + ", 4 B a number";
    const ImVec2 last = ImGui::GetCursorScreenPos();
    draw_wrapped(list, ui.fonts.mono_caption, last, ui.theme.text_low, symbols, extent.x, true);
    place(last, ImVec2(extent.x, wrapped_extent(ui.fonts.mono_caption, symbols, extent.x, true).y));
}

}  // namespace headcount
