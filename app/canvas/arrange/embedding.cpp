// Where the model begins: tokens, the embedding, and what else makes the residual stream.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/analysis/parameters.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

namespace {

// Else it is an image's patches, or the moments of sound.
bool reads_ids(const Sketch& sketch) {
    return sketch.find("tokens")->shape.rank() == 1;
}

constexpr float row_to_layer = 20,
                beside_way = 8;  // design pixels: right of what is alike; left of a stack's own table
constexpr float memory_above = 18, memory_below = 54;  // of what comes in from another stack, and its words
constexpr float chip_words = 38;                       // design pixels of a chip that words may take

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

std::vector<TokenChip> token_chips(const Sketch& sketch) {
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
            name = cut_to(sketch, std::move(said), sketch.px(chip_words));
        chips.push_back({std::move(name), token});
    }
    return chips;
}

namespace {

// A few of the tokens, each beside the row of the table that it takes. Which row is the tokenizer's affair, so without
// a run the chips carry positions, not words.
void lay_out_tokens(Sketch& sketch, const Plan& plan, Rect table, float top) {
    if (plan.tokens.width() <= 0) return;
    float x = plan.tokens.min.x, width = sketch.px(40), height = sketch.px(20), step = sketch.px(28);
    sketch.name({x, top - sketch.px(24)}, reads_ids(sketch) ? "Tokens" : sketch.find("tokens")->label, "tokens");
    int i = 0;
    for (const auto& [name, token] : token_chips(sketch)) {
        float y = top + static_cast<float>(i) * step;
        Rect chip{{x, y}, {x + width, y + height}};
        sketch.scene.slabs.push_back(
            {.id = "tokens", .rect = chip, .part = Part::residual, .look = SlabLook::hollow, .token = token});
        sketch.number({chip.centre().x, y + sketch.px(3)}, name, "tokens", Anchor::centre);
        float row = table.min.y + table.height() * (0.06F + 0.29F * static_cast<float>(i));
        float turn = table.min.x - sketch.px(7 + 5 * static_cast<float>(i));
        sketch.line({{chip.max.x, chip.centre().y}, {turn, chip.centre().y}, {turn, row}, {table.min.x, row}},
                    "tokens");
        sketch.scene.wires.back().token = token;
        ++i;
    }
    float below = top + static_cast<float>(i) * step;
    sketch.number({x, below}, sketch.tokens_text(), "tokens");
    sketch.caption({x, below + sketch.number_line()}, reads_ids(sketch) ? "token ids" : "as numbers", "tokens");
}

// What each stack has of this name: "positions.weight".
std::vector<std::string> of_stacks(const Sketch& sketch, std::string_view name) {
    std::vector<std::string> ids;
    for (const Block& block : sketch.input().model.graph.blocks)
        if (block.kind == BlockKind::stack) ids.push_back(block.id + "." + std::string(name));
    std::erase_if(ids, [&](const std::string& id) { return !sketch.has(id); });
    if (ids.empty() && sketch.has(name)) ids.emplace_back(name);
    return ids;
}

// Of the weights outside of layers those that `belong`, as the graph has them.
template <class Belongs>
std::vector<std::string> weights_where(const Sketch& sketch, Belongs belongs) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<std::string> ids;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::parameter && !tensor.bias && !graph.layer_of(tensor.block) && belongs(tensor) &&
            tensor.id != sketch.shown("embedding.weight"))
            ids.push_back(tensor.id);
    return ids;
}

// Filters of sound.
std::vector<std::string> of_part(const Sketch& sketch, Part part) {
    return weights_where(sketch, [&](const Tensor& tensor) { return tensor.part == part; });
}

// What reads pictures or sound beside the text.
std::vector<std::string> of_component(const Sketch& sketch, Component component) {
    return weights_where(sketch, [&](const Tensor& tensor) { return tensor.component == component; });
}

std::string parameters_of(const Sketch& sketch, Component component) {
    const auto& [graph, bindings] = sketch.input().model;
    std::int64_t all = 0;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::parameter && tensor.component == component)
            all += count_of(graph, tensor, bindings).all;
    return grouped(all);
}

// "encoder.convolution_1.bias" of its weight.
std::string bias_of(const std::string& weight) {
    return weight.substr(0, weight.size() - std::string_view("weight").size()) + "bias";
}

