// Two runs beside each other, as it is and changed: their texts and a head's attention; below, how far each token's
// residual stream has moved behind each layer, with all heads to press.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/charts/heat_map.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/changes.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float row_height = 26, label_width = 84, brief_label = 62, heads_width = 150, mean_width = 44, most_cell = 56,
                least_piece = 3, numbered = 22, least_for_word = 14, least_strip = 100;
constexpr float widest_side = 46;       // unscaled, of a cell of both maps
constexpr double least_number = 0.005;  // a share that is written

void column_of(RunPanel& panel, const RunTrial* trial, bool changed, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    const RunSnapshot& run = trial ? (changed ? *trial->changed : *trial->of) : *panel.run();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = max.x - min.x;
    const IdScope scope(changed ? "changed" : "as_it_is");
    const ImVec2 head_end(max.x, min.y + ui.px(24));
    const bool other = panel.place.experiments.reads_other;
    const std::string_view title = !changed ? "As it is" : other ? "The other prompt" : "Changed";
    draw_text_in(list, ui.fonts.body_bold, min, head_end, ui.theme.text_high, title);
    float x = min.x + text_width(ui.fonts.body_bold, title) + ui.px(16);
    bool any = false;
    for (std::size_t i = 0; changed && i < panel.place.experiments.changes.size(); ++i)
        if (panel.place.experiments.changes[i].on && x + ui.px(10) < max.x) {
            draw_badge(ui, list, ImVec2(x, min.y + ui.px(12)), i + 1, true);
            x += ui.px(20);
            any = true;
        }
    if (!any && x < max.x && !panel.presents)
        draw_text(list, ui.fonts.caption, ImVec2(x, text_top(ui.fonts.caption, min.y + ui.px(12))), ui.theme.text_low,
                  !changed ? "without any change"
                  : other  ? "of the same model"
                           : "nothing is on: press a head below",
                  max.x - x);
    ImGui::SetCursorScreenPos(ImVec2(min.x, min.y + ui.px(28)));
    const int lines = max.y - min.y > ui.px(330) ? 3 : 2;
    if (run.tokenizer)
        draw_text_flow(ui, changed ? "run.text.changed" : "run.text.as_it_is", run.prompt_text,
                       trial ? (changed ? trial->changed_text : trial->text) : run.generated_text, width, lines);
    const float y =
        min.y + ui.px(28 + 6) + (run.tokenizer ? std::round(ui.fonts.body.size * 1.5F) * static_cast<float>(lines) : 0);
    const std::string words = "Layer " + std::to_string(panel.layer()) + ", head " + std::to_string(panel.head());
    if (panel.presents) {
        draw_text_in(list, ui.fonts.table, min, head_end, ui.theme.text_mid, words, Align::right);
    } else {
        draw_text_in(list, ui.fonts.table, ImVec2(min.x, y), ImVec2(max.x, y + ui.px(30)), ui.theme.text_mid,
                     changed ? words : "Attention");
        if (!changed) choose_layer_and_head(panel, *run.values, max.x, y + ui.px(15));
    }
    const ImVec2 start(min.x, y + ui.px(panel.presents ? 4 : 36));
    const float room = std::max(ui.px(40), std::min(width - ui.px(70), max.y - start.y - ui.px(20)));
    const std::string name = changed ? "run.attention.changed" : "run.attention.as_it_is";
    MapLook look{.room = room, .most_side = widest_side};
    if (changed && other && trial) look.row = trial->changed_position;
    if (draw_attention_map(panel, run, name, start, width, look).y == 0)
        draw_wrapped(list, ui.fonts.table, start, ui.theme.text_low, no_attention_words(*run.values, panel.layer()),
                     width);
}

// Whose word stands above the map whatever room there is; from frame to frame.
struct PointedToken {
    std::optional<std::int64_t> token;
};

// The map of how far the stream has moved, row by row.
class Moved {
  public:
    Moved(RunPanel& panel, const RunTrial* trial, bool encoder)
        : panel_(panel), ui_(panel.ui), run_(*panel.run()), encoder_(encoder), list_(*ImGui::GetWindowDrawList()) {
        if (trial) moved_ = &(encoder ? trial->source_moved : trial->moved);
        tokens_ = std::ssize(encoder ? run_.source : run_.tokens);
        if (moved_)
            for (const std::vector<double>& layer : *moved_)
                for (const double each : layer) most_ = std::max(most_, each);
    }

