// Where the model begins: tokens, the embedding, the residual stream.
#include <algorithm>
#include <string>
#include <vector>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

namespace {

// Else it is an image's patches, or the moments of sound.
bool reads_ids(const Sketch& sketch) { return sketch.find("tokens")->shape.rank() == 1; }

constexpr float least_chip = 40;                // design pixels
constexpr float first_turn = 7, next_turn = 5;  // where the ways to the table's rows turn, left of it
constexpr float last_turn = first_turn + next_turn * (token_chips_shown - 1);

// As much of a word as has room, with "…" where that is not all.
std::string cut_to(const Sketch& sketch, std::string word, float width) {
    std::string cut = word;
    while (!word.empty() && sketch.width_of(cut, TextRole::number) > width) {
        word = whole_letters(word, word.size() - 1);
        cut = word + "…";
    }
    return cut;
}

}  // namespace

std::vector<TokenChip> token_chips(const Sketch& sketch, float room) {
    const Sides ids = sketch.numbers("tokens");
    const auto tokens = static_cast<std::int64_t>(reads_ids(sketch) ? ids.columns : ids.rows);
    // The position after those in the cache; what is read at once has none.
    const std::int64_t first = uses(sketch.find("tokens")->shape, Symbol::tokens) ? sketch.whole(Symbol::cached) : 0;
    constexpr std::int64_t widest = 99'999;  // in a chip
    auto position = [&](std::int64_t token) {
        if (first + tokens - 1 <= widest) return std::to_string(first + token);
        if (first == 0) return std::to_string(token);
        return token == 0 ? std::string("P") : "P+" + std::to_string(token);
    };
    const std::optional<ValuesShown>& values = sketch.input().values;
    const auto word = [&](std::int64_t token) {
        const auto at = static_cast<std::size_t>(token);
        if (!values || !uses(sketch.find("tokens")->shape, Symbol::tokens)) return std::string();  // a source's
        if (token + 1 == tokens && values->last) return *values->last;
        return at < values->first.size() ? values->first[at] : std::string();
    };
    std::vector<TokenChip> chips;
    constexpr auto most = static_cast<std::int64_t>(token_chips_shown);
    std::int64_t shown = std::min<std::int64_t>(tokens, most);
    for (std::int64_t i = 0; i < shown; ++i) {
        bool last = i == most - 1 && tokens > most, more = i == most - 2 && tokens > most;
        std::optional<double> token;
        if (!more)
            token = last ? 1 : static_cast<double>(i) / static_cast<double>(std::max<std::int64_t>(1, tokens - 1));
        std::string name = more ? "…" : position(last ? tokens - 1 : i);
        if (last && first + tokens - 1 > widest) name = first > 0 ? "P+T-1" : "T-1";
        if (std::string said = more ? std::string() : word(last ? tokens - 1 : i); !said.empty())
            name = cut_to(sketch, std::move(said), room);
        chips.push_back({std::move(name), token});
    }
    return chips;
}

namespace {

// A few of the tokens, each beside the row of the table that it takes. Which row is the tokenizer's affair, so without
// a run the chips carry positions, not words.
void lay_out_tokens(Sketch& sketch, const Plan& plan, Rect table, float top) {
    if (plan.tokens.width() <= 0) return;
    float x = plan.tokens.min.x, height = sketch.px(20), step = sketch.px(28);
    sketch.name({x, top - sketch.px(24)}, reads_ids(sketch) ? "Tokens" : sketch.find("tokens")->label, "tokens");
    // As wide as the longest word, as far as the ways to the table leave room.
    const float padding = sketch.px(2 * chip_padding), end = table.min.x - sketch.px(last_turn + next_turn);
    const std::vector<TokenChip> chips = token_chips(sketch, end - x - padding);
    float width = sketch.px(least_chip);
    for (const TokenChip& chip : chips) width = std::max(width, sketch.width_of(chip.name, TextRole::number) + padding);
    int i = 0;
    for (const auto& [name, token] : chips) {
        float y = top + static_cast<float>(i) * step;
        Rect chip{{x, y}, {x + width, y + height}};
        sketch.scene.slabs.push_back(
            {.id = "tokens", .rect = chip, .part = Part::residual, .look = SlabLook::hollow, .token = token});
        sketch.number({chip.centre().x, y + sketch.px(3)}, name, "tokens", Anchor::centre);
        float row = table.min.y + table.height() * (0.06F + 0.29F * static_cast<float>(i));
        float turn = table.min.x - sketch.px(first_turn + next_turn * static_cast<float>(i));
        sketch.line({{chip.max.x, chip.centre().y}, {turn, chip.centre().y}, {turn, row}, {table.min.x, row}},
                    "tokens");
        sketch.scene.wires.back().token = token;
        ++i;
    }
    float below = top + static_cast<float>(i) * step;
    sketch.number({x, below}, sketch.tokens_text(), "tokens");
    sketch.caption({x, below + sketch.number_line()}, reads_ids(sketch) ? "token ids" : "as numbers", "tokens");
}

}  // namespace

