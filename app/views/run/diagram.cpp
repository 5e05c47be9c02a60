// What is shown of a run: words, or the diagram with its numbers, in which a cell under the pointer says what it is
// made of, and one that was pressed stays, with a way to each of its operands and back.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/diagram/view.hpp"
#include "app/parts/run_pointed.hpp"
#include "app/parts/views.hpp"
#include "app/parts/words.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/cells.hpp"
#include "app/views/run/changes.hpp"
#include "app/views/run/parts.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

constexpr double longest_frame = 0.1;  // seconds: after a pause nothing is skipped

// From frame to frame.
struct DiagramKept {
    std::optional<std::int64_t> drawn;  // the head whose page the diagram is at
    std::int64_t looked_at = 0;         // and the one that is looked at: whichever was chosen last is both
    std::optional<CellAt> under;        // the pointer
    std::optional<ImVec2> card;         // where that stands
    // The pinned number whose token stands elsewhere, and where.
    std::optional<std::pair<CellAt, std::int64_t>> turned;
};

RunRect rect_of(const Rect& rect) { return {{rect.min.x, rect.min.y}, {rect.max.x, rect.max.y}}; }

class RunDiagram {
  public:
    RunDiagram(RunPanel& panel, DiagramOf of, bool esc_unpins)
        : panel_(panel),
          ui_(panel.ui),
          run_(*panel.run()),
          values_(*run_.values),
          graph_(values_.model().graph),
          of_(std::move(of)),
          shown_(values_of_run(of_).value_or(ValuesShown{})),
          canvas_(canvas_of(ui_, of_)),
          kept_(kept<DiagramKept>(ui_, "run.diagram")),
          esc_unpins_(esc_unpins) {
        if (panel.page.watch) watched_.emplace(values_, *panel.page.watch, panel.position());
    }

    Intents draw(const ScenePainter& painter) {
        if (!trail().empty()) held_ = cell_of(graph_, trail().back());
        std::optional<Explanation> of_held = said_of(held_);
        const bool moved = held_ && kept_.turned && kept_.turned->first == *held_;
        TurnedByHand turned;
        if (of_held)
            turned = turn_by_hand(values_, *of_held, moved ? std::optional(kept_.turned->second) : std::nullopt);
        std::optional<Explanation> said = of_held ? of_held : said_of(kept_.under);
        const bool plays = watched_ && panel_.page.watch->playing && !held_;
        const bool of_made = watched_ && !said;
        if (of_made) said = said_of(watched_->cell(panel_.head()));
        if (watched_) {
            of_.made = [this](std::string_view id) { return made_of(id); };
            of_.watch = panel_.page.watch;
            if (plays) go_on();
        }
        judge_all();
        frame_all(said);
        light_chip();
        of_.explain = [this](const Hit& hit) { return explain(hit); };
        of_.offer = [this](const Hit& hit) { return change_place_at(hit) ? "Change it in the run..." : ""; };
        of_.escape_taken = !trail().empty();
        of_.seen_before = map_before();
        (beside() ? of_.taken : of_.covered) = card_strip(ui_);
        std::optional<RunCard> card;
        if (said && !(of_made && plays))
            card.emplace(RunCard{.graph = values_.model().graph,
                                 .said = *said,
                                 .name = cell_name(values_.model().graph, said->cell),
                                 .subtitle = place_words(run_, said->cell),
                                 .pinned = of_held.has_value(),
                                 .changes = of_held && change_place_of(values_, *held_),
                                 .back = trail().size() > 1,
                                 .turned = std::move(turned)});
        ImVec2 corner;
        bool of_card = false;
        if (card) {
            fit_card(ui_, *card, (beside() ? ImGui::GetWindowHeight() : canvas_.area.height()) - ui_.px(20));
            corner = place_of(*card);
            of_card = press(*card, corner);
        } else {
            kept_.card.reset();
        }
        under_.reset();
        of_.strip_taken = moved_trial(panel_) != nullptr;
        Intents intents = draw_canvas(ui_, of_, painter);
        draw_moved_strip(panel_);
        if (canvas_.pressed && !of_card) press_picture(intents);
        const bool esc = esc_unpins_ && !trail().empty() && !refused_in_sight(ui_);
        if (esc && compat::key_pressed(ImGuiKey_Escape, false)) unpin();
        if (card) draw_run_card(ui_, *card, corner);
        change_menu(panel_, "run.cell_menu", changed_place());
        if (under_ && !is_there(*under_))
            show_tooltip(ui_, {"Not yet", {}, {}, not_yet_words(run_)});
        else if (of_held && under_ && !(*under_ == *held_))
            say_value(*under_);
        if (under_ != kept_.under) ui_.memory.animating = true;
        kept_.under = under_;
        tell_others(under_ ? under_ : held_);
        follow_head(intents);
        append(intents, std::move(panel_.intents));
        return intents;
    }

