// How the Compare view is looked at, and what it asks for: another model B, the sides swapped, a field copied across.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/arch/fields.hpp"
#include "core/files/document.hpp"

namespace headcount {

// How the difference is split.
enum class CompareSplit { component, kind, field };
enum class CompareTab { changed, all, activations, memory, compute, numbers };
// What has the room where there is not enough for all: what stands around the pictures takes their place.
enum class CompareShows { pictures, chart, tables };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 3> compare_split_keys{"component", "kind", "field"};
inline constexpr std::array<std::string_view, 6> compare_tab_keys{"changed", "all",     "activations",
                                                                  "memory",  "compute", "numbers"};
inline constexpr std::array<std::string_view, 3> compare_shows_keys{"pictures", "chart", "tables"};

enum class CompareSide { a, b };

struct ComparePlace {
    CompareSplit split = CompareSplit::component;
    CompareTab tab = CompareTab::changed;
    CompareShows shows = CompareShows::pictures;

    bool operator==(const ComparePlace&) const = default;
};

struct CompareWithPreset {
    std::string id;
};
struct CompareWithFile {
    std::string path;  // whatever the command line takes for ARCH
};
struct CompareWithUsual {};  // nothing is chosen any more
struct PinThis {};           // B becomes what A is now, so that further edits are compared with it
struct SwapSides {};
struct CopyField {  // to this side from the other
    Field field;
    CompareSide to;
};
struct ReplaceOther {  // B as Replace does A
    Architecture architecture;
    std::optional<Field> edited;
    bool settled = true;
    unsigned run = 0;
};
struct SplitBy {
    CompareSplit split;
};
struct ShowCompareTab {
    CompareTab tab;
};
struct ShowInCompare {
    CompareShows shows;
};
struct TakeNumbers {};  // that have been found since: how far weights are apart, and those of B's run

using CompareIntent = std::variant<CompareWithPreset, CompareWithFile, CompareWithUsual, PinThis, SwapSides, CopyField,
                                   ReplaceOther, SplitBy, ShowCompareTab, ShowInCompare, TakeNumbers>;

}  // namespace headcount
