// What is under the pointer, what is pinned, and the page around it.
#include "app/panels/run_matrices.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/run_card.hpp"
#include "app/panels/run_heat_map.hpp"
#include "app/panels/run_parts.hpp"
#include "app/panels/run_way.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

constexpr float margin = 16;

// What a page was made from.
struct Made {
    std::shared_ptr<const RunSnapshot> of;
    RunSight sight;
    std::optional<CellAt> pinned;
    float width = 0, scale = 0;
    bool shared = false;

    bool operator==(const Made&) const = default;
};

struct Matrices {
    Made made;
    RunPages pages;
    RunHeat heat;
    ScenePainter painter;
    RunSight sight;              // what the menus have chosen
    std::vector<RunCell> trail;  // as it was when the page last followed it
    bool scroll = false;         // to the pinned cell
    std::shared_ptr<const RunSnapshot> said_of;
    std::optional<CellAt> said_for;
    std::optional<Explanation> said;
};

std::optional<CellAt> cell_of(const ModelGraph& graph, const RunCell& cell) {
    const Tensor* const tensor = graph.find(cell.tensor);
    if (!tensor) return std::nullopt;
    return CellAt{static_cast<TensorIndex>(tensor - graph.tensors.data()), cell.layer, cell.copy, cell.row,
                  cell.column};
}

RunCell cell_of(const ModelGraph& graph, const CellAt& cell) {
    return {graph.tensors[cell.tensor].id, cell.layer, cell.copy, cell.row, cell.column};
}

// Runs when the frame is drawn, with the drawing of that frame.
void paint(const ImDrawList*, const ImDrawCmd* command) {
    const auto& matrices = *static_cast<const Matrices*>(command->UserCallbackData);
    if (matrices.painter) matrices.painter(matrices.heat.drawing);
}

class MatricesPanel {
  public:
    MatricesPanel(const Ui& ui, const Session& session, const RunSnapshot& run, Matrices& kept)
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

    // The page that the place asks for; a cell that is followed leads to its own.
    void follow_place() {
        RunSight& sight = kept_.sight;
        sight.layer = shown_layer(session_);
        sight.head = shown_head(session_);
        sight.position = shown_position(session_);
        sight.which = std::clamp<std::int64_t>(sight.which, 0, std::max<std::int64_t>(0, chosen_experts() - 1));
        if (kept_.trail == place().trail) return;
        kept_.trail = place().trail;
        if (const std::optional<CellAt> cell = pinned()) {
            sight = sight_of(graph_, *cell, sight);
            kept_.scroll = true;
        }
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

    void pin(const CellAt& cell, bool followed) {
        intents_.push_back(with_run(session_, [&](RunPlace& to) {
            if (!followed) to.trail.clear();
            constexpr std::size_t longest = 64;
            if (to.trail.size() >= longest) to.trail.erase(to.trail.begin());
            to.trail.push_back(cell_of(graph_, cell));
            look_there(to, cell);
        }));
    }
    void look_there(RunPlace& to, const CellAt& cell) const {
        const RunSight there = sight_of(graph_, cell, kept_.sight);
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
        Made now{session_.running.shown, kept_.sight, pinned(), width, ui_.scale, place().shared_scale};
        if (now == kept_.made && !kept_.pages.lines.empty()) return;
        kept_.pages =
            place_lines(run_lines(values_, now.sight, now.pinned),
                        {width, ui_.scale, {ui_.px(run_card_width), ui_.px(250)}, [this](const std::string& text) {
                             return symbol_width(ui_.fonts.mono, text);
                         }});
        copy_values(kept_.heat, run_, kept_.pages.lines, now.shared);
        kept_.made = std::move(now);
    }

    const Explanation* said_of(const std::optional<CellAt>& cell) {
        if (!cell) return nullptr;
        if (kept_.said_for != cell || kept_.said_of != session_.running.shown) {
            Result<Explanation> made = explain(numbers_of(values_), *cell);
            kept_.said = made ? std::optional(*std::move(made)) : std::nullopt;
            kept_.said_for = cell;
            kept_.said_of = session_.running.shown;
        }
        return kept_.said ? &*kept_.said : nullptr;
    }

    const RunFigure* figure_at(ImVec2 of_page, std::optional<CellAt>& cell) const {
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures)
                if ((cell = figure.cell_under(of_page))) return &figure;
        return nullptr;
    }

