// Simulated colour vision and CIEDE2000; see the header.
#include "tests/app/ui/colour_vision.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headcount {
namespace {

constexpr double pi = 3.14159265358979323846;

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix without_long = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix without_middle = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix without_short = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
// Linear sRGB to CIE XYZ, whose white is D65 (IEC 61966-2-1).
constexpr Matrix to_xyz = {
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
constexpr Triple daylight = {0.95047, 1, 1.08883};

Triple product(const Matrix& matrix, const Triple& vector) {
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i) result[row] += matrix[row][i] * vector[i];
    return result;
}

constexpr std::array shifts = {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT};

Triple light_of(ImU32 colour) {
    Triple light{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = static_cast<double>(colour >> shifts[i] & 0xFFu) / 255;
        light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return light;
}

ImU32 with_light(ImU32 colour, const Triple& light) {
    ImU32 result = colour & IM_COL32_A_MASK;
    for (std::size_t i = 0; i < 3; ++i) {
        const double part = std::clamp(light[i], 0.0, 1.0);
        const double value = part <= 0.0031308 ? part * 12.92 : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
        result |= static_cast<ImU32>(std::lround(value * 255)) << shifts[i];
    }
    return result;
}

const Matrix& matrix_of(Vision vision) {
    switch (vision) {
        case Vision::protanopia: return without_long;
        case Vision::deuteranopia: return without_middle;
        case Vision::tritanopia: return without_short;
        case Vision::usual: break;
    }
    return same;
}

double radians(double degrees) { return degrees * pi / 180; }

double hue_of(double a, double b) {
    if (a == 0 && b == 0) return 0;
    const double hue = std::atan2(b, a) * 180 / pi;
    return hue < 0 ? hue + 360 : hue;
}

// How strongly chroma counts: little among greys, where 25 is the middle.
double seventh(double chroma) {
    const double power = std::pow(chroma, 7);
    return std::sqrt(power / (power + std::pow(25.0, 7)));
}

}  // namespace

ImU32 seen_with(Vision vision, ImU32 colour) {
    return with_light(colour, product(matrix_of(vision), light_of(colour)));
}

Lab lab_of(ImU32 colour) {
    Triple xyz = product(to_xyz, light_of(colour));
    for (std::size_t i = 0; i < 3; ++i) {
        const double part = xyz[i] / daylight[i];
        xyz[i] = part > 216.0 / 24389 ? std::cbrt(part) : (24389.0 / 27 * part + 16) / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double difference(const Lab& one, const Lab& other) {
    const double stretch = 1 + 0.5 * (1 - seventh((std::hypot(one.a, one.b) + std::hypot(other.a, other.b)) / 2));
    const double first_a = one.a * stretch, second_a = other.a * stretch;
    const double first_chroma = std::hypot(first_a, one.b), second_chroma = std::hypot(second_a, other.b);
    const double first_hue = hue_of(first_a, one.b), second_hue = hue_of(second_a, other.b);
    const bool grey = first_chroma * second_chroma == 0;

    double turn = grey ? 0 : second_hue - first_hue;  // the short way round
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    double hue = first_hue + second_hue;  // their mean, unless one is grey
    if (!grey) hue = std::abs(first_hue - second_hue) <= 180 ? hue / 2 : (hue < 360 ? hue + 360 : hue - 360) / 2;
    const double lightness = (one.lightness + other.lightness) / 2 - 50, chroma = (first_chroma + second_chroma) / 2;
    const double waves = 1 - 0.17 * std::cos(radians(hue - 30)) + 0.24 * std::cos(radians(2 * hue)) +
                         0.32 * std::cos(radians(3 * hue + 6)) - 0.20 * std::cos(radians(4 * hue - 63));

    const double by_lightness =
        (other.lightness - one.lightness) / (1 + 0.015 * lightness * lightness / std::sqrt(20 + lightness * lightness));
    const double by_chroma = (second_chroma - first_chroma) / (1 + 0.045 * chroma);
    const double by_hue =
        2 * std::sqrt(first_chroma * second_chroma) * std::sin(radians(turn / 2)) / (1 + 0.015 * chroma * waves);
    const double blue = (hue - 275) / 25;  // where chroma and hue pull together
    const double rotation = -2 * seventh(chroma) * std::sin(radians(60 * std::exp(-blue * blue)));
    return std::sqrt(by_lightness * by_lightness + by_chroma * by_chroma + by_hue * by_hue +
                     rotation * by_chroma * by_hue);
}

double difference(ImU32 one, ImU32 other) { return difference(lab_of(one), lab_of(other)); }

}  // namespace headcount
