// What is under the pointer, what is pinned, and the page around it.
#include <algorithm>
#include <cmath>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/matrices_marks.hpp"
#include "app/views/run/matrices_page.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {
namespace {

constexpr float margin = 16;

// Runs when the frame is drawn, with the drawing of that frame.
void paint(const ImDrawList*, const ImDrawCmd* command) {
    const auto& matrices = *static_cast<const RunMatricesKept*>(command->UserCallbackData);
    if (matrices.painter) matrices.painter(matrices.heat.drawing);
}

class MatricesPanel {
  public:
    MatricesPanel(RunPanel& panel, const RunSnapshot& run, RunMatricesKept& kept, bool esc_unpins)
        : panel_(panel),
          ui_(panel.ui),
          run_(run),
          values_(*run.values),
          graph_(values_.model().graph),
          kept_(kept),
          esc_unpins_(esc_unpins) {}

    void draw() {
        follow_place();
        const RunChoice here{kept_.sight, panel_.shows()};
        if (const std::optional<RunChoice> asked = draw_run_way(ui_, run_, here)) choose(*asked);
        if (here.shows == RunShows::words) {
            tell_others(std::nullopt);
            return draw_run_words(panel_, run_);
        }
        if (here.shows == RunShows::diagram) return;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        if (room.x < 8 || room.y < 8) return;
        ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, ui_.px(8));
        if (compat::begin_child("run.matrices", room, false, true, 0)) draw_page();
        ImGui::EndChild();
        ImGui::PopStyleVar();
    }

  private:
    const std::vector<RunCell>& trail() const { return panel_.place.trail; }
    std::optional<CellAt> pinned() const { return trail().empty() ? std::nullopt : cell_of(graph_, trail().back()); }

    // The page that the place asks for; a cell that is followed leads to its own, a head to where it is.
    void follow_place() {
        RunSight& sight = kept_.sight;
        sight.encoder = sight.encoder && values_.layers(true) > 0;
        if (sight.part == RunPart::cross && (sight.encoder || values_.layers(true) == 0)) sight.part = RunPart::mixer;
        sight.layer = panel_.layer();
        // An encoder may have more layers than the decoder, or fewer.
        if (sight.encoder || panel_.shows() == RunShows::diagram) {
            const std::int64_t most = std::max(sight.encoder ? 0 : values_.layers(), values_.layers(true));
            sight.layer = std::clamp<std::int64_t>(panel_.place.layer, 0, most - 1);
        }
        sight.head = panel_.head();
        if (kept_.head && *kept_.head != sight.head) {
            if (sight.part != RunPart::cross) sight.part = RunPart::mixer;
            kept_.scroll = RunMatricesKept::Scroll::head;
        }
        kept_.head = sight.head;
        sight.position = panel_.position();
        // Which experts the newest token is sent to is not known before it is there.
        if (sight.position > 0 && !run_.reached(sight.position, sight.layer + 1)) --sight.position;
        const std::optional<CellAt> cell = pinned();
        if (cell) {  // whose row or weight it is decides which expert is drawn
            const RunSight its = sight_of(values_, *cell, sight);
            sight.position = its.position;
            sight.which = its.which;
        }
        const std::int64_t experts = values_.experts_per_token(sight.layer);
        sight.which = std::clamp<std::int64_t>(sight.which, 0, std::max<std::int64_t>(0, experts - 1));
        if (kept_.trail == trail()) return;
        kept_.trail = trail();
        if (!cell) return;
        sight = sight_of(values_, *cell, sight);
        kept_.scroll = RunMatricesKept::Scroll::cell;
    }

    void choose(const RunChoice& asked) {
        const RunSight& sight = kept_.sight = asked.sight;
        const bool moves = sight.layer != panel_.place.layer || sight.head != panel_.head();
        if (moves || asked.shows != panel_.shows())
            panel_.set([&](RunPlace& place) {
                place.shows = asked.shows;
                place.layer = sight.layer;
                place.head = sight.head;
                place.trail.clear();
            });
        kept_.trail = trail();
    }