    void draw_page() {
        const ImVec2 min = ImGui::GetWindowPos(), max = min + ImGui::GetWindowSize();
        const ImVec2 start = ImGui::GetCursorScreenPos();
        lay_out(std::max(ui_.px(120), ImGui::GetContentRegionAvail().x - ui_.px(2 * margin)));
        const ImVec2 corner(std::round(start.x + ui_.px(margin)), std::round(start.y + ui_.px(8)));
        const std::optional<CellAt> held = pinned();
        if (std::exchange(kept_.scroll, false) && held) scroll_to(*held, corner, min, max);
        const Explanation* const of_pinned = said_of(held);
        bool card_pressed = false;
        ImVec2 card_at;
        if (of_pinned) {
            const RunCard card{run_, *of_pinned, true, place().trail.size() > 1};
            card_at = card_place(card, corner, min, max);
            const CardAnswer answer = press_run_card(ui_, card, card_at);
            if (answer.follow) pin(*answer.follow, true);
            if (answer.back) unpin(false);
            if (answer.close) unpin(true);
            card_pressed = answer.follow || answer.back || answer.close;
        }
        const Press press = press_area(ui_, "cells", min, max, -1, false);
        std::optional<CellAt> under;
        if (press.hovered) figure_at(ImGui::GetIO().MousePos - corner, under);
        if (press.pressed && !card_pressed && under) pin(*under, false);
        if (press.pressed && !card_pressed && !under && held) unpin(true);
        if (held && !session_.view.help && compat::key_pressed(ImGuiKey_Escape, false)) unpin(true);
        compose_heat(kept_.heat, ui_.theme, graph_, kept_.pages.lines, corner, min, max);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddCallback(paint, &kept_);
        list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
        draw_words(corner);
        const std::optional<CellAt> shown = held ? held : under;
        if (const Explanation* const said = said_of(shown)) draw_rings(*said, corner);
        if (held && under && !(*under == *held)) ring(*under, corner, ui_.theme.text_mid);
        if (const Explanation* const said = said_of(shown)) {
            const RunCard card{run_, *said, held.has_value(), place().trail.size() > 1};
            draw_run_card(ui_, card, held ? card_at : card_place(card, corner, min, max));
        } else if (shown) {
            ring(*shown, corner, ui_.theme.selection);
        }
        headcount::place(start, ImVec2(8, kept_.pages.height + ui_.px(24)));
    }