// How much room what else makes the stream takes: each step less than the one before.
enum class MoreRoom { ample, without_sizes, senses_cut, senses_named };
constexpr std::array more_rooms{MoreRoom::ample, MoreRoom::without_sizes, MoreRoom::senses_cut, MoreRoom::senses_named};
constexpr float cut_sense = 8;  // design pixels: the height of its matrices

// What else makes the stream of a token: each below the one before, that of several stacks side by side; and what reads
// pictures or sound beside the text. Returns where they end.
float lay_out_more_of_embedding(Sketch& sketch, const Plan& plan, Point corner, MoreRoom room) {
    const float scale = plan.scales.model;
    const bool sizes = room == MoreRoom::ample;
    // Above or below what comes in from another stack, with the words of that.
    const bool passed = !plan.beside && plan.cross.height() > 0;
    const float memory = passed ? memory_y(sketch, plan.of_cross()) : 0;
    const auto pass = [&](std::span<const std::string> ids) {
        double rows = 0;
        for (const std::string& id : ids) rows = std::max(rows, sketch.sides(id).rows);
        const float foot = corner.y + std::max(sketch.thick(rows, scale), sketch.px(26));
        const float from = memory - sketch.px(memory_above), until = memory + sketch.px(memory_below);
        if (passed && !ids.empty() && corner.y < until && foot > from) corner.y = until;
    };
    const auto words = [&](const Rect& rect, std::string_view name, std::string_view id, const std::string& size) {
        sketch.name({rect.max.x + sketch.px(6), rect.min.y - sketch.px(2)}, name, id);
        if (sizes) sketch.number({rect.max.x + sketch.px(6), rect.min.y + sketch.number_line()}, size, id);
        corner.y = std::max(rect.max.y, rect.min.y + sketch.px(sizes ? 26 : 12)) + sketch.px(sizes ? 12 : 6);
    };
    const auto hang = [&](std::string_view name, std::string_view of) {
        const std::vector<std::string> ids = of_stacks(sketch, std::string(of) + ".weight");
        pass(ids);
        Point at = corner;
        Rect rect{};
        for (const std::string& id : ids) {
            rect = sketch.hung(id, at, scale);
            sketch.bias_below(bias_of(id), rect, scale);
            at.x = rect.max.x + sketch.px(3);
        }
        if (!ids.empty()) words(rect, name, ids.back(), sketch.shape_text(ids.back()));
    };
    const auto hang_norm = [&](std::string_view name) {
        Point at{corner.x, corner.y + sketch.thick(sketch.drawn(1), scale) / 2};
        Rect bar{};
        const std::vector<std::string> ids = of_stacks(sketch, name);
        for (const std::string& id : ids) {
            bar = sketch.norm_slab(id, at, scale);
            at.x = bar.max.x + sketch.px(3);
        }
        if (!ids.empty()) words(bar, "Norm", ids.back(), norm_size(sketch, ids.back()));
    };
    const auto width_of = [&](const std::string& id) {
        return sketch.thick(std::max(sketch.sides(id).columns, sketch.sides(bias_of(id)).columns), scale);
    };
    // What is alike side by side, in as many rows as it takes, with the words below.
    const auto hang_all = [&](std::string_view name, const std::vector<std::string>& ids, const std::string& size,
                              float tallest = 0) {
        if (ids.empty()) return;
        pass(ids);
        const float end = plan.layer.min.x - sketch.px(row_to_layer);
        Point at = corner;
        float foot = corner.y;
        for (const std::string& id : ids) {
            if (at.x > corner.x && at.x + width_of(id) > end) at = {corner.x, foot + sketch.px(3)};
            const Rect rect = sketch.hung(id, at, scale, tallest);
            const Rect bias = sketch.bias_below(bias_of(id), rect, scale);
            foot = std::max({foot, rect.max.y, bias.max.y});
            at.x = std::max(rect.max.x, bias.max.x) + sketch.px(3);
        }
        sketch.name({corner.x, foot + sketch.px(1)}, name, ids.back());
        if (sizes) sketch.number({corner.x, foot + sketch.px(1) + sketch.name_line()}, size, ids.back());
        corner.y = foot + sketch.name_line() + (sizes ? sketch.number_line() + sketch.px(10) : sketch.px(4));
    };
    const auto hang_row = [&](std::string_view name, Part part) {
        const std::vector<std::string> ids = of_part(sketch, part);
        if (ids.empty()) return;
        const std::string shape = sketch.shape_text(ids.back()), count = std::to_string(ids.size());
        const bool alike =
            std::ranges::all_of(ids, [&](const std::string& id) { return sketch.shape_text(id) == shape; });
        hang_all(name, ids, ids.size() == 1 ? shape : alike ? count + " × " + shape : count + " of other sizes");
    };
    constexpr std::string_view projection = "embedding_projection";
    hang_row("Convolutions", Part::convolution);
    hang_row("Their norms", Part::convolution_norm);
    hang("Class token", "class_token");
    hang("Distillation", "distillation_token");
    // With a bias it stands behind the norm.
    const bool last = sketch.has("embedding_projection.bias");
    if (!last) hang("Projection", projection);
    hang("Types", "token_types");
    hang("Positions", "positions");
    hang("Registers", "registers");
    hang("Mask row", "mask_row");
    // What the layers of a stack add to scores for the distance between tokens.
    const ModelGraph& graph = sketch.input().model.graph;
    for (const Tensor& tensor : graph.tensors) {
        if (tensor.part != Part::relative_bias || graph.layer_of(tensor.block)) continue;
        const Rect rect = sketch.hung(tensor.id, corner, scale);
        words(rect, "Distances", tensor.id, sketch.shape_text(tensor));
        const float line = rect.min.y + sketch.name_line() + sketch.number_line();
        if (!graph.has_encoder()) continue;
        sketch.caption({rect.max.x + sketch.px(6), line}, graph.blocks[graph.stack_of(tensor.block)].name, tensor.id);
        corner.y = std::max(corner.y, line + sketch.px(22));
    }
    hang_norm("embedding_norm");
    if (last) hang("Projection", projection);
    hang("For layers", "layer_embedding");
    hang("Made of rows", "layer_projection");
    hang_norm("layer_norm");
    hang_row("Around each", Part::position_convolution);
    hang_row("Strength", Part::position_strength);
    hang_norm("entry_norm");
    for (const std::string& id : other_tables(sketch)) {
        const Rect rect = sketch.hung(id, {corner.x + sketch.px(beside_way), corner.y}, scale);
        words(rect, "Of tokens", id, sketch.shape_text(id));
    }
    for (const Component component : components) {
        const std::vector<std::string> ids = of_component(sketch, component);
        if (!is_sense(component) || ids.empty()) continue;
        const std::string size = parameters_of(sketch, component);
        const bool narrow = std::ranges::all_of(ids, [&](const std::string& id) {
            return corner.x + width_of(id) <= plan.layer.min.x - sketch.px(row_to_layer);
        });
        if (narrow && room != MoreRoom::senses_named) {
            hang_all(component_name(component), ids, size,
                     room == MoreRoom::senses_cut ? sketch.px(cut_sense) : 0);
            continue;
        }
        sketch.name(corner, component_name(component), ids.front());
        sketch.number({corner.x, corner.y + sketch.name_line()}, size, ids.front());
        corner.y += sketch.name_line() + sketch.number_line() + sketch.px(4);
    }
    return corner.y;
}

}  // namespace

