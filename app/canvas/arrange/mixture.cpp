// A mixture of experts in one layer: norm, router, one expert on the deck of all, the shared experts, and back to the
// stream.
#include <algorithm>

#include "app/canvas/arrange/mixture_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using namespace mixture;

constexpr std::string_view output = "layer.feed_forward.output";

class MixtureLayout {
  public:
    MixtureLayout(Sketch& sketch, const Plan& plan)
        : sketch_(sketch), measures_(sketch), plan_(plan), box_(plan.feed_forward), scale_(plan.scales.layer) {}

    void lay_out();

  private:
    float px(float design) const { return sketch_.px(design); }
    const Tensor& tensor(const std::string& id) const { return *sketch_.find(id); }
    void lay_out_router(float top, float norm_y);
    void lay_out_squares(float left, float room, float top);
    Point lay_out_deck(Rect card);
    Point lay_out_shared(Rect rect);
    void join(Point out, Point second, const Rect& card, float sum_x);

    Sketch& sketch_;
    Measures measures_;
    const Plan& plan_;
    const Rect& box_;
    float scale_;
    Form form_{};
    At at_{};
    std::string input_;
};

void MixtureLayout::lay_out_router(float top, float norm_y) {
    const float height = sketch_.thick(sketch_.sides(router).rows, scale_),
                y = top + above_router(sketch_, plan_) + height / 2;
    const bool low = is_low(sketch_, plan_);
    const Rect weight = sketch_.weight("layer.feed_forward.router", {at_.router, y}, scale_);
    sketch_.wire({{at_.split, norm_y}, {at_.split, y}, {at_.router - px(2), y}}, input_);
    const float under = weight.max.y + px(sketch_.has(router_bias) ? 24 : 16);
    // Above it, else above the way to the squares.
    const float squares = top + px(low ? 13 : 29);
    const bool room_above = weight.min.y - px(19) > box_.min.y + px(1);
    sketch_.name(
        room_above ? Point{weight.min.x, weight.min.y - px(19)} : Point{weight.max.x + px(8), squares - px(19)},
        tensor(std::string(router)).symbol, router);
    sketch_.number({weight.min.x, under}, sketch_.shape_text(router), router);
    // Its scores decide which experts are lit.
    const float out = std::min(std::max(squares, weight.min.y + px(2)), weight.max.y - px(2));
    if (std::abs(out - squares) < px(4))
        sketch_.wire({{weight.max.x, squares}, {at_.deck + (low ? 0 : px(inset - 2)), squares}},
                     "layer.feed_forward.routing");
    else
        sketch_.wire({{weight.max.x, out},
                      {weight.max.x + px(5), out},
                      {weight.max.x + px(5), squares},
                      {at_.deck + (low ? 0 : px(inset - 2)), squares}},
                     "layer.feed_forward.routing");
}

// All experts as squares, in at most two rows; those that one token is sent to are lit.
void MixtureLayout::lay_out_squares(float left, float room, float top) {
    const std::int64_t experts = sketch_.whole(Symbol::experts), used = sketch_.whole(Symbol::experts_per_token);
    const bool low = is_low(sketch_, plan_);
    constexpr float largest = 9, smallest = 3, height = 16;
    float cell = px(largest);
    const auto across = [&] { return std::max<std::int64_t>(1, static_cast<std::int64_t>(room / cell)); };
    const auto down = [&] { return std::max<std::int64_t>(1, static_cast<std::int64_t>(px(height) / cell)); };
    while (cell > px(smallest) && across() * down() < experts) cell -= px(0.5F);
    const std::int64_t lines = std::min(down(), (experts + across() - 1) / across());
    const std::int64_t columns = std::min(across(), (experts + lines - 1) / lines);
    const float y = top + (low ? px(13) - cell * static_cast<float>(lines) / 2 : px(23));
    Slab& squares = sketch_.squares("layer.feed_forward.routing", {left, y}, cell, columns, lines, experts);
    squares.grid_lit = std::min(used, squares.grid_cells);
}

Point MixtureLayout::lay_out_deck(Rect card) {
    const std::int64_t experts = sketch_.whole(Symbol::experts), used = sketch_.whole(Symbol::experts_per_token);
    const std::string block = "layer.feed_forward.expert";
    sketch_.frame(block, card, FrameKind::card, Component::feed_forward, experts);
    const std::string all = grouped(experts), some = grouped(used);
    float room = card.width() - px(2 * inset), left = card.min.x + px(inset);
    const bool low = is_low(sketch_, plan_);
    constexpr float least_squares = 40;
    for (const std::string& words :
         {"One of " + all + " experts, " + some + " a token", all + " experts, " + some + " a token", "× " + all}) {
        const float width = sketch_.width_of(words, TextRole::name) + (low ? px(8 + least_squares) : 0);
        if (width > room) continue;
        sketch_.name({left, card.min.y + px(4)}, words, block);
        if (low) left += width - px(least_squares);
        if (low) room -= width - px(least_squares);
        break;
    }
    lay_out_squares(left, room, card.min.y);
    const float body = card.min.y + header_of(sketch_, plan_);
    // Its input passes below the router, which ends higher, into the first matrix.
    return lay_out_matrices(sketch_, plan_,
                            {expert,
                             at_.one,
                             {card.min.x + px(inset), body},
                             body + at_.one.up_height - px(9),
                             at_.split,
                             form_.stacked,
                             at_.split,
                             card.max.y,
                             box_.max.y - px(form_.shared_below || !measures_.has_shared() ? 1 : 9)},
                            input_);
}

