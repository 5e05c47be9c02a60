// Ticks, their labels, and the drawing of a pair of axes.
#include "app/charts/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace headcount {
namespace {

constexpr int most_ticks = 200;  // whatever is asked for

struct Scale {
    double factor = 1;
    const char* suffix = "";
};

Scale largest_below(std::initializer_list<Scale> scales, double value) {
    Scale best = *scales.begin();
    for (const Scale& scale : scales)
        if (value >= scale.factor * 0.9999) best = scale;
    return best;
}

// In which unit a value of this size is written.
Scale scale_of(double value, AxisUnit unit) {
    constexpr double ki = 1024;
    switch (unit) {
        case AxisUnit::plain: break;
        case AxisUnit::count:
            return largest_below({{1, ""}, {1e3, " K"}, {1e6, " M"}, {1e9, " B"}, {1e12, " T"}}, value);
        case AxisUnit::bytes:
            return largest_below({{1, " B"},
                                  {ki, " KiB"},
                                  {ki * ki, " MiB"},
                                  {ki * ki * ki, " GiB"},
                                  {ki * ki * ki * ki, " TiB"},
                                  {ki * ki * ki * ki * ki, " PiB"}},
                                 value);
        case AxisUnit::flop:
            return largest_below({{1, " FLOP"},
                                  {1e3, " kFLOP"},
                                  {1e6, " MFLOP"},
                                  {1e9, " GFLOP"},
                                  {1e12, " TFLOP"},
                                  {1e15, " PFLOP"},
                                  {1e18, " EFLOP"}},
                                 value);
        case AxisUnit::seconds: return largest_below({{1e-9, " ns"}, {1e-6, " µs"}, {1e-3, " ms"}, {1, " s"}}, value);
        case AxisUnit::percent: return {1, " %"};
    }
    return {};
}

std::string written(double number, int decimals, const char* suffix) {
    std::array<char, 340> text{};
    std::snprintf(text.data(), text.size(), "%.*f%s", decimals, number, suffix);
    return text[0] == '-' && std::abs(number) < 1e-9 ? text.data() + 1 : text.data();
}

// How many decimals show a step of this size exactly, at most three.
int decimals_of(double step) {
    int decimals = 0;
    for (double scaled = step; decimals < 3 && std::abs(scaled - std::round(scaled)) > 1e-6; scaled *= 10) ++decimals;
    return decimals;
}

// At least `raw`: 1, 2 or 5 times a power of ten, or a power of two.
double round_step(double raw, AxisUnit unit) {
    if (unit == AxisUnit::bytes) return std::max(1.0, std::exp2(std::ceil(std::log2(raw) - 1e-9)));
    const double base = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (base * factor >= raw * 0.999999) return base * factor;
    return base * 10;
}

std::vector<Tick> linear_ticks(const Axis& axis, int wanted) {
    std::vector<Tick> ticks;
    double step = round_step((axis.to - axis.from) / wanted, axis.unit);
    // What has no unit is whole: years, layers.
    if (axis.unit == AxisUnit::plain && axis.to - axis.from >= 2) step = std::max(step, 1.0);
    const double largest = std::max(std::abs(axis.from), std::abs(axis.to));
    if (!(step > 0) || !std::isfinite(step) || largest / step > 1e12) return ticks;
    const Scale scale = scale_of(largest, axis.unit);
    const int decimals = decimals_of(step / scale.factor);
    for (double i = std::ceil(axis.from / step - 1e-9); i * step <= axis.to + step * 1e-9; ++i) {
        if (ticks.size() == most_ticks) break;
        const double value = std::clamp(i * step, axis.from, axis.to);
        const std::string label = i == 0 ? "0" : written(value / scale.factor, decimals, scale.suffix);
        ticks.push_back({value, axis.position(value), label});
    }
    return ticks;
}

// Whole powers of the base, every nth with words; where there are few, 2 and 5 times them, too.
std::vector<Tick> logarithmic_ticks(const Axis& axis, int wanted) {
    const double base = axis.unit == AxisUnit::bytes ? 2 : 10;
    const double first = std::floor(std::log(axis.from) / std::log(base) + 1e-9);
    const double last = std::ceil(std::log(axis.to) / std::log(base) - 1e-9);
    const int every = std::max(1, static_cast<int>(std::ceil((last - first) / wanted)));
    const bool fives = base == 10 && (last - first) * 3 <= wanted + 2;
    std::vector<Tick> ticks;
    for (double power = first; power <= last && ticks.size() < most_ticks; ++power)
        for (int factor = 1; factor < static_cast<int>(base); ++factor) {
            const double value = factor * std::pow(base, power);
            if (value < axis.from * (1 - 1e-9) || value > axis.to * (1 + 1e-9)) continue;
            const bool whole = factor == 1 && std::fmod(std::abs(power), every) == 0;
            const bool labelled = whole || (fives && (factor == 2 || factor == 5));
            ticks.push_back({value, axis.position(value), labelled ? axis_label(value, axis.unit) : std::string()});
        }
    return ticks;
}

bool labelled(const std::vector<Tick>& ticks, int least) {
    return std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.label.empty(); }) >= least;
}