    std::optional<ChangePlace> draw() {
        start_ = ImGui::GetCursorScreenPos();
        right_ = start_.x + available_width();
        const auto begin = [&](float label) { return start_.x + ui_.px(label + heads_width + 12); };
        const bool strip = right_ - ui_.px(mean_width) - begin(label_width) >= ui_.px(least_strip);
        if (!strip) {
            tokens_ = 0;
            label_ = brief_label;
        }
        from_ = begin(label_);
        const float room = right_ - ui_.px(mean_width) - from_;
        cell_ = std::min(ui_.px(most_cell), room / static_cast<float>(std::max<std::int64_t>(tokens_, 1)));
        if (cell_ > 4) cell_ = std::floor(cell_);
        labels();
        const std::int64_t layers = run_.values->layers(encoder_);
        for (std::int64_t layer = -1; layer < layers; ++layer) row(layer);
        if (std::exchange(seen().token, pointed_) != pointed_) ui_.memory.animating = true;
        place(start_, ImVec2(1, y_ - start_.y));
        return opened_;
    }

  private:
    void labels() {
        y_ = start_.y + ui_.px(30);
        draw_text_in(list_, ui_.fonts.caption, ImVec2(start_.x + ui_.px(label_), start_.y), ImVec2(from_, y_),
                     ui_.theme.text_low, "heads, sub-blocks");
        draw_text_in(list_, ui_.fonts.caption, start_, ImVec2(right_, y_), ui_.theme.text_low, "mean", Align::right);
        // In two lines, so that each has the room of two. Where that is too little, every so many-th stands there, and
        // those that are looked at: beside them no other.
        const std::int64_t step = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::ceil(ui_.px(least_for_word) / std::max(cell_, 0.01F))));
        const std::optional<std::int64_t> pointed = seen().token,
                                          chosen = encoder_ ? std::nullopt : std::optional(panel_.position());
        for (std::int64_t i = 0; i < tokens_; ++i) {
            const bool looked_at = chosen == i || pointed == i;
            const auto covered = [&](std::optional<std::int64_t> by) {
                return by && i != *by && std::abs(i - *by) < 2 * step;
            };
            if (!looked_at && (i % step != 0 || (step > 1 && (covered(chosen) || covered(pointed))))) continue;
            if (chosen == i && step > 1 && covered(pointed)) continue;
            const float x = from_ + cell_ * static_cast<float>(i), room = 2 * cell_ * static_cast<float>(step);
            const float top = start_.y + ui_.px(i / step % 2 == 0 ? 0 : 14);
            const std::string text = encoder_ ? source_text(run_, i) : token_text(run_, i);
            const float wide = std::min(text_width(ui_.fonts.mono_caption, text), room - ui_.px(2));
            const float left = std::min(x + (cell_ - wide) / 2, right_ - ui_.px(mean_width) - wide);
            ui_.recorder.record("run.moved.word." + std::to_string(i), {left, top}, {left + wide, top + ui_.px(14)});
            draw_text(list_, ui_.fonts.mono_caption, ImVec2(std::max(left, from_), top),
                      looked_at ? ui_.theme.text_high : ui_.theme.text_mid, text, room - ui_.px(2));
        }
    }

    PointedToken& seen() const {
        return kept<PointedToken>(ui_, encoder_ ? "run.moved.pointed.encoder" : "run.moved.pointed");
    }
    ChangePlace place_of(std::int64_t layer) const {
        return {.stack = encoder_ ? ChangePlace::Stack::encoder : ChangePlace::Stack::main, .layer = layer};
    }

    // A press is an experiment; the right button offers others.
    void piece(const ChangePlace& where, const std::string& name, ImVec2 min, ImVec2 max, ImU32 hue) {
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui_, "piece", min, max, size::radius_matrix, false);
        const std::optional<std::size_t> number = change_at(panel_.place, where);
        const RunChange* const change = number ? &panel_.place.experiments.changes[*number - 1] : nullptr;
        const bool off = change && change->on && change->change.kind == Change::Kind::off;
        list_.AddRectFilled(min, max, off ? no_fill() : press.hovered ? ui_.theme.text_high : hue, ui_.px(2));
        if (off) {
            list_.AddRect(min, max, hue, ui_.px(2));
            list_.AddLine(ImVec2(min.x, max.y), ImVec2(max.x, min.y), ui_.theme.selection, ui_.px(1.5F));
        }
        if (number) marks_.push_back({where, min, max});
        if (press.hovered)
            show_tooltip(ui_,
                         {place_title(run_, where), {}, {}, "Press: off, and back. Right button: scaled, replaced."});
        if (press.pressed) press_place(panel_, where);
        if (press.hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) opened_ = where;
    }
    ImU32 no_fill() const { return ui_.theme.canvas; }

    void parts(std::int64_t layer, float top) {
        const Model& model = run_.values->model();
        const std::vector<LayerPart> all = parts_of(model.architecture, model.graph, place_of(layer).stack, layer);
        const float middle = top + ui_.px(row_height) / 2, half = ui_.px(7), block = ui_.px(16), gap = ui_.px(3);
        const auto blocks = static_cast<float>(all.size());
        std::int64_t heads = 0;
        for (const LayerPart& part : all) heads += part.heads + part.experts;
        const float room = ui_.px(heads_width) - blocks * (block + gap);
        const float side = heads > 0 ? std::min(ui_.px(14), room / static_cast<float>(heads)) : 0;
        const bool each = side >= ui_.px(least_piece);  // else the menu of the whole has them
        std::vector<ChangePlace> whole;
        float x = start_.x + ui_.px(label_);
        for (const LayerPart& part : all) {
            ChangePlace where = place_of(layer);
            where.block = model.graph.blocks[part.block].name;
            const std::string name =
                std::string("run.part") + (encoder_ ? ".encoder." : ".") + std::to_string(layer) + "." + where.block;
            const bool feed_forward = where.block == component_key(Component::feed_forward);
            const ImU32 hue = feed_forward ? ui_.theme.feed_forward : ui_.theme.attention;
            for (std::int64_t i = 0; each && i < part.heads + part.experts; ++i) {
                ChangePlace one = where;
                (part.heads > 0 ? one.head : one.expert) = i;
                piece(one, name + "." + std::to_string(i), ImVec2(std::round(x), middle - half),
                      ImVec2(std::round(x + side) - 1, middle + half), hue);
                x += side;
            }
            if (each && part.heads + part.experts > 0) x += gap;
            piece(where, name, ImVec2(std::round(x), middle - half), ImVec2(std::round(x + block), middle + half), hue);
            x += block + gap * 2;
            whole.push_back(std::move(where));
        }
        label(layer, top, whole);
    }

    // Its name: a press switches all of it off.
    void label(std::int64_t layer, float top, const std::vector<ChangePlace>& whole) {
        const std::string name = std::string("run.layer") + (encoder_ ? ".encoder." : ".") + std::to_string(layer);
        const ImVec2 min(start_.x, top), max(start_.x + ui_.px(label_ - 6), top + ui_.px(row_height));
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui_, "label", min, max, -1, false);
        if (press.hovered)
            show_tooltip(ui_, {"Layer " + std::to_string(layer), {}, {}, "Press: all of it off, and back."});
        if (press.pressed) press_layer(panel_, whole);
    }

    void cell(std::int64_t layer, std::int64_t token, double share, ImVec2 min) {
        const ImVec2 max(min.x + std::max(1.0F, cell_ - 1), min.y + ui_.px(row_height) - 1);
        const double strength = most_ > 0 ? share / most_ : 0;
        list_.AddRectFilled(min, max, heat_colour(ui_.theme, ui_.theme.text_high, strength), ui_.px(2));
        if (strength == 0) list_.AddRect(min, max, ui_.theme.line, ui_.px(2));
        if (share >= least_number && cell_ >= ui_.px(numbered))
            draw_text_in(list_, ui_.fonts.mono_caption, min, max,
                         strength > 0.5 ? ui_.theme.canvas : ui_.theme.text_high,
                         std::to_string(std::lround(share * 100)), Align::centre);
        if (layer < 0) return;
        ChangePlace where = place_of(layer);
        where.token = token;
        if (change_at(panel_.place, where)) marks_.push_back({where, min, max});
    }

    void row(std::int64_t layer) {
        const float top = y_;
        y_ += ui_.px(row_height);
        draw_text_in(list_, ui_.fonts.table, ImVec2(start_.x, top), ImVec2(from_, y_), ui_.theme.text_high,
                     layer < 0 ? "Embedding" : "Layer " + std::to_string(layer));
        marks_.clear();
        if (layer >= 0) parts(layer, top);
        const auto at = static_cast<std::size_t>(layer + 1);
        if (moved_ && at < moved_->size()) {
            const std::vector<double>& shares = (*moved_)[at];
            double sum = 0;
            std::size_t there = 0;
            for (std::size_t i = 0; i < shares.size(); ++i) {
                if (!encoder_ && !run_.reached(static_cast<std::int64_t>(i), layer + 1)) continue;
                if (tokens_ > 0)
                    cell(layer, static_cast<std::int64_t>(i), shares[i],
                         ImVec2(from_ + cell_ * static_cast<float>(i), top));
                sum += shares[i];
                ++there;
            }
            draw_text_in(
                list_, ui_.fonts.mono, ImVec2(right_ - ui_.px(mean_width), top), ImVec2(right_, y_), ui_.theme.text_mid,
                std::to_string(std::lround(100 * sum / static_cast<double>(std::max<std::size_t>(there, 1)))) + " %",
                Align::right);
            if (tokens_ > 0) touch(layer, shares, top);
        }
        for (const Mark& mark : marks_) mark_place(panel_, mark.where, mark.min, mark.max);
    }

    void touch(std::int64_t layer, const std::vector<double>& shares, float top) {
        const std::string name = std::string("run.stream") + (encoder_ ? ".encoder." : ".") + std::to_string(layer);
        const ImVec2 min(from_, top), max(from_ + cell_ * static_cast<float>(shares.size()), y_);
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui_, "row", min, max, -1, false);
        if (!press.hovered) return;
        const auto token = std::clamp<std::int64_t>(
            static_cast<std::int64_t>((ImGui::GetIO().MousePos.x - min.x) / cell_), 0, std::ssize(shares) - 1);
        pointed_ = token;
        if (!encoder_ && !run_.reached(token, layer + 1)) return;
        const std::string where = layer < 0 ? "as embedded" : "behind layer " + std::to_string(layer);
        show_tooltip(ui_, {in_quotes(encoder_ ? source_text(run_, token) : token_text(run_, token)) + " " + where,
                           share_text(shares[static_cast<std::size_t>(token)]),
                           {},
                           layer < 0 ? "It has moved by so much of its length."
                                     : "It has moved by so much of its length. Press to change it here."});
        if (layer < 0 || !(press.pressed || ImGui::IsMouseReleased(ImGuiMouseButton_Right))) return;
        ChangePlace at = place_of(layer);
        at.token = token;
        opened_ = at;
    }

    struct Mark {
        ChangePlace where;
        ImVec2 min, max;
    };

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    const bool encoder_;
    ImDrawList& list_;
    const std::vector<std::vector<double>>* moved_ = nullptr;
    std::int64_t tokens_ = 0;
    double most_ = 0;
    ImVec2 start_;
    float right_ = 0, from_ = 0, cell_ = 0, y_ = 0;
    float label_ = label_width;  // unscaled, of the layers' names
    std::vector<Mark> marks_;
    std::optional<ChangePlace> opened_;
    std::optional<std::int64_t> pointed_;  // the token under the pointer
};

}  // namespace

