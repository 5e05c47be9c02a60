// The words that the model knows, as its embedding has them: a map, the nearest of one word, its row.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/diagram/run_heat.hpp"
#include "app/state/run/vocabulary.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/parts.hpp"
#include "app/views/run/word_places.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float near_width = 230, near_row = 20, least_wide = 260, least_high = 150;  // unscaled
constexpr float strip_high = 18, dot = 2, lit_dot = word_dot, reach = 9, name_high = word_name_height;

class WordMap {
  public:
    WordMap(RunPanel& panel, const RunSnapshot& run)
        : panel_(panel),
          ui_(panel.ui),
          run_(run),
          list_(*ImGui::GetWindowDrawList()),
          table_(token_table(run.values->model())),
          looked_(word_looked_at(panel.page, run, panel.place)) {}

    void draw() {
        const float padding = ui_.px(size::panel_padding);
        const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(padding, 0);
        const ImVec2 room = ImGui::GetContentRegionAvail() - ImVec2(2 * padding, ui_.px(12));
        const float side = ui_.px(near_width);
        const bool beside = room.x - side - ui_.px(24) >= ui_.px(least_wide);
        const float width = beside ? room.x - side - ui_.px(24) : room.x;
        const float above = head(start, width), below = ui_.px(strip_high + 26);
        const float high = std::max(ui_.px(least_high), room.y - above - below);
        const ImVec2 min(std::round(start.x), std::round(start.y + above)),
            max(min.x + std::floor(width), min.y + std::floor(high));
        map(min, max);
        strip({min.x, max.y + ui_.px(6)}, max.x);
        const float bottom = max.y + below - start.y;
        const ImVec2 corner = beside ? ImVec2(max.x + ui_.px(24), start.y) : start + ImVec2(0, bottom + ui_.px(8));
        const float words = near(corner, beside ? side : room.x);
        place(start, ImVec2(8, beside ? std::max(bottom, words) : bottom + ui_.px(8) + words));
    }

  private:
    bool is_here(const auto& each) const { return each && each->of.lock() == run_.values->shared_model(); }
    const RowMap* found() const {
        return is_here(panel_.page.map) && panel_.page.map->map ? &*panel_.page.map->map : nullptr;
    }
    const TrainedRows* measured() const {
        return is_here(panel_.page.trained) && panel_.page.trained->rows ? &*panel_.page.trained->rows : nullptr;
    }
    std::string word(std::int32_t id) const {
        return texts_ ? texts_->of(piece_of(run_, id)) : candidate_text(run_, id);
    }

    // What the picture is. Returns how high that is.
    float head(ImVec2 start, float width) {
        std::string words = "Finding the directions in which the rows of the embedding differ most";
        if (const RowMap* const map = found()) {
            words = "Across and upwards: the first two principal components of the embedding's rows, with " +
                    share_text(map->shares[0]) + " and " + share_text(map->shares[1]) + " of their variance. " +
                    grouped(std::ssize(map->rows)) + " of " + grouped(panel_.page.map->tokens) + " tokens";
            const auto left_out = panel_.page.map->tokens - std::ssize(map->rows);
            words += left_out == 0 ? "." : "; the rows of the others no text has trained.";
            words += " Each direction has its own scale.";
        } else if (is_here(panel_.page.map)) {
            words += ": " + std::to_string(panel_.page.map->passes) + " times through " +
                     grouped(panel_.page.map->tokens) + " rows.";
        }
        draw_wrapped(list_, ui_.fonts.caption, start, ui_.theme.text_mid, words, width);
        return wrapped_extent(ui_.fonts.caption, words, width).y + ui_.px(8);
    }