std::vector<std::string> other_tables(const Sketch& sketch) {
    std::vector<std::string> ids = of_stacks(sketch, "embedding.weight");
    std::erase_if(ids, [&](const std::string& id) {
        return id == sketch.shown("embedding.weight") || sketch.find(id)->part == Part::convolution;
    });
    return ids;
}

HungRows hung_rows(const Sketch& sketch) {
    HungRows all;
    const auto add = [&](const std::vector<std::string>& ids) {
        double tallest = 0;
        for (const std::string& id : ids) tallest = std::max(tallest, sketch.sides(id, true).rows);
        constexpr std::size_t in_one_row = 2;
        all.rows += ids.size() > in_one_row ? 2 * tallest : tallest;
        all.groups += ids.empty() ? 0 : 1;
    };
    for (const Part part :
         {Part::convolution, Part::convolution_norm, Part::position_convolution, Part::position_strength})
        add(of_part(sketch, part));
    add(other_tables(sketch));
    return all;
}

Rect lay_out_tables(Sketch& sketch, const Plan& plan, float more_from) {
    constexpr std::string_view id = "embedding.weight";
    float top = plan.embedding.min.y + sketch.px(26);
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
    const std::size_t slabs = sketch.scene.slabs.size(), labels = sketch.scene.labels.size();
    for (const MoreRoom room : more_rooms) {
        sketch.scene.slabs.resize(slabs);
        sketch.scene.labels.resize(labels);
        if (lay_out_more_of_embedding(sketch, plan, corner, room) <= plan.embedding.max.y) break;
    }
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