constexpr int most_finer = 12;
constexpr float tick_gap = 8, label_line = 16, title_line = 20;  // unscaled

// No two labels touch; a label that would is dropped.
bool labels_touch(const Ui& ui, const std::vector<Tick>& ticks, float length, bool tall) {
    float end = -1e9F;
    for (const Tick& tick : ticks) {
        if (tick.label.empty()) continue;
        const float half = (tall ? ui.px(label_line) : text_width(ui.fonts.mono_caption, tick.label) + ui.px(12)) / 2;
        const float at = static_cast<float>(tick.position) * length;
        if (at - half < end) return true;
        end = at + half;
    }
    return false;
}

float widest_label(const Ui& ui, const std::vector<Tick>& ticks) {
    float widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(ui.fonts.mono_caption, tick.label));
    return widest;
}

// The area inside of two axes.
ChartArea inside_axes(const Ui& ui, const ChartArea& area, const Axis& x, const Axis& y) {
    const float top = area.min.y + ui.px(y.title.empty() ? 8 : title_line + 4);
    const float bottom = area.max.y - ui.px(label_line + tick_gap / 2 + (x.title.empty() ? 0 : title_line));
    const float left = widest_label(ui, fitting_ticks(ui, y, std::max(1.0F, bottom - top), true)) + ui.px(tick_gap);
    const float right = area.max.x - ui.px(16);
    return {{std::round(area.min.x + left), std::round(top)},
            {std::max(std::round(right), std::round(area.min.x + left) + 1), std::max(std::round(bottom), top + 1)}};
}

}  // namespace

double Axis::position(double value) const {
    if (!logarithmic) return (value - from) / (to - from);
    if (value <= 0) return -1;
    return std::log(value / from) / std::log(to / from);
}

Axis axis_over(const std::vector<double>& values, bool logarithmic, AxisUnit unit, std::string title) {
    Axis axis{0, 1, logarithmic, unit, std::move(title)};
    double least = 0, most = 0;
    bool any = false;
    for (const double value : values) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
        least = any ? std::min(least, value) : value;
        most = any ? std::max(most, value) : value;
        any = true;
    }
    if (logarithmic) {
        const double room = any ? std::max(std::pow(most / least, 0.05), 1.2) : 1;
        axis.from = any ? least / room : 1;
        axis.to = any ? most * room : 10;
        return axis;
    }
    if (!any) return axis;
    const double width = most - least;
    const bool narrow = least > 0 && width < 0.25 * most;
    const double room = width > 0 ? 0.06 * width : std::max(std::abs(most) * 0.1, 1.0);
    axis.from = least >= 0 && !narrow ? 0 : least - room;
    axis.to = most <= 0 && least < 0 ? 0 : most + room;
    if (least >= 0 && axis.from < 0) axis.from = 0;
    return axis;
}

std::string axis_label(double value, AxisUnit unit) {
    if (value == 0) return "0";
    const Scale scale = scale_of(std::abs(value), unit);
    const double number = value / scale.factor, size = std::abs(number);
    if (size < 0.01 && unit != AxisUnit::bytes) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.3g%s", number, scale.suffix);
        return text.data();
    }
    const int most = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    const double rounded = std::round(number * std::pow(10, most)) / std::pow(10, most);
    return written(rounded, std::min(most, decimals_of(std::abs(rounded))), scale.suffix);
}

std::vector<Tick> axis_ticks(const Axis& axis, int wanted) {
    wanted = std::clamp(wanted, 1, 50);
    const bool sound = std::isfinite(axis.from) && std::isfinite(axis.to) && axis.from < axis.to;
    if (!sound || (axis.logarithmic && axis.from <= 0)) return {};
    if (axis.logarithmic)
        if (std::vector<Tick> ticks = logarithmic_ticks(axis, wanted); labelled(ticks, 2)) return ticks;
    return linear_ticks(axis, wanted);
}