    void map(ImVec2 min, ImVec2 max) {
        ui_.recorder.record("run.map", min, max);
        list_.AddRect(min, max, ui_.theme.line);
        const RowMap* const map = found();
        if (!map || map->points.empty()) return;
        const ImVec2 box = max - min;
        if (std::min(box.x, box.y) <= 2 * ui_.px(word_map_inset)) return;
        const auto basis = std::tuple(panel_.page.map, run_.values.get(), box.x, box.y, ui_.scale);
        const PlacedWords& placed =
            made(ui_, "run.map.placed", basis, [&] { return place_words(ui_, run_, *map, box); });
        const IdScope scope("run.map");
        const Press press = press_area(ui_, "box", min, max, size::radius_matrix);
        const std::optional<std::size_t> under = press.hovered ? nearest(placed, min) : std::nullopt;
        texts_ = &placed.texts;
        look(placed, under, press);
        list_.PushClipRect(min, max, true);
        list_.AddLine({min.x, min.y + placed.zero.y}, {max.x, min.y + placed.zero.y}, ui_.theme.line);
        list_.AddLine({min.x + placed.zero.x, min.y}, {min.x + placed.zero.x, max.y}, ui_.theme.line);
        dots(placed, min, max);
        list_.PopClipRect();
        if (placed.beyond == 0) return;
        const std::string words =
            std::to_string(placed.beyond) + (placed.beyond == 1 ? " lies" : " lie") + " further out than the edge";
        draw_text_in(list_, ui_.fonts.caption, {min.x, max.y - ui_.px(20)}, max - ImVec2(ui_.px(8), 0),
                     ui_.theme.text_low, words, Align::right);
    }

    std::optional<std::size_t> nearest(const PlacedWords& placed, ImVec2 min) const {
        const ImVec2 pointer = ImGui::GetIO().MousePos - min;
        std::optional<std::size_t> found;
        float best = ui_.px(reach) * ui_.px(reach);
        for (std::size_t i = 0; i < placed.at.size(); ++i) {
            const ImVec2 way = placed.at[i] - pointer;
            if (const float square = way.x * way.x + way.y * way.y; square < best) {
                best = square;
                found = i;
            }
        }
        return found;
    }

    void look(const PlacedWords& placed, std::optional<std::size_t> under, const Press& press) {
        WordsOnMap words = panel_.page.words;
        words.pointed = under ? std::optional(placed.ids[*under]) : std::nullopt;
        if (press.pressed) words.chosen = words.pointed;
        if (words != panel_.page.words) panel_.ask(LookAtWords{words});
    }

    void dots(const PlacedWords& placed, ImVec2 min, ImVec2 max) {
        const ImU32 hue = ui_.theme.embedding, faint = with_alpha(hue, 0.5F);
        const float radius = ui_.px(dot), lit = ui_.px(lit_dot);
        for (const ImVec2& each : placed.at)
            list_.AddRectFilled(min + each - ImVec2(radius, radius), min + each + ImVec2(radius, radius), faint);
        if (near_now())
            for (const NearRow& each : panel_.page.near->rows)
                if (const auto i = placed.find(static_cast<std::int32_t>(each.row)))
                    list_.AddCircle(min + placed.at[*i], lit + 1, ui_.theme.text_mid);
        for (const PlacedWords::Named& each : placed.named)
            if (!each.own && !looked_at(placed.ids[each.word])) name(placed, each, min, ui_.theme.text_low);
        for (const RunToken& token : run_.tokens)
            if (const auto i = placed.find(token.id)) {
                const ImVec2 at = min + placed.at[*i];
                list_.AddCircleFilled(at, lit, hue);
                ui_.recorder.record("run.map.word." + std::to_string(token.id), at - ImVec2(lit, lit),
                                    at + ImVec2(lit, lit));
            }
        for (const PlacedWords::Named& each : placed.named)
            if (each.own && !looked_at(placed.ids[each.word])) name(placed, each, min, ui_.theme.text_high);
        const std::optional<std::int64_t>& chip = pointed_in_run(ui_).chip;
        const auto lit_id = chip && *chip < std::ssize(run_.tokens)
                                ? std::optional(run_.tokens[static_cast<std::size_t>(*chip)].id)
                                : looked_;
        const auto i = lit_id ? placed.find(*lit_id) : std::nullopt;
        if (!i) return;
        const ImVec2 at = min + placed.at[*i];
        list_.AddCircleFilled(at, lit, hue);
        list_.AddCircle(at, lit + ui_.px(2), ui_.theme.selection, 0, ui_.px(2));
        // Where its name stands; one that has no place is before the others.
        const float wide = text_width(ui_.fonts.mono_medium, word(*lit_id)) + ui_.px(6);
        ImVec2 corner = at + ImVec2(ui_.px(lit_dot + 4), -ui_.px(name_high / 2 + 1));
        const auto named = std::ranges::find(placed.named, *i, &PlacedWords::Named::word);
        if (named != placed.named.end()) {
            const ImVec2 sum = named->place.min + named->place.max, middle = min + ImVec2(sum.x / 2, sum.y / 2);
            const bool before = named->place.max.x <= placed.at[*i].x, behind = named->place.min.x >= placed.at[*i].x;
            const float left = behind ? corner.x : before ? at.x - ui_.px(lit_dot + 4) - wide : middle.x - wide / 2;
            corner = ImVec2(left, middle.y - ui_.px(name_high / 2 + 1));
        }
        if (corner.x + wide > max.x) corner.x = at.x - ui_.px(lit_dot + 4) - wide;
        corner.x = std::max(corner.x, min.x);
        corner.y = std::clamp(corner.y, min.y, std::max(min.y, max.y - ui_.px(name_high + 2)));
        ui_.recorder.record("run.map.lit", corner, corner + ImVec2(wide, ui_.px(name_high + 2)));
        list_.AddRectFilled(corner, corner + ImVec2(wide, ui_.px(name_high + 2)), ui_.theme.raised,
                            ui_.px(size::radius_field));
        draw_text_in(list_, ui_.fonts.mono_medium, corner + ImVec2(ui_.px(3), 0),
                     corner + ImVec2(wide, ui_.px(name_high + 2)), ui_.theme.text_high, word(*lit_id));
    }
    bool looked_at(std::int32_t id) const { return looked_ && *looked_ == id; }
    void name(const PlacedWords& placed, const PlacedWords::Named& each, ImVec2 min, ImU32 ink) {
        const std::int32_t id = placed.ids[each.word];
        if (each.own)
            ui_.recorder.record("run.map.name." + std::to_string(id), min + each.place.min, min + each.place.max);
        draw_text_in(list_, ui_.fonts.mono_caption, min + each.place.min, min + each.place.max + ImVec2(1, 0), ink,
                     word(id));
    }

