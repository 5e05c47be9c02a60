// The question is as wide as it reads well; the rest is the picture's.
#include "app/views/worksheet/layout.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

constexpr float header_height = 48, line = 1, least_flow = 192, most_flow = 250, flow_part = 0.25F;
constexpr float list_part = 0.15F, least_list = 236, most_list = 300;
constexpr float side_part = 0.41F, least_question = 560;
constexpr float least_words = 300;  // of the question: with less, the list gives way to it, and then the picture

}  // namespace

WorksheetLayout worksheet_layout(ImVec2 display, float scale, float card_height, bool diagram, bool flow) {
    const ExploreLayout explore = explore_layout(display, scale, 0);
    const float width = std::max(display.x, 8 * line), height = std::max(display.y, 8 * line);
    const float top = explore.architecture.min.y;
    const float header_to = std::min(std::round(top + header_height * scale), height - 4 * line);
    const float below = header_to + line;
    const float list = std::round(std::clamp(width * list_part, least_list * scale, most_list * scale));
    float side = std::round(width * side_part);
    side = std::max(std::min(side, width - list - least_question * scale), width * 0.3F);
    float list_to = std::min(list, width * 0.4F), side_from = std::round(width - side);
    if (side_from - list_to < least_words * scale) list_to = 0;
    if (side_from - list_to < least_words * scale) side_from = width;
    const float question_from = list_to + (list_to > 0 ? line : 0),
                question_to = side_from - (side_from < width ? line : 0);
    const float flow_height = std::clamp(height * flow_part, least_flow * scale, most_flow * scale);
    const float flow_from = flow ? std::max(below + line, std::round(height - flow_height)) : height;
    const float card_to =
        diagram ? std::min(std::round(below + card_height), flow_from - 2 * line) : flow_from - (flow ? line : 0);
    WorksheetLayout layout{
        .header = {{0, top}, {width, header_to}},
        .list = {{0, below}, {list_to, height}},
        .question = {{question_from, below}, {question_to, height}},
        .card = {{side_from, below}, {width, std::max(card_to, below + line)}},
        .diagram = {},
        .flow = {},
    };
    if (diagram) layout.diagram = {{side_from, card_to + line}, {width, flow_from - (flow ? line : 0)}};
    if (flow) layout.flow = {{side_from, flow_from}, {width, height}};
    return layout;
}

}  // namespace headcount