std::vector<Tick> fitting_ticks(const Ui& ui, const Axis& axis, float length, bool tall) {
    const float room = ui.px(tall ? 44.0F : 64.0F);
    std::vector<Tick> ticks;
    for (int wanted = std::max(1, static_cast<int>(length / room)); wanted >= 1; --wanted) {
        ticks = axis_ticks(axis, wanted);
        if (labels_touch(ui, ticks, length, tall)) continue;
        // One label or two say little of an axis that does not begin at 0: finer ones, where they have room.
        for (int finer = wanted + 1; finer <= most_finer && !labelled(ticks, 3); ++finer) {
            std::vector<Tick> more = axis_ticks(axis, finer);
            if (labels_touch(ui, more, length, tall)) break;
            ticks = std::move(more);
        }
        return ticks;
    }
    float end = -1e9F;
    for (Tick& tick : ticks) {
        const float half = (tall ? ui.px(label_line) : text_width(ui.fonts.mono_caption, tick.label) + ui.px(12)) / 2;
        const float at = static_cast<float>(tick.position) * length;
        if (at - half < end)
            tick.label.clear();
        else if (!tick.label.empty())
            end = at + half;
    }
    return ticks;
}

void draw_axes(const Ui& ui, Pen& pen, const ChartArea& inside, const Axis& x, const Axis& y) {
    const float width = inside.max.x - inside.min.x, height = inside.max.y - inside.min.y;
    const Font& font = ui.fonts.mono_caption;
    for (const Tick& tick : fitting_ticks(ui, y, height, true)) {
        const float at = std::round(inside.max.y - static_cast<float>(tick.position) * height);
        if (tick.label.empty()) continue;
        pen.line({inside.min.x, at}, {inside.max.x, at}, ui.theme.line);
        pen.text_in(font, {inside.min.x - ui.px(200), at - ui.px(8)}, {inside.min.x - ui.px(tick_gap), at + ui.px(8)},
                    ui.theme.text_low, tick.label, Align::right);
    }
    std::optional<Aside> aside;
    if (x.given) aside.emplace();
    for (const Tick& tick : fitting_ticks(ui, x, width, false)) {
        const float at = std::round(inside.min.x + static_cast<float>(tick.position) * width);
        pen.line({at, inside.max.y}, {at, inside.max.y + ui.px(tick.label.empty() ? 3 : 4)}, ui.theme.strong_line);
        if (tick.label.empty()) continue;
        pen.line({at, inside.min.y}, {at, inside.max.y}, ui.theme.line);
        pen.text_in(font, {at - ui.px(100), inside.max.y + ui.px(4)},
                    {at + ui.px(100), inside.max.y + ui.px(4 + label_line)}, ui.theme.text_low, tick.label,
                    Align::centre);
    }
    aside.reset();
    pen.line({inside.min.x, inside.max.y}, inside.max, ui.theme.strong_line);
    pen.line(inside.min, {inside.min.x, inside.max.y}, ui.theme.strong_line);
    if (!y.title.empty())
        pen.text_in(ui.fonts.caption, {inside.min.x, inside.min.y - ui.px(title_line + 4)},
                    {inside.max.x, inside.min.y - ui.px(4)}, ui.theme.text_mid, y.title, Align::left);
    const float below = inside.max.y + ui.px(4 + label_line);
    if (!x.title.empty())
        pen.text_in(ui.fonts.caption, {inside.min.x, below}, {inside.max.x, below + ui.px(title_line)},
                    ui.theme.text_mid, x.title, Align::right);
}

ImVec2 point_of(const ChartArea& inside, const Axis& x, const Axis& y, double at_x, double at_y) {
    const auto clamped = [](double position) { return static_cast<float>(std::clamp(position, -10.0, 11.0)); };
    return {inside.min.x + clamped(x.position(at_x)) * (inside.max.x - inside.min.x),
            inside.max.y - clamped(y.position(at_y)) * (inside.max.y - inside.min.y)};
}

AxisChart open_axis_chart(const Ui& ui, const Axis& x, const Axis& y, std::span<const ChartSeries> series,
                          float height) {
    AxisChart chart{.area = area_here(std::round(ui.px(height))), .inside = {}, .legend = series.size() > 1};
    const float width = chart.area.max.x - chart.area.min.x;
    if (chart.legend) chart.foot = draw_chart_legend(ui, nullptr, series, {0, 0}, width) + ui.px(4);
    chart.inside = inside_axes(ui, {chart.area.min, {chart.area.max.x, chart.area.max.y - chart.foot}}, x, y);
    return chart;
}

void draw_axis_legend(const Ui& ui, Pen& pen, const AxisChart& chart, std::span<const ChartSeries> series) {
    if (!chart.legend) return;
    const ImVec2 min(chart.area.min.x, chart.area.max.y - chart.foot + ui.px(4));
    draw_chart_legend(ui, &pen, series, min, chart.area.max.x - chart.area.min.x);
}

std::string column_title(const Axis& axis, std::string_view otherwise) {
    return axis.title.empty() ? std::string(otherwise) : axis.title;
}

}  // namespace headcount
