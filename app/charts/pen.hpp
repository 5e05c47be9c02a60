// What a chart is drawn with: a handful of shapes that go to the screen, or into an SVG document.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

#include "app/ui/rich_text.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

class Pen {
  public:
    virtual ~Pen() = default;

    virtual void fill(ImVec2 min, ImVec2 max, ImU32 colour, float radius = 0) = 0;
    virtual void outline(ImVec2 min, ImVec2 max, ImU32 colour, float radius = 0, float width = 1) = 0;
    virtual void line(ImVec2 from, ImVec2 to, ImU32 colour, float width = 1) = 0;
    virtual void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float dash, float width = 1) = 0;
    virtual void strokes(std::span<const ImVec2> points, ImU32 colour, float width = 1) = 0;
    virtual void polygon(std::span<const ImVec2> points, ImU32 colour) = 0;  // convex
    virtual void circle(ImVec2 centre, float radius, ImU32 colour) = 0;
    virtual void ring(ImVec2 centre, float radius, ImU32 colour, float width = 1) = 0;
    // One line with its top at `at`; `scripts` reads underscores and carets.
    virtual void text(const Font& font, ImVec2 at, ImU32 colour, std::string_view text, bool scripts = false) = 0;

    // One line inside a box, its capitals centred between top and bottom, cut where it is too wide.
    void text_in(const Font& font, ImVec2 min, ImVec2 max, ImU32 colour, std::string_view text,
                 Align align = Align::left, bool scripts = false);
};

class ListPen final : public Pen {
  public:
    explicit ListPen(ImDrawList& list) : list_(list) {}

    void fill(ImVec2 min, ImVec2 max, ImU32 colour, float radius) override;
    void outline(ImVec2 min, ImVec2 max, ImU32 colour, float radius, float width) override;
    void line(ImVec2 from, ImVec2 to, ImU32 colour, float width) override;
    void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float dash, float width) override;
    void strokes(std::span<const ImVec2> points, ImU32 colour, float width) override;
    void polygon(std::span<const ImVec2> points, ImU32 colour) override;
    void circle(ImVec2 centre, float radius, ImU32 colour) override;
    void ring(ImVec2 centre, float radius, ImU32 colour, float width) override;
    void text(const Font& font, ImVec2 at, ImU32 colour, std::string_view text, bool scripts) override;

  private:
    ImDrawList& list_;
};

// The area between `min` and `max` of the screen as a document; what is hidden from a class is hidden in it, too.
class SvgPen final : public Pen {
  public:
    SvgPen(const Ui& ui, ImVec2 min, ImVec2 max, ImU32 ground);

    void fill(ImVec2 min, ImVec2 max, ImU32 colour, float radius) override;
    void outline(ImVec2 min, ImVec2 max, ImU32 colour, float radius, float width) override;
    void line(ImVec2 from, ImVec2 to, ImU32 colour, float width) override;
    void dashes(ImVec2 from, ImVec2 to, ImU32 colour, float dash, float width) override;
    void strokes(std::span<const ImVec2> points, ImU32 colour, float width) override;
    void polygon(std::span<const ImVec2> points, ImU32 colour) override;
    void circle(ImVec2 centre, float radius, ImU32 colour) override;
    void ring(ImVec2 centre, float radius, ImU32 colour, float width) override;
    void text(const Font& font, ImVec2 at, ImU32 colour, std::string_view text, bool scripts) override;

    std::string document(std::string_view title) const;

  private:
    double x(float value) const { return static_cast<double>(value - min_.x); }
    double y(float value) const { return static_cast<double>(value - min_.y); }

    const Ui& ui_;
    ImVec2 min_, max_;
    ImU32 ground_;
    std::string body_;
};

}  // namespace headcount