    // What is pressed is pinned where it stands: the page stays.
    void pin(const CellAt& cell) {
        kept_.trail = {cell_of(graph_, cell)};
        panel_.set([&](RunPlace& place) {
            place.trail = kept_.trail;
            place.shows = RunShows::matrices;
        });
    }
    // An operand is shown where it is made.
    void follow(const CellAt& cell) {
        panel_.set([&](RunPlace& place) {
            constexpr std::size_t longest = 64;
            if (place.trail.size() >= longest) place.trail.erase(place.trail.begin());
            place.trail.push_back(cell_of(graph_, cell));
            look_there(place, cell);
        });
    }
    void go_back() {
        panel_.set([&](RunPlace& place) {
            if (!place.trail.empty()) place.trail.pop_back();
            if (place.trail.empty()) return;
            if (const std::optional<CellAt> cell = cell_of(graph_, place.trail.back())) look_there(place, *cell);
        });
    }
    void look_there(RunPlace& place, const CellAt& cell) const {
        const RunSight there = sight_of(values_, cell, kept_.sight);
        place.layer = there.layer;
        place.head = there.head;
    }
    void unpin() {
        panel_.set([](RunPlace& place) {
            place.trail.clear();
            place.shows = RunShows::matrices;
        });
    }

    void lay_out(float width) {
        PageMade now{.of = run_.values,
                     .layers_shown = run_.layers_shown,
                     .sight = kept_.sight,
                     .pinned = pinned(),
                     .width = width,
                     .scale = ui_.scale,
                     .shared = panel_.place.shared_scale};
        if (now == kept_.made && !kept_.pages.lines.empty()) return;
        const RunRoom room{.width = width,
                           .scale = ui_.scale,
                           .card = {ui_.px(run_card_width), ui_.px(250)},
                           .text = [this](const std::string& text) { return symbol_width(ui_.fonts.mono, text); },
                           .caption =
                               [this](const RunFigure& figure, std::string_view beside) {
                                   return matrix_caption_extent(ui_, run_caption(figure, beside)).x;
                               }};
        RunPages pages = place_lines(run_lines(values_, now.sight, now.pinned), room);
        keep_sight(ui_, kept_, now, pages);
        kept_.pages = std::move(pages);
        kept_.heads = head_columns(values_, now.sight.layer);
        copy_values(kept_.heat, run_, kept_.pages.lines, now.shared);
        kept_.made = std::move(now);
    }

    std::optional<Explanation> said_of(const std::optional<CellAt>& cell) const {
        if (!cell || !is_there(*cell)) return std::nullopt;
        Result<Explanation> made = explain(numbers_of(values_), *cell);
        return made ? std::optional(*std::move(made)) : std::nullopt;
    }

    bool is_there(const CellAt& cell) const {
        return token_of(values_, cell) != values_.tokens() - 1 || !not_there(run_, cell.tensor, cell.layer);
    }

    std::optional<CellAt> cell_at(ImVec2 of_page) const {
        for (const RunFigure* const figure : figures_of(kept_.pages.lines))
            if (const std::optional<CellAt> cell = figure->cell_under(of_page)) return cell;
        return std::nullopt;
    }

    void draw_page() {
        const ImVec2 min = ImGui::GetWindowPos(), max = min + ImGui::GetWindowSize();
        const ImVec2 start = ImGui::GetCursorScreenPos();
        lay_out(std::max(ui_.px(120), ImGui::GetContentRegionAvail().x - ui_.px(2 * margin)));
        const float shift = follow_sight(ui_, kept_, max.y - min.y);
        const ImVec2 corner(std::round(start.x + ui_.px(margin)), std::round(start.y + ui_.px(above_page) - shift));
        bring_into_sight(ui_, kept_, corner.y, {min.y, max.y});
        const RunMarks marks(ui_, values_, kept_.pages, corner);
        const std::optional<CellAt> held = pinned();
        const std::optional<Explanation> of_held = said_of(held);
        ImVec2 card_at;
        bool of_card = false;
        if (of_held) {
            const RunCard card = card_of(*of_held, true, max.y - min.y);
            card_at = card_place(card, marks, min, max);
            of_card = press_card(card, card_at);
        }
        const Press press = press_area(ui_, "cells", min, max, -1, false);
        std::optional<CellAt> under;
        if (press.hovered) under = cell_at(ImGui::GetIO().MousePos - corner);
        if (press.pressed && !of_card && under) pin(*under);
        if (press.pressed && !of_card && !under && held) unpin();
        if (held && esc_unpins_ && !refused_in_sight(ui_) && compat::key_pressed(ImGuiKey_Escape, false)) unpin();
        tell_others(under ? under : held);
        compose_heat(kept_.heat, ui_.theme, graph_, kept_.pages.lines, corner, min, max);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddCallback(paint, &kept_);
        list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
        marks.dim_other_experts();
        marks.hide_what_is_to_come(run_);
        if (kept_.sight.part == RunPart::mixer || kept_.sight.part == RunPart::cross)
            marks.head(kept_.heads, kept_.sight.head);
        marks.words();
        if (held && !of_held) marks.ring(*held, ui_.theme.selection);
        if (of_held) {
            marks.rings(*of_held);
            if (under && !(*under == *held) && is_there(*under)) say_value(*under, marks);
            draw_run_card(ui_, card_of(*of_held, true, max.y - min.y), card_at);
        } else if (const std::optional<Explanation> said = said_of(under)) {  // what is pinned and not there is silent
            marks.rings(*said);
            const RunCard card = card_of(*said, false, max.y - min.y);
            draw_run_card(ui_, card, card_place(card, marks, min, max));
        } else if (under) {
            marks.ring(*under, ui_.theme.selection);
        }
        if (under && !is_there(*under)) show_tooltip(ui_, {"Not yet", {}, {}, not_yet_words(run_)});
        if (const std::optional<std::int64_t>& chip = pointed_in_run(ui_).chip; chip && *chip < values_.tokens())
            marks.token(*chip);
        place(start, ImVec2(8, kept_.pages.height + ui_.px(below_page)));
    }

