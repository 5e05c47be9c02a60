// What a card says, line by line, and how high each line is.
#include "app/views/run/card_lines.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/rich_text.hpp"
#include "app/views/run/figures.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/scripts.hpp"

namespace headcount {
namespace {

constexpr float least_bars = 4;

// Of what experts make a copy is one of the token's own.
std::int64_t expert_of(const RunValues& values, const CellAt& cell) {
    const std::span<const std::int32_t> all = values.experts(cell.layer);
    const std::int64_t each = static_cast<std::int64_t>(all.size()) / std::max<std::int64_t>(1, values.tokens());
    const auto at = static_cast<std::size_t>(cell.row * each + cell.copy);
    return token_of(values, cell) && at < all.size() ? all[at] : cell.copy;
}

}  // namespace

CardLines::CardLines(const Ui& ui, const RunCard& card)
    : ui_(ui), card_(card), width_(ui.px(run_card_width - 2 * card_padding)), y_(ui.px(card_padding + 26)) {
    const Explanation& said = card.said;
    wrapped(subtitle(), CardLine::Kind::words);
    add({.kind = CardLine::Kind::rule, .height = ui.px(9)});
    if (!(said.of == said.cell))
        wrapped("the same number as " + cell_name(model(), said.of) + ":", CardLine::Kind::words);
    wrapped(said.terms.empty() ? said.what : "= " + said.what, CardLine::Kind::words);
    const bool twice = said.terms.size() == 1 && said.terms.front().factors.size() == 1 &&
                       said.terms.front().factors.front().name == said.formula;
    if (!said.formula.empty() && !twice) wrapped(said.formula, CardLine::Kind::formula);
    if (card.bars && static_cast<float>(said.terms.size()) >= least_bars) {
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
    return y_ + ui_.px(card_padding) + (card_.pinned ? ui_.px(size::small_button + card_padding - 4) : 0);
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
std::string CardLines::subtitle() const {
    const RunValues& values = *card_.run.values;
    const CellAt& cell = card_.said.cell;
    const ModelGraph& graph = model().graph;
    const Tensor& tensor = graph.tensors[cell.tensor];
    const std::optional<std::int64_t> token = token_of(values, cell);
    std::string text(tensor.label);
    if (token && *token < static_cast<std::int64_t>(card_.run.tokens.size()))
        text += ", token " + std::to_string(*token) + " \xE2\x80\x9C" +
                without_scripts(chip_text(card_.run.tokens[static_cast<std::size_t>(*token)])) + "\xE2\x80\x9D";
    if (in_head(graph, tensor.block)) text += ", head " + std::to_string(cell.copy);
    if (in_expert(graph, tensor.block)) text += ", expert " + std::to_string(expert_of(values, cell));
    for (const HeadColumns& each : head_columns(values, cell.layer))
        if (each.tensor == cell.tensor)
            text += (each.count < values.heads() ? ", KV head " : ", head ") +
                    std::to_string(cell.column / each.width) + ", its column " +
                    std::to_string(cell.column % each.width) + " of " + std::to_string(each.width);
    return text;
}
// Pieces from left to right, which end before the value at the right.
void CardLines::put(CardLine& line, std::string text, std::optional<CellAt> cell) {
    const float from = line.pieces.empty() ? 0 : line.pieces.back().x + line.pieces.back().width;
    const float wide = text_width(ui_.fonts.mono, text);
    line.pieces.push_back({std::move(text), cell, from, wide});
}

void CardLines::add_terms() {
    const Explanation& said = card_.said;
    if (said.terms.empty()) return;
    const std::vector<std::size_t>& order = said.largest;
    const std::size_t shown = order.size() <= most_card_terms + 1 ? order.size() : most_card_terms;
    double rest = said.sum;
    for (std::size_t i = 0; i < shown; ++i) {
        const Term& term = said.terms[order[i]];
        rest -= term.value;
        CardLine line{.kind = CardLine::Kind::term, .value = cell_text(term.value), .height = ui_.px(card_row)};
        if (!said.index.empty()) put(line, said.index.substr(0, 1) + " = " + std::to_string(term.index) + "  ");
        for (std::size_t f = 0; f < term.factors.size(); ++f) {
            const Operand& factor = term.factors[f];
            if (f > 0) put(line, " × ");
            const bool named = said.index.empty() && term.factors.size() == 1;
            put(line, named ? factor.name : cell_text(factor.value), factor.cell);
        }
        add(std::move(line));
    }
    if (shown < order.size())
        add({.kind = CardLine::Kind::term,
             .text = std::to_string(order.size() - shown) + (said.products ? " smaller products" : " smaller"),
             .value = cell_text(rest),
             .height = ui_.px(card_row)});
    if (!said.after.empty())
        add({.kind = CardLine::Kind::term, .text = "sum", .value = cell_text(said.sum), .height = ui_.px(card_row)});
}

void CardLines::add_step(const AfterSum& step) {
    CardLine line{.kind = CardLine::Kind::term, .value = cell_text(step.value)};
    std::optional<CellAt> cell;
    if (!step.operands.empty()) cell = step.operands.front().cell;
    const float room = width_ - text_width(ui_.fonts.mono, line.value) - ui_.px(12);
    const float high = wrapped_extent(ui_.fonts.table, step.text, room, true).y;
    line.text = step.text;
    line.height = std::max(ui_.px(card_row), std::round(high + ui_.px(2)));
    line.pieces.push_back({"", cell, 0, cell ? room : 0});
    add(std::move(line));
}

}  // namespace headcount
