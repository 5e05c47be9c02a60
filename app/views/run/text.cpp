// The text so far: the prompt, and what was added to it in a stronger ink. Of a long one the end.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/facts.hpp"

namespace headcount {
namespace {

constexpr int lines = 4;  // always: what stands below them stays where it is
constexpr float line_height = 1.5F;

struct Ink {
    const Font& font;
    ImU32 colour;
};

// Calls put(position, ink, word) for every word of both texts, wrapped at `width`; returns the height.
template <class Put>
float flow(const std::array<std::pair<std::string_view, Ink>, 2>& texts, float width, Put&& put) {
    const float line = std::round(texts[0].second.font.size * line_height);
    float x = 0, y = 0;
    for (const auto& [whole, ink] : texts) {
        std::string_view text = whole;
        while (!text.empty()) {
            if (text.front() == '\n') {
                x = 0;
                y += line;
                text.remove_prefix(1);
                continue;
            }
            // With the spaces before it, which go where the line ends.
            const std::size_t word = std::min(text.find_first_not_of(' '), text.size());
            const std::size_t end = std::min(text.find_first_of(" \n", word), text.size());
            std::string_view piece = text.substr(0, end);
            text.remove_prefix(end);
            float wide = text_width(ink.font, piece);
            if (x > 0 && x + wide > width) {
                x = 0;
                y += line;
                piece.remove_prefix(std::min(word, piece.size()));
                wide = text_width(ink.font, piece);
            }
            put(ImVec2(x, y), ink, piece);
            x += wide;
        }
    }
    return y + line;
}

}  // namespace

void draw_run_text(const Ui& ui, const Session& session) {
    const RunSnapshot* const run = run_of(session);
    const RunModel* const model = session.running.model.get();
    // Before the prompt is read its place is kept: what stands below it is not to move then.
    const bool comes = !run && model && !model->wrong && model->of.checkpoint;
    if (!comes && !(run && run->tokenizer)) return;
    gap(ui, 12);
    caption(ui, "Text so far");
    gap(ui, 4);
    const std::array<std::pair<std::string_view, Ink>, 2> texts{
        std::pair<std::string_view, Ink>{comes ? "" : std::string_view(run->prompt_text),
                                         {ui.fonts.body, ui.theme.text_mid}},
        std::pair<std::string_view, Ink>{comes ? "" : std::string_view(run->generated_text),
                                         {ui.fonts.body_bold, ui.theme.text_high}}};
    const float width = available_width();
    const float whole = flow(texts, width, [](ImVec2, const Ink&, std::string_view) {});
    const ImVec2 start = ImGui::GetCursorScreenPos(),
                 extent(width, std::round(ui.fonts.body.size * line_height) * lines);
    ui.recorder.record("run.text", start, start + extent);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(start, start + extent, true);
    const ImVec2 from(start.x, start.y - std::max(0.0F, whole - extent.y));
    flow(texts, width, [&](ImVec2 at, const Ink& ink, std::string_view word) {
        if (from.y + at.y + ink.font.size * line_height > start.y)
            put_text(list, ink.font, from + at, ink.colour, word);
    });
    list.PopClipRect();
    place(start, extent);
}

}  // namespace headcount