    // In the corner that the first product leaves, or over what is farther from the cell.
    ImVec2 card_place(const RunCard& card, ImVec2 corner, ImVec2 min, ImVec2 max) const {
        const float wide = ui_.px(run_card_width), high = run_card_height(ui_, card) + ui_.px(32);
        if (kept_.pages.corner) {
            const auto& [from, to] = *kept_.pages.corner;
            const float top = corner.y + to.y - high;
            if (top >= min.y && corner.y + to.y <= max.y) return {corner.x + from.x, top};
            const float below = corner.y + from.y;
            if (below >= min.y && below + high <= max.y) return {corner.x + from.x, below};
        }
        bool right_half = false;
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures)
                if (figure.shows(card.said.cell)) right_half = corner.x + figure.min.x > (min.x + max.x) / 2;
        const float x = right_half ? min.x + ui_.px(margin) : max.x - ui_.px(margin) - wide;
        return {std::max(min.x, x), std::max(min.y + ui_.px(4), max.y - ui_.px(12) - high)};
    }

    void scroll_to(const CellAt& cell, ImVec2 corner, ImVec2 min, ImVec2 max) {
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures) {
                if (!figure.shows(cell)) continue;
                const float top = corner.y + line.top, bottom = corner.y + figure.max.y + ui_.px(32);
                if (bottom > max.y || top < min.y)
                    ImGui::SetScrollY(std::max(
                        0.0F, ImGui::GetScrollY() + std::min(top - min.y, bottom - max.y + (top < min.y ? -1e6F : 0))));
                return;
            }
    }

    void draw_words(ImVec2 corner) const {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (const RunLine& line : kept_.pages.lines) {
            if (!line.title.empty()) {
                const ImVec2 at = corner + ImVec2(0, line.top);
                const float wide = draw_text(list, ui_.fonts.body_bold, at, ui_.theme.text_high, line.title);
                draw_text(list, ui_.fonts.table, at + ImVec2(wide + ui_.px(12), ui_.px(1)), ui_.theme.text_mid,
                          line.remark);
            }
            for (const RunFigure& figure : line.figures) draw_label(list, figure, corner);
        }
    }

    // "W_q 128 × 128": above weights of a product, below all else; and what is done before.
    void draw_label(ImDrawList& list, const RunFigure& figure, ImVec2 corner) const {
        const Tensor& tensor = graph_.tensors[figure.tensor];
        const ImVec2 min = corner + figure.min, max = corner + figure.max;
        if (figure.place != RunFigure::Place::bias) {
            const bool above = figure.place == RunFigure::Place::weight;
            const ImVec2 at(min.x, above ? min.y - ui_.px(22) : max.y + ui_.px(4));
            const std::string name = std::string(tensor.symbol) + (figure.transposed && !above ? "^T" : "");
            const float wide = draw_symbol(list, ui_.fonts.body_bold, at, ui_.theme.text_high, name);
            std::string sides = std::to_string(figure.transposed ? figure.view.columns : figure.view.rows) + " × " +
                                std::to_string(figure.transposed ? figure.view.rows : figure.view.columns);
            if (!figure.whole()) sides += ", in part";
            const float from = at.x + wide + ui_.px(6);
            if (text_width(ui_.fonts.mono_caption, sides) <= std::max(max.x - from, ui_.px(64)))
                draw_text(list, ui_.fonts.mono_caption, {from, at.y + ui_.px(2)}, ui_.theme.text_mid, sides);
        }
        if (!figure.before.empty() && figure.place == RunFigure::Place::link) {
            const float wide = symbol_width(ui_.fonts.mono, figure.before) + ui_.px(16);
            draw_text_in(list, ui_.fonts.mono, {min.x - wide, min.y}, {min.x, std::max(max.y, min.y + ui_.px(16))},
                         ui_.theme.text_mid, figure.before, Align::centre);
        }
        ui_.recorder.record("run.matrix", tensor.id, min, max);
    }

    // Around the cell, and around all that its formula reads.
    void draw_rings(const Explanation& said, ImVec2 corner) const {
        struct Reach {
            CellAt least, most;
        };
        std::vector<Reach> read;
        const auto reach = [&](const CellAt& cell) {
            for (Reach& each : read)
                if (each.least.tensor == cell.tensor && each.least.layer == cell.layer &&
                    each.least.copy == cell.copy) {
                    each.least.row = std::min(each.least.row, cell.row);
                    each.least.column = std::min(each.least.column, cell.column);
                    each.most.row = std::max(each.most.row, cell.row);
                    each.most.column = std::max(each.most.column, cell.column);
                    return;
                }
            read.push_back({cell, cell});
        };
        for (const Term& term : said.terms)
            for (const Operand& factor : term.factors)
                if (factor.cell) reach(*factor.cell);
        for (const AfterSum& step : said.after)
            for (const Operand& operand : step.operands)
                if (operand.cell) reach(*operand.cell);
        for (const Reach& each : read)
            for (const RunLine& line : kept_.pages.lines)
                for (const RunFigure& figure : line.figures)
                    if (figure.shows(each.least))
                        outline(figure, each.least, each.most, corner, ui_.theme.selection, 1.5F);
        if (!(said.of == said.cell)) ring(said.of, corner, ui_.theme.selection);
        ring(said.cell, corner, ui_.theme.selection);
    }

    void ring(const CellAt& cell, ImVec2 corner, ImU32 colour) const {
        for (const RunLine& line : kept_.pages.lines)
            for (const RunFigure& figure : line.figures)
                if (figure.shows(cell)) outline(figure, cell, cell, corner, colour, 2);
    }

    void outline(const RunFigure& figure, const CellAt& first, const CellAt& last, ImVec2 corner, ImU32 colour,
                 float width) const {
        const auto [min, max] = figure.area_of(first.row, first.column, last.row, last.column);
        const ImVec2 out(ui_.px(2), ui_.px(2));
        const ImVec2 from = corner + min - out, to = corner + max + out;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRect(from - ImVec2(1, 1), to + ImVec2(1, 1), ui_.theme.selection_ink, ui_.px(2), 0, 1);
        list.AddRect(from, to, colour, ui_.px(2), 0, ui_.px(width));
        ui_.recorder.record("run.lit", graph_.tensors[figure.tensor].id, from, to);
    }

    const Ui& ui_;
    const Session& session_;
    const RunSnapshot& run_;
    const RunValues& values_;
    const ModelGraph& graph_;
    Matrices& kept_;
    Intents intents_;
};

}  // namespace

Intents draw_run_matrices(const Ui& ui, const Session& session, const ScenePainter& painter) {
    const RunSnapshot* const run = run_of(session);
    Matrices& matrices = kept<Matrices>(ui, "run.matrices");
    if (!run) {
        matrices = {};  // its numbers are to be freed
        return {};
    }
    matrices.painter = painter;
    return MatricesPanel(ui, session, *run, matrices).draw();
}

}  // namespace headcount
