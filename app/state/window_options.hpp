// What the command line asks of the window and of `render`: the words between app/cli, which reads them, and app/shell.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/state/link.hpp"
#include "app/state/shown.hpp"
#include "app/state/view.hpp"
#include "core/files/document.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct PictureSize {
    int width = 1600, height = 1000;  // in pixels, each from smallest_picture to largest_picture

    bool operator==(const PictureSize&) const = default;
};
inline constexpr int smallest_picture = 320;
inline constexpr int largest_picture = 8192;

// What is absent is as the program was left the last time.
struct WindowOptions {
    std::optional<Document> document;   // opened by name, with its --set applied
    std::optional<ReadLink> link = {};  // that named it
    std::string opens = {};             // a file or folder that is no model, as if dropped on the window; empty: none
    std::optional<ThemeChoice> theme;
    std::optional<PictureSize> size;
    std::string view = {};                            // empty: the one that was left
    WhatIfTab what_if = WhatIfTab::sweep;             // of the What-if view
    std::optional<CompareTab> compare = {};           // of the Compare view; absent: the one that was left
    bool welcome = false;                             // the card of the first minute, whether or not it was seen
    std::string tour;                                 // an id or a file: it starts with the window; empty: none
    std::optional<std::filesystem::path> screenshot;  // draw, write this picture, end
    std::optional<std::filesystem::path> report_ui;   // write rectangles, totals and selection here when they change

    bool operator==(const WindowOptions&) const = default;
};

// A worksheet as a picture shows it; nothing: the first, unanswered.
struct OpenedSheet {
    std::string worksheet;                     // an id or a path
    std::optional<std::uint64_t> seed;         // of the numbers that were answered
    std::size_t question = 0;                  // from 0
    std::map<std::string, std::string> given;  // by blank

    bool operator==(const OpenedSheet&) const = default;
};

// Whether what moves can be a GIF: this build was made with giflib.
bool writes_gif();

enum class PictureFormat { png, svg };  // the whole view; the diagram alone

struct RenderOptions {
    Document document;
    std::vector<Preset> presets;             // that ship, as read to find it; empty: not yet
    std::optional<ReadLink> link = {};       // that named it; what else is said here goes before it
    CostsPlace costs;                        // how it is run
    std::string view{explore_view};          // empty: what the link's tour shows
    WhatIfTab what_if = WhatIfTab::sweep;    // of the What-if view
    std::optional<CompareTab> compare = {};  // of the Compare view
    ThemeChoice theme = ThemeChoice::dark;
    PictureSize size;
    float scale = 1;         // of the interface
    Subject selection;       // nothing: the view's own choice
    Place at;                // where on the canvas
    bool on_canvas = false;  // a place there was named, the whole model too
    bool tilted = false, log_sides = false;
    bool present = false;  // as it is shown to a class
    bool welcome = false;  // with the card of the first minute
    std::string tour;      // a step of this tour, an id or a file; empty: none
    std::size_t step = 0;  // from 0
    ClaimPlace claim;      // of the Claims view; nothing: the first
    OpenedSheet sheet;     // of the Worksheet view
    std::string against;   // of the Run view: somebody else's activations; empty: none
    std::filesystem::path output;
    PictureFormat format = PictureFormat::png;
    Slide slide;                   // what of the view, and how fine
    std::filesystem::path frames;  // a folder for pictures of what moves; empty: none

    // Whether what moves is asked for: a tour from its step on, the way to `at`, or the words of a run.
    bool moves() const { return !frames.empty(); }

    bool operator==(const RenderOptions&) const = default;
};

}  // namespace headcount