Rect lay_out_tables(Sketch& sketch, const Plan& plan, float more_from) {
    constexpr std::string_view id = "embedding.weight";
    float top = plan.embedding.min.y + sketch.px(26);
    // Where what enters is known by its tensors alone, nothing is drawn of it.
    if (!sketch.has(id)) return {{plan.embedding.min.x, top}, {plan.embedding.min.x, top + sketch.px(1)}};
    // Tables hang from their first row, so the preset's outline does too.
    Rect table = sketch.hung(id, {plan.embedding.min.x, top}, plan.scales.model);
    const bool filters = sketch.find(id)->part == Part::convolution;
    sketch.name({table.min.x, top - sketch.px(24)}, filters ? "Convolution" : "Embedding", id);
    // The words below stay clear of the residual stream's, also where the table is short.
    const std::optional<Rect>& base = sketch.scene.slabs.back().base;
    float foot = base ? std::max(table.max.y, base->max.y) : table.max.y;
    if (sketch.has("embedding.bias")) foot += sketch.px(2) + sketch.thick(sketch.drawn(1), plan.scales.model);
    sketch.bias_below("embedding.bias", table, plan.scales.model);
    float words = std::max(foot + sketch.px(4), top + sketch.px(table.height() < sketch.px(64) ? 62 : 0));
    sketch.number({table.min.x, words}, sketch.shape_text(id), id);
    sketch.detail({table.min.x, words + sketch.number_line()}, grouped(sketch.count(*sketch.find(id))), id);
    lay_out_tokens(sketch, plan, table, top);
    bool beside = table.height() > sketch.px(110);  // the table reaches below the stream's words
    const Point corner{beside ? table.max.x + sketch.px(8) : table.min.x,
                       beside ? top + sketch.px(more_from) : words + sketch.px(40)};
    lay_out_below_table(sketch, plan, corner);
    return table;
}

void lay_out_stream(Sketch& sketch, const Plan& plan, const Rect& table, float y) {
    const std::string stream(first_stream(sketch));
    float slab_x = table.max.x + sketch.px(10);
    Rect slab = sketch.slab(stream, {slab_x, y}, plan.scales.model, sketch.px(28));
    float out = table.max.y > y ? y : table.centre().y, turn = table.max.x + sketch.px(5);
    sketch.wire({{table.max.x, out}, {turn, out}, {turn, y}, {slab.min.x, y}}, stream, true, false);
    sketch.wire({{slab.max.x, y}, {plan.stream_x, y}, {plan.stream_x, plan.layer.max.y + sketch.px(8)}}, stream, true,
                false);
    sketch.number({slab.min.x, slab.min.y - sketch.px(17)}, sketch.shape_text(stream), stream);
    sketch.caption({slab.min.x, slab.max.y + sketch.px(4)}, "residual", stream);
    sketch.caption({slab.min.x, slab.max.y + sketch.px(17)}, "stream", stream);
}

void lay_out_embedding(Sketch& sketch, const Plan& plan) {
    const Rect table = lay_out_tables(sketch, plan, 64);
    lay_out_stream(sketch, plan, table, plan.embedding.min.y + sketch.px(26) + sketch.px(22));
}

}  // namespace headcount
