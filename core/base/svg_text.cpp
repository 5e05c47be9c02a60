// Numbers, colours and foreign text as SVG has them.
#include "core/base/svg_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/base/markup.hpp"
#include "core/base/scripts.hpp"

namespace headcount::svg {
std::string number(double value) {
    if (!std::isfinite(value)) return "0";
    std::array<char, 400> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 2);
    std::string text(digits.data(), end.ptr);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + html_text(value) + "\"";
}

std::string attribute(std::string_view name, double value) { return attribute(name, number(value)); }

std::string paint(std::string_view name, std::uint32_t colour) {
    if (alpha(colour) == 0) return attribute(name, "none");
    std::array<char, 8> hex{};
    std::snprintf(hex.data(), hex.size(), "#%02x%02x%02x", colour & 0xFFU, colour >> 8U & 0xFFU, colour >> 16U & 0xFFU);
    std::string text = attribute(name, hex.data());
    if (alpha(colour) < 0xFF) text += attribute(std::string(name) + "-opacity", alpha(colour) / 255.0);
    return text;
}

Path& Path::add(char letter, std::initializer_list<double> numbers) {
    letters_ += letter;
    bool first = true;
    for (const double value : numbers) {
        if (!first) letters_ += ' ';
        letters_ += number(value);
        first = false;
    }
    return *this;
}

std::string Path::element(std::string_view attributes) const {
    return "<path d=\"" + letters_ + "\"" + std::string(attributes) + "/>\n";
}

std::string rect(const Extent& extent, double radius, std::string_view attributes) {
    std::string text = "<rect" + attribute("x", extent.x) + attribute("y", extent.y) +
                       attribute("width", extent.width) + attribute("height", extent.height);
    if (radius > 0) text += attribute("rx", radius);
    return text + std::string(attributes) + "/>\n";
}

std::string with_scripts(std::string_view text, double em) {
    std::string out;
    double shift = 0;  // of the baseline: each part's is given from that of the part before
    for_each_script(text, [&](std::string_view part, Script script) {
        const double wanted =
            script == Script::none ? 0 : em * static_cast<double>(script == Script::lowered ? script_down : -script_up);
        std::string look;
        if (wanted != shift) look += attribute("dy", wanted - shift);
        if (script != Script::none) look += attribute("font-size", em * static_cast<double>(script_part));
        shift = wanted;
        out += look.empty() ? html_text(part) : "<tspan" + look + ">" + html_text(part) + "</tspan>";
    });
    return out;
}

std::string document(const Page& page, std::string_view body) {
    const std::string width = number(page.width), height = number(page.height);
    const std::string extent = attribute("width", width) + attribute("height", height);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" + extent +
           attribute("viewBox", "0 0 " + width + " " + height) + attribute("role", "img") + ">\n" + "<title>" +
           html_text(page.title) + "</title>\n<desc>" + html_text(page.description) +
           "</desc>\n<clipPath id=\"headcount-area\"><rect" + extent + "/></clipPath>\n<rect" + extent +
           paint("fill", page.ground) + "/>\n<g clip-path=\"url(#headcount-area)\">\n" + std::string(body) +
           "</g>\n</svg>\n";
}

}  // namespace headcount::svg
