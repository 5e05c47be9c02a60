// A mixer in its card on the page of the whole model, from its nodes alone: what reads the same input stands side by
// side, what is made of each hangs below it, and what brings them together follows to the right. It knows no kind of
// mixer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/arrange/block_layout.hpp"

namespace headcount {

// What a mixer's card has room for: the names of all, those of the matrices that read its input, or any that find some;
// or only what is trained.
enum class CardWords { all, first, few, bare };

// How it shares its room: with those words, and with its matrices below the title or right of it.
struct CardRoom {
    CardWords words = CardWords::all;
    bool below_title = false;
};

// A matrix, a filter or a vector, with what is added to it below.
struct HungMatrix {
    std::string id;
    std::string bias;   // empty where there is none
    std::string flows;  // what leaves it
    Sides sides{0, 0};
    bool made = false;  // an activation
};

// What one matrix makes of the input, step by step; where several read what a column makes, each begins another.
struct MixerColumn {
    std::vector<HungMatrix> hung = {};
    std::vector<std::size_t> items = {};    // of the flow
    std::optional<std::size_t> after = {};  // of these the one that it reads; nothing where it reads the input
    int level = 0;                          // how many columns are before it on the way from there
    std::size_t reader = 0;                 // the step on the right that reads it first
    float words = 0, first = 0;             // how wide its names are, and the first of them
    float left = 0, foot = 0;               // in pixels, once it is drawn
};

// What brings columns together, or changes that.
struct MixerStep {
    std::size_t item = 0;
    double columns = 0;  // of its matrix
    float words = 0;
    float left = 0, width = 0;
};

class MixerCard {
  public:
    MixerCard(Sketch& sketch, const Plan& plan)
        : sketch_(sketch), plan_(plan), graph_(sketch.input().model.graph), box_(plan.mixer) {
        const std::string block = sketch.shown(plan.mixer_block);
        const std::vector<ThingId> elsewhere{block + ".norm", block + ".output", block + ".output_norm"};
        for (FlowItem& item : flow_of(graph_, block, elsewhere)) items_.push_back(std::move(item));
        fold();
        gather_columns();
        gather_steps();
    }

    // How it is laid out at a scale with such words; nothing where they have no room.
    std::optional<CardRoom> room_for(float scale, CardWords words) const {
        for (const bool below : {false, true}) {
            const CardRoom room{words, below};
            if (below && plan_.shares_norm) break;  // which leaves right of both titles
            if (height(scale, room) <= box_.height() && width(scale, room) <= box_.width()) return room;
        }
        return std::nullopt;
    }
    void lay_out();

  private:
    // Design pixels.
    static constexpr float above_row = 5, name_gap = 3, beside_way = 9, way_in = 5, columns_apart = 6, bare_gap = 7,
                           below_row = 20, ways_apart = 7, tallest_made = 14, mark_width = 16, least_words = 34,
                           title_lines = 38, least_arrow = 12;

    float px(float design) const { return sketch_.px(design); }
    bool draws(const FlowItem& item) const {
        return item.block || !item.node->parameters.empty() || item.from.size() > 1;
    }
    // What has no parameters and one input is seen in that, as far as this page goes.
    std::size_t drawn_for(std::size_t index) const {
        while (!draws(items_[index]) && items_[index].from.size() == 1) index = items_[index].from.front();
        return index;
    }
    void fold();
    void gather_columns();
    MixerColumn* column_of(std::size_t item);
    void hang(MixerColumn& column, const FlowItem& item);
    void gather_steps();
    bool shows(const HungMatrix& hung, const CardRoom& room) const {
        return !hung.made || room.words != CardWords::bare;
    }
    float names() const { return sketch_.name_line() + px(name_gap); }
    float gap(const CardRoom& room) const { return room.words == CardWords::all ? names() : px(bare_gap); }
    float column_width(const MixerColumn& column, float scale, const CardRoom& room) const;
    float hung_height(const HungMatrix& hung, float scale) const;
    float step_width(const MixerStep& step, float scale, const CardRoom& room) const;
    float step_height(float scale) const;  // of the tallest matrix among the steps
    float height(float scale, const CardRoom& room) const;
    float width(float scale, const CardRoom& room) const;
    int levels() const { return columns_.empty() ? 0 : columns_.back().level; }
    // Before the first column of a level, for the ways that come up to it.
    float before(std::size_t column, const CardRoom& room) const {
        const bool first = column > 0 && columns_[column].level > columns_[column - 1].level;
        return first ? arrow(room) : 0;
    }
    float arrow(const CardRoom& room) const {
        return room.words == CardWords::all ? plan_.arrow : std::min(plan_.arrow, px(least_arrow));
    }
    float split(float scale, const CardRoom& room) const;
    void draw_columns();
    Rect draw_hung(const HungMatrix& hung, Point corner);
    void name_hung(const HungMatrix& hung, const Rect& rect, float width, bool named);
    void draw_steps();
    void draw_step(const MixerStep& step);
    void lead_up(const MixerColumn& column, float bus, Point end);
    void lead_to(std::size_t number);
    const Tensor& output_of(std::size_t item) const { return graph_.tensors[items_[item].output]; }

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    const Rect& box_;
    std::vector<FlowItem> items_;
    std::vector<MixerColumn> columns_;
    std::vector<MixerStep> steps_;
    CardRoom room_;
    float scale_ = 0, top_ = 0, foot_ = 0, step_y_ = 0;
};

}  // namespace headcount
