// SVG documents read back for their tests, and drawings to make them of.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "app/canvas/draw/compose.hpp"
#include "app/canvas/svg/svg.hpp"
#include "core/base/svg_text.hpp"

namespace headcount::svg_stage {

inline constexpr Rgba red = 0xFF0000FF, green = 0xFF00FF00, blue = 0xFFFF0000;

// An element of a document, with what is inside it.
struct Element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // with that of its children
    std::vector<Element> children;

    // All elements of this name below.
    std::vector<const Element*> all(std::string_view wanted) const {
        std::vector<const Element*> found;
        for (const Element& child : children) {
            if (child.name == wanted) found.push_back(&child);
            for (const Element* deeper : child.all(wanted)) found.push_back(deeper);
        }
        return found;
    }
    double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

// As much of XML as a document of ours has; anything else is a failure.
class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Element document() {
        EXPECT_TRUE(take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
        Element root = element();
        skip_space();
        EXPECT_EQ(at_, text_.size()) << "nothing follows the root";
        return root;
    }

  private:
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    void skip_space() { at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size()); }
    std::string until(std::string_view stops) {
        const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
        const std::string_view raw = text_.substr(at_, end - at_);
        at_ = end;
        return plain(raw);
    }
    static std::string plain(std::string_view raw) {
        std::string out;
        for (std::size_t i = 0; i < raw.size();) {
            const std::size_t before = i;
            const std::pair<std::string_view, char> entities[] = {
                {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
            for (const auto& [entity, meant] : entities)
                if (raw.substr(i).starts_with(entity)) {
                    out += meant;
                    i += entity.size();
                }
            if (i != before) continue;
            EXPECT_NE(raw[i], '&') << raw;
            EXPECT_NE(raw[i], '>') << raw;
            out += raw[i++];
        }
        return out;
    }
    Element element() {
        Element made;
        EXPECT_TRUE(take("<")) << text_.substr(at_, 40);
        made.name = until(" />");
        while (take(" ")) {
            const std::string name = until("=");
            EXPECT_TRUE(take("=\""));
            EXPECT_TRUE(made.attributes.emplace(name, until("\"<")).second) << name << " is given twice";
            EXPECT_TRUE(take("\"")) << text_.substr(at_, 40);
        }
        if (take("/>")) return made;
        EXPECT_TRUE(take(">"));
        while (!text_.substr(at_).starts_with("</") && at_ < text_.size()) {
            if (take("<!--")) {
                at_ = text_.find("-->", at_) + 3;
            } else if (text_.substr(at_).starts_with("<")) {
                made.children.push_back(element());
                made.text += made.children.back().text;
            } else {
                made.text += until("<");
            }
        }
        EXPECT_TRUE(take("</" + made.name + ">")) << made.name << " is not closed";
        return made;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

inline Element parsed(const std::string& svg) { return Parser(svg).document(); }

inline SvgLook plain_look() {
    SvgLook look{.title = "A title", .description = "What it shows.", .ground = 0xFF140E0A, .fonts = {}};
    look.fonts.fill({.families = "Inter, sans-serif", .size = 10, .weight = 400, .ascent = 8});
    look.fonts[static_cast<std::size_t>(TextRole::name)].weight = 600;
    return look;
}

// 200 by 100 pixels, anywhere on the screen.
inline Drawing empty_drawing() {
    Drawing drawing;
    drawing.area = {{300, 50}, {500, 150}};
    return drawing;
}

inline Element drawn(const Drawing& drawing) { return parsed(svg_of(drawing, plain_look())); }

inline Element drawn(const Box& box) {
    Drawing drawing = empty_drawing();
    drawing.add(box);
    return drawn(drawing);
}

// Shapes of the drawing, without the clip and the ground.
inline std::vector<const Element*> rects(const Element& root) {
    std::vector<const Element*> all = root.all("rect");
    EXPECT_GE(all.size(), 2U);
    return {all.begin() + 2, all.end()};
}

inline std::size_t count_of(std::string_view text, char letter) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter));
}

inline PlacedLabel label(std::string text, TextRole role = TextRole::number) {
    return {.at = {310, 60},
            .width = 42.5F,
            .height = 16,
            .role = role,
            .colour = red,
            .text = std::move(text),
            .id = "logits"};
}

}  // namespace headcount::svg_stage