Intents draw_run_beside(RunPanel panel) {
    if (!panel.run()) return {};
    const Ui& ui = panel.ui;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float middle = std::round(corner.x + extent.x / 2), padding = ui.px(size::panel_padding);
    const float top = corner.y + ui.px(10), bottom = corner.y + extent.y;
    const RunTrial* const trial = trial_of(panel);
    column_of(panel, trial, false, ImVec2(corner.x + padding, top), ImVec2(middle - padding, bottom));
    column_of(panel, trial, true, ImVec2(middle + padding, top), ImVec2(corner.x + extent.x - padding, bottom));
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(middle, corner.y), ImVec2(middle + 1, bottom), ui.theme.line);
    return std::move(panel.intents);
}

float run_moved_height(const Ui& ui, const RunPage& page) {
    const RunSnapshot* const run = run_of(page);
    const std::int64_t layers = run ? run->values->layers() + run->values->layers(true) : 4;
    return ui.px(24 + 30 + 40 + 24) + ui.px(row_height) * static_cast<float>(layers + 1);
}

Intents draw_run_moved(RunPanel panel) {
    if (!panel.run()) return {};
    const Ui& ui = panel.ui;
    const RunTrial* const trial = trial_of(panel);
    const double apart = trial ? trial->divergence : 0;
    const std::string nats = trial && !trial->twins.empty() ? decimal_text(apart, apart < 0.1 ? 4 : 2) + " nats" : "";
    const std::string_view title = "Where the two runs part", between = " between what both say";
    const float free = available_width() - text_width(ui.fonts.body_bold, title) - ui.px(24);
    const bool fits = !nats.empty() && text_width(ui.fonts.table, nats + std::string(between)) <= free;
    section_title(ui, title, fits ? nats + std::string(between) : nats);
    ui.recorder.record("run.moved.nats", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (!nats.empty() && ImGui::IsItemHovered())
        show_tooltip(ui,
                     {"Nats between what both say",
                      nats,
                      {},
                      "How far the probabilities of the next word are apart: the mean of ln(p as it is / p changed) "
                      "by p as it is. 0 is no difference; 0.69 nats are one bit."});
    const bool two = panel.run()->values->layers(true) > 0;
    std::optional<ChangePlace> opened;
    for (const bool encoder : {true, false}) {
        if (encoder && !two) continue;
        if (two) caption(ui, encoder ? "Encoder" : "Decoder");
        Moved moved(panel, trial, encoder);
        if (const std::optional<ChangePlace> each = moved.draw()) opened = each;
    }
    change_menu(panel, "run.change_menu", opened);
    gap(ui, 4);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low,
              panel.place.experiments.reads_other && (!trial || trial->moved.empty())
                  ? "Two texts have other tokens, and their streams are not compared one by one."
              : trial && trial->moved.empty()
                  ? "The residual stream of this model is not kept: there is no map of it."
                  : "How far each token's residual stream has moved, in percent of its length.");
    gap(ui, 8);
    return std::move(panel.intents);
}

}  // namespace headcount
