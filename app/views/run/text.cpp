// The text so far: the prompt, and what was added to it in a stronger ink. Of a long one the end.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {
namespace {

constexpr int most_lines = 4;  // always: what stands below them stays where it is
constexpr float line_height = 1.5F;

struct Text {
    std::string_view all;
    const Font& font;
    ImU32 colour;
};

// A word with the spaces before it, which go where the line ends.
struct Word {
    std::string_view letters;
    const Text& of;
    ImVec2 at;
};

// Puts one text behind the other, wrapped at `width`; returns the height.
float flow(const std::array<Text, 2>& texts, float width, std::vector<Word>& words) {
    const float line = std::round(texts[0].font.size * line_height);
    float x = 0, y = 0;
    for (const Text& each : texts)
        for (std::string_view text = each.all; !text.empty();) {
            if (text.front() == '\n') {
                x = 0;
                y += line;
                text.remove_prefix(1);
                continue;
            }
            const std::size_t word = std::min(text.find_first_not_of(' '), text.size());
            const std::size_t end = std::min(text.find_first_of(" \n", word), text.size());
            std::string_view piece = text.substr(0, end);
            text.remove_prefix(end);
            float wide = text_width(each.font, piece);
            if (x > 0 && x + wide > width) {
                x = 0;
                y += line;
                piece.remove_prefix(std::min(word, piece.size()));
                wide = text_width(each.font, piece);
            }
            words.push_back({piece, each, ImVec2(x, y)});
            x += wide;
        }
    return y + line;
}

}  // namespace

void draw_run_text(const RunPanel& panel) {
    const Ui& ui = panel.ui;
    const RunSnapshot* const run = panel.run();
    const RunModel* const model = panel.page.model.get();
    // Before the prompt is read its place is kept: what stands below it is not to move then.
    const bool comes = !run && model && !model->wrong && model->of.checkpoint;
    if (!comes && !(run && run->tokenizer)) return;
    gap(ui, 12);
    caption(ui, "Text so far");
    gap(ui, 4);
    draw_text_flow(ui, "run.text", run ? std::string_view(run->prompt_text) : "",
                   run ? std::string_view(run->generated_text) : "", available_width(), most_lines);
}

void draw_text_flow(const Ui& ui, std::string_view name, std::string_view text, std::string_view added, float width,
                    int lines) {
    const std::array texts{Text{text, ui.fonts.body, ui.theme.text_mid},
                           Text{added, ui.fonts.body_bold, ui.theme.text_high}};
    std::vector<Word> words;
    const float whole = flow(texts, width, words);
    const ImVec2 start = ImGui::GetCursorScreenPos(),
                 extent(width, std::round(ui.fonts.body.size * line_height) * static_cast<float>(lines));
    ui.recorder.record(name, start, start + extent);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(start, start + extent, true);
    const ImVec2 from(start.x, start.y - std::max(0.0F, whole - extent.y));
    for (const Word& word : words)
        if (from.y + word.at.y + word.of.font.size * line_height > start.y)
            put_text(list, word.of.font, from + word.at, word.of.colour, word.letters);
    list.PopClipRect();
    place(start, extent);
}

}  // namespace headcount