  private:
    // The card of a cell that is pinned then covers nothing: it stands where the answers were.
    bool beside() const { return panel_.card_beside; }
    const std::vector<RunCell>& trail() const { return panel_.place.trail; }

    // The attention that was looked at on the page of words.
    std::optional<std::pair<Place, Rect>> map_before() const {
        const auto seen = std::exchange(map_seen(ui_).rect, std::nullopt);
        const auto tensor = values_.attention_tensor(panel_.layer(), panel_.place.at_source);
        if (!seen || !tensor) return std::nullopt;
        return std::pair(Place{graph_.tensors[*tensor].id, panel_.head(), {}}, *seen);
    }

    // Empty: all of it is.
    std::function<bool(std::int64_t row, std::int64_t column)> made_of(std::string_view id) const {
        const Tensor* const tensor = graph_.find(id);
        if (!tensor) return {};
        const CellsDone done = watched_->done(index_of(graph_, *tensor), layer_of(shown_, graph_, *tensor));
        if (done.whole()) return {};
        return [done](std::int64_t row, std::int64_t column) { return done.has(row, column); };
    }
    void go_on() {
        panel_.ask(WatchOn{std::min(static_cast<double>(ImGui::GetIO().DeltaTime), longest_frame), ui_.reduced_motion});
        ui_.memory.animating = true;
    }

    bool is_there(const CellAt& cell) const {
        return token_of(values_, cell) != values_.tokens() - 1 || !not_there(run_, cell.tensor, cell.layer);
    }
    std::optional<Explanation> said_of(const std::optional<CellAt>& cell) const {
        if (!cell || !is_there(*cell)) return std::nullopt;
        Result<Explanation> made = headcount::explain(numbers_of(values_), *cell);
        return made ? std::optional(*std::move(made)) : std::nullopt;
    }

    // Whether there is a card for this cell, or words that there will be.
    bool explain(const Hit& hit) {
        const std::optional<CellAt> cell = cell_of(values_, shown_, hit);
        if (!cell || (is_there(*cell) && !said_of(cell))) return false;
        under_ = cell;
        return true;
    }

    void add(const Reach& cells, FramedCells::Why why) {
        if (std::optional<FramedCells> made = framed(values_, shown_, cells, why))
            of_.framed.push_back(*std::move(made));
    }
    // Beside somebody else's activations.
    void judge_all() {
        JudgedCells judged = judged_cells(panel_.page.diagnosis.get(), values_, shown_);
        if (canvas_.fades != judged.known || canvas_.alike != judged.pale) canvas_.composed.reset();
        canvas_.fades = judged.known;
        canvas_.alike = std::move(judged.pale);
        of_.framed.insert(of_.framed.end(), judged.framed.begin(), judged.framed.end());
    }

    // First the cell itself.
    void frame_all(const std::optional<Explanation>& said) {
        using enum FramedCells::Why;
        if (said) add({said->cell, said->cell}, own);
        if (held_ && !(said && said->cell == *held_)) add({*held_, *held_}, own);
        if (said && !(said->of == said->cell)) add({said->of, said->of}, read);
        if (said)
            for (const Reach& each : reaches(*said)) add(each, read);
        const std::int64_t layer = panel_.layer(), heads = std::max<std::int64_t>(1, values_.heads_of(layer));
        for (const HeadColumns& each : head_columns(values_, layer)) {
            const std::int64_t first = panel_.head() * each.count / heads * each.width;
            const std::int64_t last_row = values_.activation(each.tensor, layer).rows - 1;
            add({{each.tensor, layer, 0, 0, first}, {each.tensor, layer, 0, last_row, first + each.width - 1}}, head);
        }
    }

    // The row of a token whose chip is pointed at is lit in every activation, and where others look at it, its column.
    void light_chip() {
        const std::optional<std::int64_t>& chip = pointed_in_run(ui_).chip;
        if (!chip) return;
        of_.token = static_cast<double>(*chip) / last_token();
        for (const Node& node : graph_.nodes) {
            if (!info(node.op).of_pairs || graph_.of_source(node.output)) continue;
            const Tensor& tensor = graph_.tensors[node.output];
            const std::int64_t from = hides_later(graph_, node.output) ? *chip : 0;
            if (has_row_for_each_token(tensor))
                of_.framed.push_back(
                    {FramedCells::Why::read, tensor.id, {}, {from, *chip}, {values_.tokens() - 1, *chip}});
        }
    }
    double last_token() const { return static_cast<double>(std::max<std::int64_t>(1, values_.tokens() - 1)); }