Point MixtureLayout::lay_out_shared(Rect rect) {
    const std::int64_t count = sketch_.whole(Symbol::shared_experts);
    const std::string up = shared.id("up.weight");
    const std::string words = count == 1 ? "Shared expert" : grouped(count) + " shared experts";
    const float room = rect.width() - px(inset);
    if (sketch_.width_of(words + ", every token", TextRole::name) <= room)
        sketch_.name({rect.min.x + px(inset), rect.min.y + px(1)}, words + ", every token",
                     "layer.feed_forward.shared");
    else
        sketch_.name({rect.min.x + px(inset), rect.min.y + px(1)}, words, "layer.feed_forward.shared");
    Point corner{rect.min.x + px(inset), rect.min.y + px(shared_header)};
    const float y = corner.y + at_.others.up_height - px(9);
    if (at_.gate_width > 0) {
        const float height = sketch_.thick(sketch_.sides(shared_weight).rows, scale_);
        const Rect weight = sketch_.slab(shared_weight, {corner.x, corner.y + height / 2}, scale_);
        sketch_.name({weight.min.x, weight.max.y + px(2)}, sketch_.name_text(tensor(std::string(shared_weight))),
                     shared_weight);
        corner.x += at_.gate_width;
    }
    const bool beside = !form_.shared_below;
    const float from = beside ? rect.min.x - px(4) : at_.split;
    if (beside) {
        // Below the deck and up again.
        const float under = box_.max.y - px(7);
        const std::vector<Point> way{
            {at_.split, card_norm_y(sketch_, plan_, feed_forward_block)}, {at_.split, under}, {from, under}, {from, y}};
        sketch_.line(way, input_);
    }
    return lay_out_matrices(
        sketch_, plan_, {shared, at_.others, corner, y, from, form_.stacked, at_.split, 0, box_.max.y - px(1)}, input_);
}

// What the chosen experts and the shared ones make, added together.
void MixtureLayout::join(Point out, Point second, const Rect& card, float sum_x) {
    const std::string weighed = expert.id("output");
    if (form_.shared_below) {
        const float y = (out.y + second.y) / 2;
        sketch_.wire({out, {sum_x, out.y}, {sum_x, y - px(8)}}, weighed);
        sketch_.wire({second, {sum_x, second.y}, {sum_x, y + px(8)}}, shared.id("output"));
        sketch_.mark({sum_x, y}, MarkKind::add, output);
        return lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), y});
    }
    // Over the shared experts to the sum.
    const float over = card.min.y - px(4);
    sketch_.wire({out,
                  {card.max.x + px(deck_behind + 4), out.y},
                  {card.max.x + px(deck_behind + 4), over},
                  {sum_x, over},
                  {sum_x, second.y - px(8)}},
                 weighed);
    sketch_.wire({second, {sum_x - px(8), second.y}}, shared.id("output"));
    sketch_.mark({sum_x, second.y}, MarkKind::add, output);
    lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), second.y});
}

void MixtureLayout::lay_out() {
    form_ = form_at(sketch_, measures_, plan_, scale_);
    const bool words = fits(sketch_, measures_, plan_, scale_, form_, true);
    at_ = measured(sketch_, measures_, plan_, scale_, form_, words);
    input_ = block_input(sketch_, feed_forward_block);
    lay_out_card(sketch_, plan_, feed_forward_block);
    const float norm_y = card_norm_y(sketch_, plan_, feed_forward_block);
    lay_out_norm(sketch_, plan_, feed_forward_block, norm_y, at_.split);

    const float foot = words ? px(words_below) : px(4);
    const float slack = std::max(0.0F, box_.max.x - px(room::padding + 24) - at_.end);
    at_.router += slack * 0.2F;
    at_.deck += slack * 0.35F;
    const float spare = std::max(0.0F, box_.height() - px(deck_behind + 8) - at_.height);
    const float top = box_.min.y + px(deck_behind) + spare * 0.4F;
    lay_out_router(top, norm_y);
    const Rect card{{at_.deck, top},
                    {at_.deck + std::max(at_.one.width + px(2 * inset), words ? px(190) : 0),
                     top + header_of(sketch_, plan_) + at_.one.height + foot}};
    Point out = lay_out_deck(card);
    const float sum_x = box_.max.x - px(room::padding + 8);
    if (!measures_.has_shared()) {
        const Point from{out};
        sketch_.wire({from, {sum_x - px(8), from.y}}, expert.id("output"));
        sketch_.mark({sum_x, from.y}, MarkKind::add, output);
        return lay_out_return(sketch_, plan_, feed_forward_block, {sum_x + px(8), from.y});
    }
    const Rect other = form_.shared_below
                           ? Rect{{at_.deck, card.max.y + px(inset)},
                                  {at_.deck + at_.others.width + at_.gate_width + px(2 * inset), box_.max.y - px(4)}}
                           : Rect{{card.max.x + px(deck_behind) + plan_.arrow + slack * 0.3F,
                                   top + header_of(sketch_, plan_) - px(shared_header)},
                                  {sum_x - px(16), box_.max.y - px(4)}};
    join(out, lay_out_shared(other), card, sum_x);
}

}  // namespace

void lay_out_mixture(Sketch& sketch, const Plan& plan) {
    MixtureLayout(sketch, plan).lay_out();
}

}  // namespace headcount
