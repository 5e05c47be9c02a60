// What a panel asks for. Panels change nothing themselves; `apply` does, once a frame, after all of them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/state/claims/place.hpp"
#include "app/state/compare/place.hpp"
#include "app/state/costs/place.hpp"
#include "app/state/notice.hpp"
#include "app/state/recording.hpp"
#include "app/state/run/watch.hpp"
#include "app/state/shown.hpp"
#include "app/state/view.hpp"
#include "app/state/what_if/place.hpp"
#include "app/state/worksheet/desk_intent.hpp"
#include "core/files/document.hpp"
#include "core/lesson/experiment.hpp"

namespace headcount {

struct Replace {
    Document document;
    std::optional<Field> edited;  // which field did it
    bool settled = true;          // false in the middle of a drag: undo gets its entry when it ends
    unsigned run = 0;  // edits of one number that follow each other are one undo entry; 0: an entry of its own
};
struct SetInput {  // of the model in view
    Input input;
};
struct Settle {  // a drag ended
    unsigned run = 0;
};
struct OpenPreset {
    std::string id;
};
struct OpenFile {
    std::string path;        // whatever the command line takes for ARCH
    std::size_t others = 0;  // how many more were dropped with it
    bool against = false;    // somebody else's activations, whatever is in it
};
struct Reload {};       // the document's file, which is another now
struct KeepAsRead {};   // goes on with what was read of it
struct FileChanged {};  // the shell saw that it is another
struct AskForFile {
    std::optional<FileTask> task;  // nothing: the dialog closes
    ChartFile chart = {};          // for a task of a chart
};
struct WriteFile {
    std::string path, text;
    std::string what;  // "the tensors": for the notice
};
struct WritePicture {
    std::string path;  // of the window as it is, as a PNG file
    Slide slide = {};
};
struct StopFilm {};  // that is being written; nothing of it is left
struct Select {
    Subject subject;
};
struct Hover {
    Subject subject;
};
struct Hide {  // its number, for a class to guess; or shows it where it is hidden
    Subject subject;
};
struct ShowHidden {};  // all of them
struct ShowTab {
    BottomTab tab;
};
struct ShowBreakdown {
    BreakdownChart chart;
};
struct ShowWorkspace {
    std::string_view workspace;  // its word, which outlives the intent
};
struct GoTo {
    Place place;
};
struct GoIn {};  // the diagram goes to what is selected, or further into what is in its middle
struct Arrive {
    Place place;
};
struct Tilt {
    bool tilted;
};
struct DrawLogSides {
    bool log_sides;
};
struct SetTheme {
    ThemeChoice theme;
};
struct ReduceMotion {
    bool reduced;
};
struct SetScale {
    float scale;
    std::optional<float> room = {};  // the largest that the window has room for; where that is less it is said
};
Notice room_for_scale(float room);
void set_scale(View& view, const SetScale& set);
struct ShowManual {
    std::optional<ManualPlace> place = {};  // absent: it closes
};
struct Ask {
    bool asking;  // the ask bar opens, or closes
};
struct Share {
    bool open = true;                      // a link to what is on the screen, copied and shown; or closed
    std::optional<std::string> page = {};  // the address that is to stand before links from now on
};
struct ShowWelcome {
    bool open = true;  // or dismissed, for good
};
struct Copy {
    std::string text;  // to the clipboard
    std::string what;  // "6,738,415,616", "the table (CSV)": for the notice
};
struct Tell {
    Notice notice;  // about why nothing happened
};
struct DismissNotes {};
struct ShowNotes {};  // again
struct AtDesk {       // of the Worksheet view
    DeskIntent what;
};
struct TryExperiment {  // of a worksheet, in the Run view
    Experiment experiment;
};
struct TakeExperiment {  // what is switched off there as the answer in this blank
    std::string blank;
};
struct AtClaims {  // of the Claims view
    ClaimsIntent what;
};
struct AtCompare {  // of the Compare view
    CompareIntent what;
};
struct AtCosts {  // of the Costs view
    CostsIntent what;
};
struct AtWhatIf {  // of the What-if view
    WhatIfIntent what;
};
struct AtRun {  // of the Run view
    RunIntent what;
};
struct AtTrain {  // of the Train view
    TrainIntent what;
};
struct StartTour {
    std::string id;
};
struct StepTour {
    int by = 1;          // presses forwards; below 0 backwards
    bool whole = false;  // steps and not presses, of which one reveals an answer
};
struct LeaveTour {};  // with the document as it was before
struct Present {
    bool presenting;
};
struct PointOut {  // to a class
    std::string what;
};
struct SetAids {  // while it presents
    Aids aids;
};
struct ShowNotesWindow {  // the speaker's, in a window of its own
    bool open = true;
};
struct Record {  // what is done from now on, as a tour; or no longer, and what was caught is gone
    bool on = true;
};
struct SetRecording {
    Recording recording;
};
struct PlayRecording {};  // as it is by now
struct Undo {};
struct Redo {};

using AnyIntent =
    std::variant<Replace, SetInput, Settle, OpenPreset, OpenFile, Reload, KeepAsRead, FileChanged, AskForFile,
                 WriteFile, WritePicture, StopFilm, Select, Hover, Hide, ShowHidden, ShowTab, ShowBreakdown,
                 ShowWorkspace, GoTo, GoIn, Arrive, Tilt, DrawLogSides, SetTheme, ReduceMotion, SetScale, ShowManual,
                 Ask, Share, ShowWelcome, Copy, Tell, DismissNotes, ShowNotes, AtDesk, TryExperiment, TakeExperiment,
                 AtClaims, AtCompare, AtWhatIf, AtCosts, AtRun, AtTrain, StartTour, StepTour, LeaveTour, Present,
                 PointOut, SetAids, ShowNotesWindow, Record, SetRecording, PlayRecording, Undo, Redo>;

// Compiled once, in intent.cpp: to copy and destroy a variant of so many kinds takes seconds to compile in every file
// that has a list of them.
struct Intent : AnyIntent {
    using AnyIntent::variant;
    Intent(const Intent& other);
    Intent(Intent&& other) noexcept;
    Intent& operator=(const Intent& other);
    Intent& operator=(Intent&& other) noexcept;
    ~Intent();
};
using Intents = std::vector<Intent>;

}  // namespace headcount
