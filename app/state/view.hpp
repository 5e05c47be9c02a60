// How the window is looked at, whichever model it shows: view, tabs, theme. Never part of undo.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/state/claims/place.hpp"
#include "app/state/compare/place.hpp"
#include "app/state/costs/place.hpp"
#include "app/state/notice.hpp"
#include "app/state/run/place.hpp"
#include "app/state/subject.hpp"
#include "app/state/train/place.hpp"
#include "app/state/what_if/place.hpp"

namespace headcount {

// Views that others speak of, by their words in saved documents, for tests and `--view`. app/views/views.cpp lists all.
inline constexpr std::string_view explore_view = "explore", compare_view = "compare", costs_view = "costs",
                                  what_if_view = "what-if", run_view = "run", train_view = "train",
                                  worksheet_view = "worksheet", claims_view = "claims";

// A place in the manual: the page of the view on the screen, or an address in `docs`, "models#files".
struct PageOfView {
    bool operator==(const PageOfView&) const = default;
};
using ManualPlace = std::variant<PageOfView, std::string>;
inline constexpr std::string_view keys_page = "keys";  // the address of the page that the program draws itself

enum class ThemeChoice { dark, light };
inline constexpr std::array<std::string_view, 2> theme_keys{"dark", "light"};
enum class BottomTab { activations, head, tensors, memory, compute, weights };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 6> bottom_tab_keys{"activations", "head",    "tensors",
                                                                 "memory",      "compute", "weights"};

// As what the breakdown shows the parameters.
enum class BreakdownChart { donut, treemap, bars };
// In the same order: in saved documents and for tests.
inline constexpr std::array<std::string_view, 3> breakdown_chart_keys{"donut", "treemap", "bars"};

// What the file dialog is open for.
enum class FileTask {
    open,
    open_other,  // as the model to compare with
    against,     // somebody else's activations
    open_class,  // the answers of a class: a folder, or a file
    open_text,   // to train on
    save,
    tour,  // that was recorded
    config,
    csv,
    json,
    markdown,
    equations_tex,
    equations_markdown,
    svg,
    png,
    diagram_png,
    frames,   // of what moves: a folder
    gif,      // the same as one file
    trained,  // of the Train view: a folder
    // of a chart
    chart_csv,
    chart_svg,
    chart_png,
    // of a worksheet
    sheet_html,
    key_html,
    sheet_markdown,
    moodle,
    qti,
    scorm,
    answers_csv,
    answers_json,
    answers_markdown,
    class_csv
};

// Where the window was on the screen, as the system counts: in pixels or in lengths.
struct WindowPlace {
    std::optional<std::array<int, 2>> corner = {};  // of what is drawn, without the frame; some systems do not tell
    std::optional<std::array<int, 2>> size = {};    // while it is not maximised
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

// A picture of a part of the window.
struct Slide {
    enum class Of { window, diagram, chart } of = Of::window;
    unsigned chart = 0;  // ImGui's ID of the chart's menu
    int pixels = 1;      // of the picture, for each of the screen along a side; drawn anew as fine as that
    bool ground = true;  // else what lies behind the picture is seen through it
    bool crop = false;   // of the diagram no more than the place that one is at
    bool moves = false;  // frames of what moves, in a folder of their own

    bool operator==(const Slide&) const = default;
};

// A chart or a diagram that is about to be saved: a chart as it was when the file dialog was asked for.
struct ChartFile {
    std::string name = {};  // "Sensitivity": what the file is proposed to be called after
    std::string text = {};  // SVG, or CSV
    Slide slide = {};

    bool operator==(const ChartFile&) const = default;
};

// What lies over the picture while it is shown to a class, as slide programs have it: a curtain, a dot that follows the
// pointer, and what was drawn with the pen.
enum class Curtain { none, black, white };
using PenStroke = std::vector<std::array<float, 2>>;  // in shares of the window's width and height
inline constexpr std::size_t most_strokes = 500, longest_stroke = 2000;
struct Aids {
    Curtain curtain = Curtain::none;
    bool spot = false, pen = false;
    std::vector<PenStroke> strokes;

    bool operator==(const Aids&) const = default;
};

// What is shown to a class: whether the window presents, and which tour is at which step. Part of the view.
struct Show {
    bool presenting = false;   // large, with the essentials alone
    std::string tour;          // the id of the one that runs; empty: none
    std::size_t step = 0;      // of those that make sense for the model
    bool revealed = false;     // the answer to what the class is asked
    std::string pointed = {};  // what a clicker has come to in a view with no place for it: a row, a bar; empty: none
    Aids aids = {};            // over it while it presents
    bool notes = false;        // the speaker's notes are in a window of their own

    bool operator==(const Show&) const = default;
};

// The card of the first minute, over Explore: it says where one can begin, and three things to try.
struct Welcome {
    enum Trial : std::size_t { field, zoom, number };  // an edit; into the diagram; where the total comes from
    bool open = false;
    std::array<bool, 3> tried{};

    bool operator==(const Welcome&) const = default;
};

inline constexpr std::size_t most_recent = 10, most_opened_files = 50;

inline constexpr float least_scale = 0.75F, most_scale = 2;  // of the interface

// How far what moves has been written.
struct FilmProgress {
    std::size_t scene = 0, scenes = 0;  // of its steps, words or ways, which is on now, from 0
    std::size_t frames = 0;             // so far
    int learnt = 0, to_learn = 0;       // steps of a training that is shown next; none to learn: nothing is learned

    bool operator==(const FilmProgress&) const = default;
};

struct View {
    std::string workspace{explore_view};  // which view is on the screen
    BottomTab bottom_tab = BottomTab::activations;
    BreakdownChart breakdown = BreakdownChart::donut;
    ThemeChoice theme = ThemeChoice::dark;
    float scale = 1;  // of the interface, least_scale to most_scale
    bool reduced_motion = false;
    bool one_window = false;                // the program is a page, beside which there is none
    bool chrome = true;                     // else the diagram alone, or a worksheet's question: for a page around it
    std::optional<ManualPlace> manual;      // that is open
    bool asking = false;                    // the ask bar is open
    bool sharing = false;                   // the link is shown
    std::string page;                       // its address stands before links; empty: none is known
    Show show;                              // to a class
    Welcome welcome;                        // at a first start, or asked for
    std::vector<Subject> hidden;            // whose numbers a class is to guess
    std::optional<FileTask> task;           // the file dialog is open for it
    ChartFile chart;                        // what it saves where its task is of a chart
    std::string folder;                     // where a file was opened or saved last
    ClaimPlace claim;                       // that is looked at
    CostsPlace costs;                       // how memory and arithmetic are looked at
    ComparePlace compare;                   // how the Compare view is looked at
    std::vector<std::string> claims_files;  // that were opened besides those that ship
    std::vector<std::string> tour_files;    // likewise
    WhatIfPlace what_if;                    // what is asked there
    RunPlace run;                           // what runs, and how it is looked at
    TrainPlace train;                       // what learns, and how it is looked at
    std::vector<std::string> recent;        // files that were opened, the last one first
    std::optional<WindowPlace> window;      // on the screen, when it was saved last
    bool file_changed = false;              // the document's file is another than was read, and nobody has answered yet
    std::optional<FilmProgress> film;       // frames are being written
    Notice notice;                          // about what just happened

    bool operator==(const View&) const = default;
};

// Explore is shown to a class as its diagram, the breakdown and a sentence; every other view as it is, large.
inline bool presents_diagram(const View& view) { return view.show.presenting && view.workspace == explore_view; }

}  // namespace headcount