    // The row itself: of many numbers that share a cell the greatest.
    void strip(ImVec2 start, float right) {
        if (!looked_ || !table_) return;
        std::vector<float> row(static_cast<std::size_t>(table_.columns));
        copy_row(table_, *looked_, row);
        const auto fits = static_cast<std::size_t>((right - start.x) / std::max(2.0F, ui_.px(2)));
        const std::size_t cells = std::clamp<std::size_t>(row.size(), 1, std::max<std::size_t>(fits, 1));
        const auto magnitude = [](float x) { return std::abs(x); };
        const float limit = magnitude(*std::ranges::max_element(row, {}, magnitude));
        const ImVec2 min(start.x, start.y + ui_.px(16)), max(right, start.y + ui_.px(16 + strip_high));
        const float wide = (right - start.x) / static_cast<float>(cells);
        ui_.recorder.record("run.map.strip", min, max);
        const auto [least, most] = std::ranges::minmax(row);
        draw_text_in(list_, ui_.fonts.caption, start, {right, min.y}, ui_.theme.text_mid,
                     "The row of " + in_quotes(word(*looked_)) + ": " + grouped(table_.columns) + " numbers from " +
                         decimal_text(static_cast<double>(least), 2) + " to " +
                         decimal_text(static_cast<double>(most), 2));
        const auto begin = [&](std::size_t cell) { return cell * row.size() / cells; };
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const float value =
                *std::max_element(row.begin() + std::ptrdiff_t(begin(cell)),
                                  row.begin() + std::ptrdiff_t(std::max(begin(cell) + 1, begin(cell + 1))),
                                  [&](float a, float b) { return magnitude(a) < magnitude(b); });
            const float x = start.x + wide * static_cast<float>(cell);
            list_.AddRectFilled({x, min.y}, {x + wide, max.y}, heat_of(ui_.theme, ui_.theme.embedding, value, limit));
        }
        const IdScope scope("run.map.strip");
        if (!press_area(ui_, "strip", min, max, size::radius_matrix, false).hovered) return;
        const auto cell = std::min(cells - 1, static_cast<std::size_t>((ImGui::GetIO().MousePos.x - start.x) / wide));
        show_tooltip(ui_, {"Column " + std::to_string(begin(cell)),
                           decimal_text(static_cast<double>(row[begin(cell)]), 4),
                           {},
                           "Of this word's row in the embedding."});
    }

    bool near_now() const { return looked_ && is_here(panel_.page.near) && panel_.page.near->id == *looked_; }

    // Which word is looked at, and those nearest to it. Returns how high that is.
    float near(ImVec2 min, float width) {
        if (!looked_) return 0;
        float y = min.y;
        const std::string id = "token " + std::to_string(*looked_);
        const ImVec2 title_end(min.x + width, y + ui_.px(22));
        draw_text_in(list_, ui_.fonts.body_bold, {min.x, y}, title_end - ImVec2(ui_.px(70), 0), ui_.theme.text_high,
                     in_quotes(word(*looked_)));
        draw_text_in(list_, ui_.fonts.caption, {min.x, y}, title_end, ui_.theme.text_low, id, Align::right);
        y += ui_.px(26);
        std::string remark = "Nearest by cosine, of all tokens";
        if (const TrainedRows* const rows = measured(); rows && rows->untrained(*looked_))
            remark = "No text has trained this row: it is " +
                     decimal_text(static_cast<double>(rows->distances[static_cast<std::size_t>(*looked_)]), 2) +
                     " from the mean of " + std::to_string(rows->references) +
                     " rows for what no text has, and trained ones are more than " + decimal_text(rows->limit, 2) +
                     " from it. Nearest by cosine:";
        draw_wrapped(list_, ui_.fonts.caption, {min.x, y}, ui_.theme.text_mid, remark, width);
        y += wrapped_extent(ui_.fonts.caption, remark, width).y + ui_.px(8);
        if (!is_here(panel_.page.near)) return y - min.y;
        const bool now = near_now();
        for (std::size_t i = 0; i < panel_.page.near->rows.size(); ++i, y += ui_.px(near_row))
            near_word(panel_.page.near->rows[i], i, {min.x, y}, width, now);
        return y - min.y;
    }

    void near_word(const NearRow& each, std::size_t index, ImVec2 min, float width, bool now) {
        const ImVec2 max(min.x + width, min.y + ui_.px(near_row));
        const std::string name = "run.map.near." + std::to_string(index), figure = decimal_text(each.cosine, 3);
        ui_.recorder.record(name, min, max);
        const IdScope scope(name);
        const Press press = press_area(ui_, "word", min, max, size::radius_field, index == 0);
        if (press.hovered) tint_row(ui_, min, max, hover_tint(ui_.theme));
        const float words = ui_.px(96), number = text_width(ui_.fonts.mono, "-0.000") + ui_.px(8);
        const auto id = static_cast<std::int32_t>(each.row);
        const float end = min.x + words - ui_.px(6);
        draw_text_in(list_, ui_.fonts.mono, min, {end, max.y}, now ? ui_.theme.text_high : ui_.theme.text_low,
                     word(id));
        if (const std::string apart = told_apart(run_, id, *looked_); !apart.empty()) {
            const float left = min.x + text_width(ui_.fonts.mono, word(id)) + ui_.px(6);
            ui_.recorder.record(name, "apart", {left, min.y}, {end, max.y});
            draw_text_in(list_, ui_.fonts.caption, {left, min.y}, {end, max.y}, ui_.theme.text_low, apart);
        }
        const float from = min.x + words, to = max.x - number, middle = std::round((min.y + max.y) / 2);
        const float share = std::clamp(static_cast<float>(each.cosine), 0.0F, 1.0F);
        list_.AddRectFilled({from, middle - ui_.px(4)}, {to, middle + ui_.px(4)}, ui_.theme.line, ui_.px(2));
        if (share > 0)
            list_.AddRectFilled({from, middle - ui_.px(4)}, {from + (to - from) * share, middle + ui_.px(4)},
                                with_alpha(ui_.theme.embedding, now ? 1.0F : 0.4F), ui_.px(2));
        draw_text_in(list_, ui_.fonts.mono, min, max, now ? ui_.theme.text_mid : ui_.theme.text_low, figure,
                     Align::right);
        if (press.pressed) panel_.ask(LookAtWords{{.chosen = static_cast<std::int32_t>(each.row)}});
    }

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    ImDrawList& list_;
    const MatrixView table_;
    const std::optional<std::int32_t> looked_;
    const ChipTexts* texts_ = nullptr;  // of the words on the map, once these are known
};

}  // namespace

void draw_run_map(RunPanel& panel, const RunSnapshot& run) { WordMap(panel, run).draw(); }

}  // namespace headcount
