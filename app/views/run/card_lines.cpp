// What a card says, line by line, how high each line is, and where a card can stand.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "app/ui/rich_text.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/cells.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/scripts.hpp"

namespace headcount {
namespace {

constexpr float card_bars_height = 72;  // unscaled
constexpr std::size_t least_bars = 4;

// Behind the pieces that are there.
void put(const Ui& ui, CardLine& line, std::string text, std::optional<CellAt> cell = {}) {
    const float from = line.pieces.empty() ? 0 : line.pieces.back().x + line.pieces.back().width;
    const float wide = text_width(ui.fonts.mono, text);
    line.pieces.push_back({std::move(text), cell, from, wide});
}

float covered(const RunRect& card, std::span<const RunRect> rects) {
    float all = 0;
    for (const auto& [min, max] : rects) {
        const float x = std::min(card.second.x, max.x) - std::max(card.first.x, min.x);
        const float y = std::min(card.second.y, max.y) - std::max(card.first.y, min.y);
        if (x > 0 && y > 0) all += x * y;
    }
    return all;
}

}  // namespace

std::size_t listed_terms(const Explanation& said) {
    const std::size_t all = said.largest.size();
    return all <= most_card_terms + 1 ? all : most_card_terms;
}

CardLines::CardLines(const Ui& ui, const RunCard& card)
    : ui_(ui), card_(card), width_(ui.px(run_card_width - 2 * card_padding)), y_(ui.px(card_padding + 26)) {
    const Explanation& said = card.said;
    wrapped(card.subtitle, CardLine::Kind::words);
    add({.kind = CardLine::Kind::rule, .height = ui.px(9)});
    if (card.turned.hands) add_hands();
    if (!(said.of == said.cell))
        wrapped("the same number as " + cell_name(card.graph, said.of) + ":", CardLine::Kind::words);
    wrapped(said.terms.empty() ? said.what : "= " + said.what, CardLine::Kind::words);
    const bool twice = said.terms.size() == 1 && said.terms.front().factors.size() == 1 &&
                       said.terms.front().factors.front().name == said.formula;
    if (!said.formula.empty() && !twice) wrapped(said.formula, CardLine::Kind::formula);
    if (card.bars && said.terms.size() >= least_bars) {
        add({.kind = CardLine::Kind::bars, .height = ui.px(card_bars_height)});
        add({.kind = CardLine::Kind::scale,
             .text = said.index + " = " + std::to_string(said.terms.front().index),
             .value = std::to_string(said.terms.back().index),
             .height = ui.px(18)});
    }
    add_terms();
    for (const AfterSum& step : said.after) add_step(step);
}

float CardLines::height() const {
    return y_ + ui_.px(card_padding) +
           (card_.pinned && card_.buttons ? ui_.px(size::small_button + card_padding - 4) : 0);
}

void CardLines::add(CardLine line) {
    line.y = y_;
    y_ += line.height;
    lines.push_back(std::move(line));
}
void CardLines::wrapped(std::string text, CardLine::Kind kind) {
    const Font& font = kind == CardLine::Kind::formula ? ui_.fonts.mono : ui_.fonts.table;
    const float high = wrapped_extent(font, text, width_, true).y;
    add({.kind = kind, .text = std::move(text), .height = std::round(high + ui_.px(2))});
}

// "token 5 “there”, head 1, its column 3 of 16", "Query projection, head 2, its column 0 of 16"
std::string place_words(const RunSnapshot& run, const CellAt& cell) {
    const RunValues& values = *run.values;
    const ModelGraph& graph = values.model().graph;
    const Tensor& tensor = graph.tensors[cell.tensor];
    const std::optional<std::int64_t> token = token_of(values, cell);
    std::string text(tensor.label);
    if (token && *token < static_cast<std::int64_t>(run.tokens.size()))
        text += ", token " + std::to_string(*token) + " " + in_quotes(without_scripts(token_text(run, *token)));
    if (graph.is(tensor.block, BlockKind::head)) text += ", head " + std::to_string(cell.copy);
    // Of what experts make a copy is one of the token's own.
    const std::optional<std::int32_t> chosen = token ? values.expert(cell) : std::nullopt;
    if (graph.is(tensor.block, BlockKind::expert)) text += ", expert " + std::to_string(chosen ? *chosen : cell.copy);
    // What several heads share is a head of keys and values in attention, a group of a state.
    const std::string_view shared = is_recurrent(graph, tensor.block) ? "group" : "KV head";
    for (const HeadColumns& each : head_columns(values, cell.layer))
        if (each.tensor == cell.tensor)
            text += ", " + std::string(each.count < values.heads_of(cell.layer) ? shared : "head") + " " +
                    std::to_string(cell.column / each.width) + ", its column " +
                    std::to_string(cell.column % each.width) + " of " + std::to_string(each.width);
    return text;
}

void CardLines::add_hands() {
    const TurnedHands& hands = *card_.turned.hands;
    add({.kind = CardLine::Kind::hands, .height = dials_height(ui_, card_)});
    if (dials_of(hands) < hands.own.size())
        wrapped("the first " + std::to_string(dials_of(hands)) + " of " + std::to_string(hands.own.size()) + " pairs",
                CardLine::Kind::words);
    add({.kind = CardLine::Kind::turn, .height = ui_.px(24)});
    if (card_.turned.in_the_run)
        wrapped("if its token stood there; in the run it stands at " + std::to_string(hands.cell.row) + ": " +
                    cell_text(*card_.turned.in_the_run),
                CardLine::Kind::words);
}

void CardLines::add_terms() {
    const Explanation& said = card_.said;
    if (said.terms.empty()) return;
    const std::vector<std::size_t>& order = said.largest;
    // Where hands leave them no room, what they make together is said.
    const bool all = listed_terms(said) == order.size(), none = !all && card_.turned.hands && card_.low;
    const std::size_t shown = none ? 0 : listed_terms(said);
    double rest = said.sum;
    for (std::size_t i = 0; i < shown; ++i) {
        const Term& term = said.terms[order[i]];
        rest -= term.value;
        CardLine line{.kind = CardLine::Kind::term, .value = cell_text(term.value), .height = ui_.px(card_row)};
        if (!term.name.empty())
            put(ui_, line, term.name + "  ");
        else if (!said.index.empty())
            put(ui_, line, said.index.substr(0, 1) + " = " + std::to_string(term.index) + "  ");
        for (std::size_t f = 0; f < term.factors.size(); ++f) {
            const Operand& factor = term.factors[f];
            if (f > 0) put(ui_, line, " × ");
            const bool named = said.index.empty() && term.factors.size() == 1;
            put(ui_, line, named ? factor.name : cell_text(factor.value), factor.cell);
        }
        add_term(std::move(line));
    }
    if (shown < order.size())
        add({.kind = CardLine::Kind::term,
             .text = std::to_string(order.size() - shown) + (shown > 0 ? " smaller" : "") +
                     (said.products ? " products"
                      : shown > 0   ? ""
                                    : " terms"),
             .value = cell_text(rest),
             .height = ui_.px(card_row)});
    if (!said.after.empty() && shown > 0)
        add({.kind = CardLine::Kind::term, .text = "sum", .value = cell_text(said.sum), .height = ui_.px(card_row)});
}

// What it comes to stands behind its factors, or below them where they leave no room.
void CardLines::add_term(CardLine line) {
    const float pieces = line.pieces.empty() ? 0 : line.pieces.back().x + line.pieces.back().width;
    const float value = text_width(ui_.fonts.mono, "= " + line.value);
    if (pieces + ui_.px(8) + value <= width_) return add(std::move(line));
    CardLine below{.kind = CardLine::Kind::term, .value = std::exchange(line.value, {}), .height = line.height};
    add(std::move(line));
    add(std::move(below));
}

void CardLines::add_step(const AfterSum& step) {
    CardLine line{.kind = CardLine::Kind::term, .value = cell_text(step.value)};
    std::optional<CellAt> cell;
    if (!step.operands.empty()) cell = step.operands.front().cell;
    line.text = step.text;
    const ImVec2 words = wrapped_extent(ui_.fonts.table, step.text, width_, true);
    line.height = std::max(ui_.px(card_row), std::round(words.y + ui_.px(2)));
    line.pieces.push_back({"", cell, 0, words.x});
    add_term(std::move(line));
}

void fit_card(const Ui& ui, RunCard& card, float room) {
    const auto fits = [&] { return CardLines(ui, card).height() <= room; };
    card.bars = fits();
    card.low = !card.bars && !fits();
    card.buttons = !card.low || fits();
}

ImVec2 place_card(const CardRoom& room, ImVec2 size) {
    const float left = room.min.x + room.margin, right = std::max(left, room.max.x - room.margin - size.x);
    const float top = room.min.y + room.margin / 2, bottom = std::max(top, room.max.y - room.margin - size.y);
    ImVec2 best{right, bottom};
    // First of all not the cell, then none of what it is made of.
    std::array<float, 3> least;
    least.fill(std::numeric_limits<float>::max());
    const auto try_place = [&](float x, float y) {
        const RunRect card{{x, y}, {x + size.x, y + size.y}};
        const std::array cost{covered(card, room.cell), covered(card, room.lit), covered(card, room.shown)};
        if (cost >= least) return;
        least = cost;
        best = {x, y};
    };
    for (const float y : {bottom, (top + bottom) / 2, top})
        for (const float x : {right, left, (left + right) / 2}) try_place(x, y);
    // Where all of these cover something, between them.
    constexpr int between = 8;
    for (int down = 0; down <= between; ++down)
        for (int along = 0; along <= between; ++along)
            try_place(std::round(left + (right - left) * static_cast<float>(along) / between),
                      std::round(top + (bottom - top) * static_cast<float>(down) / between));
    return best;
}

}  // namespace headcount
