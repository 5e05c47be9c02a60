// Tab bars and the breadcrumb.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

// Underlined words, as above the bottom table. Left and right arrows move along them. Records name.<index>;
// the last item is all of them.
std::optional<int> tab_bar(const Ui& ui, std::string_view name, std::span<const std::string_view> tabs, int current);

struct TabBoxResult {
    std::optional<int> chosen = {}, hovered = {};
};
// The views in the top bar: words in one bordered box, `padding` beside each. `tab_box_width` says how wide it will be,
// for centring.
TabBoxResult tab_box(const Ui& ui, std::string_view name, std::span<const std::string_view> tabs, int current,
                     float padding = 16);
float tab_box_width(const Ui& ui, std::span<const std::string_view> tabs, float padding = 16);

// "Model > Layer 0 > Attention": the last one bold. Returns the index pressed.
std::optional<int> breadcrumb(const Ui& ui, std::string_view name, std::span<const std::string_view> places);

}  // namespace headcount
