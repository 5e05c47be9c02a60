// What is under the pointer, what is pinned, and the page around it.
#include "app/views/run/matrices.hpp"

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
#include "app/views/run/matrices_scroll.hpp"
#include "app/views/run/parts.hpp"
#include "app/views/run/way.hpp"

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
    MatricesPanel(const Ui& ui, const Session& session, const RunSnapshot& run, RunMatricesKept& kept)
        : ui_(ui), session_(session), run_(run), values_(*run.values), graph_(values_.model().graph), kept_(kept) {}

    Intents draw() {
        follow_place();
        if (const std::optional<RunSight> asked = draw_run_way(ui_, session_, kept_.sight)) choose(*asked);
        const ImVec2 room = ImGui::GetContentRegionAvail();
        if (room.x < 8 || room.y < 8) return std::move(intents_);
        ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, ui_.px(8));
        if (compat::begin_child("run.matrices", room, false, true, 0)) draw_page();
        ImGui::EndChild();
        ImGui::PopStyleVar();
        return std::move(intents_);
    }

  private:
    const RunPlace& place() const { return session_.view.run; }
    std::optional<CellAt> pinned() const {
        return place().trail.empty() ? std::nullopt : cell_of(graph_, place().trail.back());
    }

    // The page that the place asks for; a cell that is followed leads to its own, a head to where it is.
    void follow_place() {
        RunSight& sight = kept_.sight;
        sight.layer = shown_layer(session_);
        sight.head = shown_head(session_);
        if (kept_.head && *kept_.head != sight.head) {
            sight.part = RunPart::attention;
            kept_.scroll = RunMatricesKept::Scroll::head;
        }
        kept_.head = sight.head;
        sight.position = shown_position(session_);
        // Which experts the newest token is sent to is not known before it is there.
        if (sight.position > 0 && !run_.reached(sight.position, sight.layer + 1)) --sight.position;
        const std::optional<CellAt> cell = pinned();
        if (cell) {  // whose row or weight it is decides which expert is drawn
            const RunSight its = sight_of(values_, *cell, sight);
            sight.position = its.position;
            sight.which = its.which;
        }
        sight.which = std::clamp<std::int64_t>(sight.which, 0, std::max<std::int64_t>(0, chosen_experts() - 1));
        if (kept_.trail == place().trail) return;
        kept_.trail = place().trail;
        if (!cell) return;
        sight = sight_of(values_, *cell, sight);
        kept_.scroll = RunMatricesKept::Scroll::cell;
    }
    std::int64_t chosen_experts() const {
        return static_cast<std::int64_t>(values_.experts(kept_.sight.layer).size()) /
               std::max<std::int64_t>(1, values_.tokens());
    }

    void choose(const RunSight& asked) {
        kept_.sight = asked;
        if (asked.layer != shown_layer(session_) || asked.head != shown_head(session_))
            intents_.push_back(with_run(session_, [&](RunPlace& to) {
                to.layer = asked.layer;
                to.head = asked.head;
                to.trail.clear();
            }));
        kept_.trail = place().trail;
    }

    // What is pressed is pinned where it stands: the page stays.
    void pin(const CellAt& cell) {
        kept_.trail = {cell_of(graph_, cell)};
        intents_.push_back(with_run(session_, [&](RunPlace& to) { to.trail = kept_.trail; }));
    }
    // An operand is shown where it is made.
    void follow(const CellAt& cell) {
        intents_.push_back(with_run(session_, [&](RunPlace& to) {
            constexpr std::size_t longest = 64;
            if (to.trail.size() >= longest) to.trail.erase(to.trail.begin());
            to.trail.push_back(cell_of(graph_, cell));
            look_there(to, cell);
        }));
    }
    void look_there(RunPlace& to, const CellAt& cell) const {
        const RunSight there = sight_of(values_, cell, kept_.sight);
        to.layer = there.layer;
        to.head = there.head;
    }
    void unpin(bool whole) {
        intents_.push_back(with_run(session_, [&](RunPlace& to) {
            if (whole || to.trail.size() < 2)
                to.trail.clear();
            else
                to.trail.pop_back();
            if (!to.trail.empty())
                if (const std::optional<CellAt> cell = cell_of(graph_, to.trail.back())) look_there(to, *cell);
        }));
    }

    void lay_out(float width) {
        PageMade now{run_.values, run_.layers_shown, kept_.sight, pinned(), width, ui_.scale, place().shared_scale};
        if (now == kept_.made && !kept_.pages.lines.empty()) return;
        const RunRoom room{width,
                           ui_.scale,
                           {ui_.px(run_card_width), ui_.px(250)},
                           [this](const std::string& text) { return symbol_width(ui_.fonts.mono, text); },
                           [this](const RunFigure& figure) { return run_caption_width(ui_, figure); }};
        RunPages pages = place_lines(run_lines(values_, now.sight, now.pinned), room);
        keep_sight(ui_, kept_, now, pages);
        kept_.pages = std::move(pages);
        kept_.heads = head_columns(values_, now.sight.layer);
        copy_values(kept_.heat, run_, kept_.pages.lines, now.shared);
        kept_.made = std::move(now);
    }

    const Explanation* said_of(const std::optional<CellAt>& cell) {
        if (!cell || !is_there(*cell)) return nullptr;
        if (kept_.said_for != cell || kept_.said_of != run_.values) {
            Result<Explanation> made = explain(numbers_of(values_), *cell);
            kept_.said = made ? std::optional(*std::move(made)) : std::nullopt;
            kept_.said_for = cell;
            kept_.said_of = run_.values;
        }
        return kept_.said ? &*kept_.said : nullptr;
    }

    bool is_there(const CellAt& cell) const {
        return token_of(values_, cell) != values_.tokens() - 1 || !not_there(run_, cell.tensor, cell.layer);
    }

    std::optional<CellAt> cell_at(ImVec2 of_page) const {
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures)
                if (const std::optional<CellAt> cell = figure.cell_under(of_page)) return cell;
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
        ImVec2 card_at;
        bool of_card = false;
        if (const Explanation* const said = said_of(held)) {
            const RunCard card = card_of(*said, true, max.y - min.y);
            card_at = card_place(card, marks, min, max);
            of_card = press_card(card, card_at);
        }
        const Press press = press_area(ui_, "cells", min, max, -1, false);
        std::optional<CellAt> under;
        if (press.hovered) under = cell_at(ImGui::GetIO().MousePos - corner);
        if (press.pressed && !of_card && under) pin(*under);
        if (press.pressed && !of_card && !under && held) unpin(true);
        if (held && !session_.view.help && !refused_in_sight(ui_) && compat::key_pressed(ImGuiKey_Escape, false))
            unpin(true);
        tell_others(under ? under : held);
        compose_heat(kept_.heat, ui_.theme, graph_, kept_.pages.lines, corner, min, max);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddCallback(paint, &kept_);
        list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
        marks.dim_other_experts();
        marks.hide_what_is_to_come(run_);
        if (kept_.sight.part == RunPart::attention) marks.head(kept_.heads, kept_.sight.head);
        marks.words();
        const Explanation* said = said_of(held);
        const bool of_held = said != nullptr;
        if (held && !of_held) marks.ring(*held, ui_.theme.selection);
        if (!of_held) said = said_of(under);  // one that is pinned and not there silences no other
        if (said) {
            marks.rings(*said);
            if (of_held && under && !(*under == *held) && is_there(*under)) say_value(*under, marks);
            const RunCard card = card_of(*said, of_held, max.y - min.y);
            draw_run_card(ui_, card, of_held ? card_at : card_place(card, marks, min, max));
        } else if (under) {
            marks.ring(*under, ui_.theme.selection);
        }
        if (under && !is_there(*under)) show_tooltip(ui_, {"Not yet", {}, {}, not_yet_words(run_)});
        if (const std::optional<std::int64_t>& chip = pointed_in_run(ui_).chip; chip && *chip < values_.tokens())
            marks.token(*chip);
        headcount::place(start, ImVec2(8, kept_.pages.height + ui_.px(below_page)));
    }

    RunCard card_of(const Explanation& said, bool pinned, float room) const {
        RunCard card{run_, said, pinned, place().trail.size() > 1};
        card.bars = run_card_height(ui_, card) + ui_.px(20) <= room;
        return card;
    }

    // Whether the card has had the press.
    bool press_card(const RunCard& card, ImVec2 at) {
        const CardAnswer answer = press_run_card(ui_, card, at);
        if (answer.follow) follow(*answer.follow);
        if (answer.back) unpin(false);
        if (answer.close) unpin(true);
        return answer.follow || answer.back || answer.close;
    }

    // In the corner that the first product leaves, or over what is least spoken of.
    ImVec2 card_place(const RunCard& card, const RunMarks& marks, ImVec2 min, ImVec2 max) const {
        const std::vector<RunRect> lit = marks.lit(card.said), all = marks.matrices(),
                                   cell = marks.places_of(card.said.cell);
        CardRoom room{
            .min = min, .max = max, .first = {}, .lit = lit, .shown = all, .cell = cell, .margin = ui_.px(12)};
        if (kept_.pages.corner) room.first = marks.on_screen(*kept_.pages.corner);
        return place_card(room, {ui_.px(run_card_width), run_card_height(ui_, card)});
    }

    // A cell beside the one that is pinned: its number, without its card.
    void say_value(const CellAt& cell, const RunMarks& marks) const {
        marks.ring(cell, ui_.theme.text_mid);
        const Node* const made = graph_.producer(cell.tensor);
        const bool masked =
            made && (made->op == Op::scores || made->op == Op::masked_softmax) && cell.column > cell.row;
        const std::optional<float> value = numbers_of(values_).value(cell);
        if (!value) return;
        const std::string text = masked ? "masked" : cell_text(static_cast<double>(*value));
        show_tooltip(ui_, {.derivation = cell_name(values_.model(), cell) + " = " + text});
    }

    // Which token and which matrix, for the panels around.
    void tell_others(const std::optional<CellAt>& cell) const {
        RunPointed now{.chip = pointed_in_run(ui_).chip};
        const std::vector<float>& limits = kept_.heat.limits;
        if (place().shared_scale && !limits.empty()) now.limit = limits.front();
        std::size_t index = 0;
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures) {
                const std::size_t at = index++;
                if (!cell || now.matrix || !figure.shows(*cell)) continue;
                now.matrix = figure.tensor;
                now.symbol = figure.name;
                now.limit = limits[at];
            }
        if (cell) now.token = token_of(values_, *cell);
        if (RunPointed& before = pointed_in_run(ui_); !(before == now)) {
            before = std::move(now);
            ui_.memory.animating = true;  // they have been drawn, or not yet
        }
    }

    const Ui& ui_;
    const Session& session_;
    const RunSnapshot& run_;
    const RunValues& values_;
    const ModelGraph& graph_;
    RunMatricesKept& kept_;
    Intents intents_;
};

}  // namespace

Intents draw_run_matrices(const Ui& ui, const Session& session, const ScenePainter& painter) {
    const RunSnapshot* const run = run_of(session);
    RunMatricesKept& matrices = kept<RunMatricesKept>(ui, "run.matrices");
    if (!run) {
        matrices = {};  // its numbers are to be freed
        pointed_in_run(ui) = {};
        return {};
    }
    matrices.painter = painter;
    return MatricesPanel(ui, session, *run, matrices).draw();
}

}  // namespace headcount