    RunCard card_of(const Explanation& said, bool is_pinned, float room) const {
        RunCard card{.run = run_, .said = said, .pinned = is_pinned, .back = trail().size() > 1};
        card.bars = CardLines(ui_, card).height() + ui_.px(20) <= room;
        return card;
    }

    // Whether the card has had the press.
    bool press_card(const RunCard& card, ImVec2 min) {
        const CardAnswer answer = press_run_card(ui_, card, min);
        if (answer.follow) follow(*answer.follow);
        if (answer.back) go_back();
        if (answer.close) unpin();
        return answer.follow || answer.back || answer.close;
    }

    // In the corner that the first product leaves, or over what is least spoken of.
    ImVec2 card_place(const RunCard& card, const RunMarks& marks, ImVec2 min, ImVec2 max) const {
        const std::vector<RunRect> lit = marks.lit(card.said), all = marks.matrices(),
                                   cell = marks.places_of(card.said.cell);
        CardRoom room{
            .min = min, .max = max, .first = {}, .lit = lit, .shown = all, .cell = cell, .margin = ui_.px(12)};
        if (kept_.pages.corner) room.first = marks.on_screen(*kept_.pages.corner);
        return place_card(room, {ui_.px(run_card_width), CardLines(ui_, card).height()});
    }

    // A cell beside the one that is pinned: its number, without its card.
    void say_value(const CellAt& cell, const RunMarks& marks) const {
        marks.ring(cell, ui_.theme.text_mid);
        const bool masked = hides_later(graph_, cell.tensor) && cell.column > cell.row;
        const std::optional<float> value = numbers_of(values_).value(cell);
        if (!value) return;
        const std::string text = masked ? "masked" : cell_text(static_cast<double>(*value));
        show_tooltip(ui_, {.derivation = cell_name(values_.model(), cell) + " = " + text});
    }

    // Which token and which matrix, for the panels around.
    void tell_others(const std::optional<CellAt>& cell) const {
        RunPointed now{.chip = pointed_in_run(ui_).chip};
        const std::vector<float>& limits = kept_.heat.limits;
        if (panel_.place.shared_scale && !limits.empty()) now.limit = limits.front();
        const std::vector<const RunFigure*> figures = figures_of(kept_.pages.lines);
        const auto shown = std::find_if(figures.begin(), figures.end(),
                                        [&](const RunFigure* each) { return cell && each->shows(*cell); });
        if (shown != figures.end()) {
            now.matrix = (*shown)->tensor;
            now.symbol = (*shown)->name;
            now.limit = limits[static_cast<std::size_t>(shown - figures.begin())];
        }
        if (cell) now.token = token_of(values_, *cell);
        if (RunPointed& before = pointed_in_run(ui_); !(before == now)) {
            before = std::move(now);
            ui_.memory.animating = true;  // they have been drawn, or not yet
        }
    }

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    const RunValues& values_;
    const ModelGraph& graph_;
    RunMatricesKept& kept_;
    const bool esc_unpins_;
};

}  // namespace

Intents draw_run_matrices(RunPanel panel, const ScenePainter& painter, bool esc_unpins) {
    RunMatricesKept& matrices = kept<RunMatricesKept>(panel.ui, "run.matrices");
    if (!panel.run()) {
        matrices = {};  // its numbers are to be freed
        pointed_in_run(panel.ui) = {};
        return {};
    }
    matrices.painter = painter;
    MatricesPanel(panel, *panel.run(), matrices, esc_unpins).draw();
    return std::move(panel.intents);
}

}  // namespace headcount