    // Where it covers least of what it speaks of; it stays where it is as long as that is well.
    ImVec2 place_of(const RunCard& card) {
        const float margin = ui_.px(run_card_margin);
        if (beside()) return ImGui::GetWindowPos() + ImVec2(ImGui::GetWindowWidth() - card_strip(ui_) + margin, margin);
        std::vector<RunRect> lit, all, own;
        for (const Framed& each : canvas_.drawing.framed)
            if (!each.agrees) (each.own ? own : lit).push_back(rect_of(each.rect));
        for (const Region& each : canvas_.drawing.regions)
            if (each.matrix) all.push_back(rect_of(each.rect));
        const auto [min, max] = rect_of(canvas_.area);
        const CardRoom room{.min = min, .max = max, .lit = lit, .shown = all, .cell = own, .margin = margin};
        const ImVec2 size(ui_.px(run_card_width), CardLines(ui_, card).height());
        const auto covers = [&](const RunRect& rect) { return meet({*kept_.card, *kept_.card + size}, rect); };
        const bool stays = kept_.card && kept_.card->x >= min.x && kept_.card->y >= min.y &&
                           kept_.card->x + size.x <= max.x && kept_.card->y + size.y <= max.y &&
                           std::ranges::none_of(own, covers) && std::ranges::none_of(lit, covers);
        if (!stays) kept_.card = place_card(room, size);
        return *kept_.card;
    }

    // Whether the card has had the press.
    bool press(const RunCard& card, ImVec2 corner) {
        const CardAnswer answer = press_run_card(ui_, card, corner);
        if (answer.follow) follow(*answer.follow);
        if (answer.back)
            panel_.set([&](RunPlace& place) {
                place.trail.pop_back();
                look_there(place);
            });
        if (answer.close) unpin();
        if (answer.change) to_change_ = held_;
        if (answer.standing && held_) kept_.turned = {*held_, *answer.standing};
        if (answer.standing) ui_.memory.animating = true;  // the card has said what was
        return answer.follow || answer.back || answer.close || answer.change || answer.standing;
    }
    // An operand is shown where it is made.
    void follow(const CellAt& cell) {
        panel_.set([&](RunPlace& place) {
            constexpr std::size_t longest = 64;
            if (place.trail.size() >= longest) place.trail.erase(place.trail.begin());
            place.trail.push_back(cell_of(graph_, cell));
            look_there(place);
        });
    }
    void look_there(RunPlace& place) const {
        const std::optional<CellAt> cell = cell_of(graph_, place.trail.back());
        if (!cell) return;
        if (graph_.layer_of(graph_.tensors[cell->tensor].block)) place.layer = cell->layer;
        place.head = head_of(values_, *cell, place.head).value_or(place.head);
        place.goes = true;
    }
    void unpin() {
        panel_.set([](RunPlace& place) {
            place.trail.clear();
            place.shows = RunShows::diagram;
        });
    }
    // What is to be changed: by the menu of the picture, or by the card's button.
    std::optional<ChangePlace> changed_place() {
        if (const std::optional<CellAt> cell = std::exchange(to_change_, std::nullopt))
            return change_place_of(values_, *cell);
        return canvas_.offered ? change_place_at(*canvas_.offered) : std::nullopt;
    }
    std::optional<ChangePlace> change_place_at(const Hit& hit) const {
        if (const std::optional<CellAt> cell = cell_of(values_, shown_, hit)) return change_place_of(values_, *cell);
        const Subject subject = subject_from_key(hit.id);
        const auto* const frame = std::get_if<Component>(&subject);  // around the sub-block
        const Tensor* const tensor = graph_.find(hit.id);
        const Block* const block =
            tensor ? &graph_.blocks[tensor->block]
                   : graph_.find_block(frame ? canvas_.layer + "." + std::string(component_key(*frame)) : hit.id);
        if (!block || (tensor && !is_computed(tensor->role))) return std::nullopt;
        const auto index = static_cast<BlockIndex>(block - graph_.blocks.data());
        const std::optional<std::size_t> group = graph_.layer_of(index);
        if (!group) return std::nullopt;
        const std::int64_t layer = shown_.layer_of(graph_.blocks[graph_.layers[*group].block].id, 0);
        // Where not all heads have a square, a square is no head.
        const bool all = hit.square && copies_of(values_.model(), index) == hit.square->count;
        const std::int64_t copy = hit.behind ? hit.behind->copy : all ? hit.square->index : hit.leaf.copy;
        const bool known = hit.behind || all || !hit.square;
        return change_place_of(graph_, known ? index : block->parent.value_or(index), layer, copy);
    }

