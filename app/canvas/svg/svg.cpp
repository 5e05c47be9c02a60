// The order of an SVG document: ground, boxes and lines as they are drawn, words last.
#include "app/canvas/svg/svg.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/base/markup.hpp"
#include "core/base/scripts.hpp"
#include "core/base/svg_text.hpp"

namespace headcount {
namespace {

using svg::attribute;
using svg::paint;

// What a box of a thing may lie beside the thing itself, because it was moved to whole pixels.
constexpr float svg_slack = 1.01F;
// How far outside the area a drawing's boxes go on; what is cut there is compared as cut.
constexpr float margin = 64;

class Writer {
  public:
    Writer(const Drawing& drawing, const SvgLook& look)
        : drawing_(drawing), look_(look), middle_{drawing.area.width() / 2, drawing.area.height() / 2} {
        find_ids();
    }

    std::string document();

  private:
    void find_ids();
    bool shows(const Box& box, const Region& region) const;
    bool outside(const Box& box) const;
    std::string boxes(const Batch& batch) const;
    std::string lines(const Batch& batch) const;
    std::string stroke(std::span<const Line> chain) const;
    std::string label(const PlacedLabel& label) const;
    std::string labels() const;

    const Drawing& drawing_;
    const SvgLook& look_;
    Point middle_;                        // of the document: the origin of the drawing's plane
    std::vector<const Region*> regions_;  // for each box what it stands for, or null
};

bool Writer::shows(const Box& box, const Region& region) const {
    const Point target = drawing_.area.centre();
    const auto near = [](float edge, float wanted, float half) {
        return std::abs(edge - std::clamp(wanted, -half - margin, half + margin)) < svg_slack;
    };
    return near(box.min_x, region.rect.min.x - target.x, middle_.x) &&
           near(box.max_x, region.rect.max.x - target.x, middle_.x) &&
           near(box.min_y, region.rect.min.y - target.y, middle_.y) &&
           near(box.max_y, region.rect.max.y - target.y, middle_.y);
}

// Regions are recorded in the order in which their boxes are drawn. A thing's boxes follow each other and are as large
// as it is.
void Writer::find_ids() {
    const std::vector<Box>& boxes = drawing_.boxes;
    regions_.assign(boxes.size(), nullptr);
    std::size_t from = 0;
    for (const Region& region : drawing_.regions) {
        std::size_t i = from;
        while (i < boxes.size() && !shows(boxes[i], region)) ++i;
        if (i == boxes.size()) continue;
        while (i < boxes.size() && shows(boxes[i], region)) regions_[i++] = &region;
        from = i;
    }
}

bool Writer::outside(const Box& box) const {
    return box.max_x <= -middle_.x || box.min_x >= middle_.x || box.max_y <= -middle_.y || box.min_y >= middle_.y;
}

std::string Writer::boxes(const Batch& batch) const {
    std::string text;
    const Region* open = nullptr;
    for (std::size_t i = batch.first; i < batch.first + batch.count; ++i) {
        if (outside(drawing_.boxes[i])) continue;
        const std::string shapes = svg::box(drawing_.boxes[i], drawing_, middle_);
        if (shapes.empty()) continue;
        if (regions_[i] != open) {
            if (open) text += "</g>\n";
            open = regions_[i];
            if (open) text += "<g" + attribute("data-id", open->id) + ">\n";
        }
        text += shapes;
    }
    if (open) text += "</g>\n";
    return text;
}

// Strokes that go on where the one before ended are one path, so that what shines through is not doubled at corners.
std::string Writer::stroke(std::span<const Line> chain) const {
    const Line& first = chain.front();
    const Line& last = chain.back();
    const auto x = [&](float value) { return static_cast<double>(value + middle_.x); };
    const auto y = [&](float value) { return static_cast<double>(value + middle_.y); };
    svg::Path path;
    path.move(x(first.from_x), y(first.from_y));
    for (const Line& line : chain.first(chain.size() - 1)) path.line(x(line.to_x), y(line.to_y));
    const double dx = static_cast<double>(last.to_x - last.from_x), dy = static_cast<double>(last.to_y - last.from_y);
    const double length = std::hypot(dx, dy), head = static_cast<double>(last.arrow);
    const double along_x = length > 0 ? dx / length : 1, along_y = length > 0 ? dy / length : 0;
    const double tip_x = x(last.to_x), tip_y = y(last.to_y);
    // Under a head the stroke ends before it would stick out at the tip.
    const double back = std::min(0.75 * head, length);
    path.line(tip_x - along_x * back, tip_y - along_y * back);
    const Rgba ink = first.colour | 0xFF000000U;
    const bool through = svg::alpha(first.colour) < 0xFF;
    const std::string opacity = through ? attribute("opacity", svg::alpha(first.colour) / 255.0) : "";
    std::string text =
        path.element(attribute("fill", "none") + paint("stroke", ink) +
                     attribute("stroke-width", static_cast<double>(first.width)) + (head > 0 ? "" : opacity));
    if (head <= 0) return text;
    const double foot_x = tip_x - along_x * head, foot_y = tip_y - along_y * head, half = 0.55 * head;
    svg::Path arrow;
    arrow.move(tip_x, tip_y).line(foot_x - along_y * half, foot_y + along_x * half);
    arrow.line(foot_x + along_y * half, foot_y - along_x * half).close();
    text += arrow.element(paint("fill", ink));
    return through ? "<g" + opacity + ">\n" + text + "</g>\n" : text;
}

std::string Writer::lines(const Batch& batch) const {
    const std::span<const Line> all(drawing_.lines.data() + batch.first, batch.count);
    std::string text = "<g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n";
    for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
        const auto goes_on = [&](const Line& from, const Line& to) {
            return from.arrow <= 0 && from.to_x == to.from_x && from.to_y == to.from_y && from.width == to.width &&
                   from.colour == to.colour;
        };
        for (next = i + 1; next < all.size() && goes_on(all[next - 1], all[next]); ++next) continue;
        if (svg::alpha(all[i].colour) > 0) text += stroke(all.subspan(i, next - i));
    }
    return text + "</g>\n";
}

std::string Writer::label(const PlacedLabel& label) const {
    const SvgFont& font = look_.fonts[static_cast<std::size_t>(label.role)];
    const auto em = static_cast<double>(font.size);
    std::string text;
    if (label.ground != 0)
        text = svg::rect({static_cast<double>(label.at.x - drawing_.area.min.x) - 2,
                          static_cast<double>(label.at.y - drawing_.area.min.y), static_cast<double>(label.width) + 4,
                          static_cast<double>(label.height)},
                         0, paint("fill", label.ground));
    text += "<text" + attribute("x", static_cast<double>(label.at.x - drawing_.area.min.x)) +
            attribute("y", static_cast<double>(label.at.y - drawing_.area.min.y + font.ascent)) +
            attribute("textLength", static_cast<double>(label.width)) + paint("fill", label.colour);
    if (!label.id.empty()) text += attribute("data-id", label.id);
    text += ">";
    if (label.role != TextRole::name || !has_scripts(label.text)) return text + html_text(label.text) + "</text>\n";
    return text + svg::with_scripts(label.text, em) + "</text>\n";
}

std::string Writer::labels() const {
    std::string text;
    const PlacedLabel* open = nullptr;
    for (const PlacedLabel& each : drawing_.labels) {
        if (svg::alpha(each.colour) == 0) continue;
        if (!open || open->role != each.role) {
            const SvgFont& font = look_.fonts[static_cast<std::size_t>(each.role)];
            if (open) text += "</g>\n";
            text += "<g" + attribute("font-family", font.families) +
                    attribute("font-size", static_cast<double>(font.size)) +
                    (font.weight == 400 ? "" : attribute("font-weight", font.weight)) +
                    attribute("xml:space", "preserve") + ">\n";
            open = &each;
        }
        text += label(each);
    }
    return open ? text + "</g>\n" : text;
}

std::string Writer::document() {
    std::string text;
    for (const Batch& batch : drawing_.batches) text += batch.kind == Batch::Kind::boxes ? boxes(batch) : lines(batch);
    const svg::Page page{static_cast<double>(drawing_.area.width()), static_cast<double>(drawing_.area.height()),
                         look_.title, look_.description, look_.ground};
    return svg::document(page, text + labels());
}

}  // namespace

std::string svg_of(const Drawing& drawing, const SvgLook& look) { return Writer(drawing, look).document(); }

}  // namespace headcount