    // A cell is pinned where it stands, and is no matrix that is selected; elsewhere a press lets go.
    void press_picture(Intents& intents) {
        if (!under_ && !trail().empty()) unpin();
        if (!under_) return;
        std::erase_if(intents, [](const Intent& intent) { return std::holds_alternative<Select>(intent); });
        panel_.set([&](RunPlace& place) {
            place.trail = {cell_of(graph_, *under_)};
            place.shows = RunShows::diagram;
        });
    }

    // A cell beside the one that is pinned: its number, without its card.
    void say_value(const CellAt& cell) const {
        const bool masked = hides_later(graph_, cell.tensor) && cell.column > cell.row;
        const std::optional<float> value = numbers_of(values_).value(cell);
        if (!value) return;
        const std::string text = masked ? "masked" : cell_text(static_cast<double>(*value));
        show_tooltip(ui_, {.derivation = cell_name(values_.model().graph, cell) + " = " + text});
    }

    // Which token and which matrix, for the panels around.
    void tell_others(const std::optional<CellAt>& cell) const {
        RunPointed& before = pointed_in_run(ui_);
        RunPointed now{.chip = before.chip};
        const NumberSource numbers = numbers_of_run(of_, &canvas_.limits);
        if (cell) {
            now.token = token_of(values_, *cell);
            now.matrix = cell->tensor;
            now.symbol = symbol_text(values_.model().graph, *cell);
        } else if (const std::optional<double>& token = canvas_.token) {
            now.token = std::llround(*token * last_token());
        }
        const std::optional<FramedCells> where = cell ? framed(values_, shown_, {*cell, *cell}, {}) : std::nullopt;
        const auto known = where ? numbers(where->id, where->copy.value_or(0)) : std::nullopt;
        if (known)
            now.limit = known->largest;
        else if (panel_.place.shared_scale)
            if (const auto any = numbers("embedding.weight", 0)) now.limit = any->largest;
        if (now == before) return;
        before = std::move(now);
        ui_.memory.animating = true;  // they have been drawn, or not yet
    }

    void follow_head(Intents& intents) {
        const ModelGraph& graph = of_.counted().graph;
        const Place& here = of_.shown.look.here;
        const Tensor* const tensor = graph.find(here.id);
        const Block* const block = tensor ? &graph.blocks[tensor->block] : graph.find_block(here.id);
        const auto drawn =
            block && block->kind == BlockKind::head ? std::optional(here.copy) : std::optional<std::int64_t>();
        const std::int64_t looked_at = panel_.head();
        const bool goes = panel_.place.goes || !trail().empty() || watched_;  // somewhere else
        if (drawn && drawn != kept_.drawn && *drawn != looked_at && !goes)
            panel_.set([&](RunPlace& place) { place.head = *drawn; });
        else if (drawn && looked_at != kept_.looked_at && *drawn != looked_at && !goes)
            intents.push_back(GoTo{{here.id, looked_at, {}}});
        kept_.drawn = drawn;
        kept_.looked_at = looked_at;
    }

    RunPanel& panel_;
    const Ui& ui_;
    const RunSnapshot& run_;
    const RunValues& values_;
    const ModelGraph& graph_;
    DiagramOf of_;
    const ValuesShown shown_;
    CanvasView& canvas_;
    DiagramKept& kept_;
    const bool esc_unpins_;
    std::optional<CellAt> held_, under_;  // pinned; under the pointer
    std::optional<CellAt> to_change_;     // in this frame
    std::optional<Watched> watched_;
};

}  // namespace

Intents draw_run_diagram(RunPanel panel, const Session& session, const ScenePainter& painter) {
    Result<DiagramOf> of = diagram_in_view(session);
    if (!of) return {};
    Intents intents;
    if (compat::begin_child("run.diagram", ImGui::GetContentRegionAvail(), false, false, 0))
        intents = RunDiagram(panel, *std::move(of), !session.view.manual).draw(painter);
    ImGui::EndChild();
    return intents;
}

Intents draw_run_shown(RunPanel panel, const Session& session, const ScenePainter& painter) {
    const RunSnapshot* const run = panel.run();
    if (!run) {
        pointed_in_run(panel.ui) = {};
        kept<DiagramKept>(panel.ui, "run.diagram") = {};
        return draw_run_empty(panel);
    }
    draw_run_way(panel, *run);
    if (panel.shows() == RunShows::diagram) {
        Intents intents = std::move(panel.intents);
        append(intents, draw_run_diagram({panel.ui, panel.page, panel.place, panel.presents, panel.card_beside},
                                         session, painter));
        return intents;
    }
    RunPointed& before = pointed_in_run(panel.ui);
    if (RunPointed now{.chip = before.chip}; !(now == before)) before = std::move(now);
    draw_run_page(panel, *run);
    return std::move(panel.intents);
}

}  // namespace headcount
