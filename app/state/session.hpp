// The one place where the document changes: the program's state, and `apply`.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "app/state/claims/page.hpp"
#include "app/state/compare/page.hpp"
#include "app/state/costs/page.hpp"
#include "app/state/history.hpp"
#include "app/state/intent.hpp"
#include "app/state/known_file.hpp"
#include "app/state/recording.hpp"
#include "app/state/run/page.hpp"
#include "app/state/shown.hpp"
#include "app/state/tour_run.hpp"
#include "app/state/train/page.hpp"
#include "app/state/what_if/page.hpp"
#include "app/state/worksheet/desk.hpp"
#include "core/files/documents.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// The last edit of the model: nothing of the kind is what was opened, undone or redone.
struct LastEdit {
    unsigned number = 0;   // of all edits since the start
    bool settled = false;  // no slider is held any more
    std::string in;        // the view
    Architecture before;   // the last possible one
};

// The user's own model, and all that the program knows besides.
struct Session : Shown {
    std::vector<Preset> presets;
    std::vector<Tour> tours;                       // that there are
    std::optional<std::filesystem::path> lessons;  // where those lie that links name by an address; nothing: none do
    std::optional<TourRun> run;                    // the one that runs
    std::optional<Recording> recording;            // of what is done meanwhile, as a tour
    View view;
    History history;
    std::optional<LastEdit> edit;
    unsigned edits = 0;              // since the start
    ClaimsPage claims;               // published statements, checked when somebody looks
    CostsPage costs;                 // memory and arithmetic, worked out when somebody looks
    WhatIfPage what_if;              // what else the document could be, worked out when somebody looks
    ComparePage comparison;          // of the document with B, made when somebody looks
    RunPage running;                 // the model that runs, from when somebody looks
    TrainPage training;              // the model that learns, likewise
    Desk desk;                       // worksheets and what was answered in them
    std::vector<std::string> notes;  // on the file or preset that was opened: what was not read, what was guessed
    KnownFiles files;                // that documents of the history came from, so that undo finds their weights again
    bool dragging = false;           // a slider is held: what costs more than a frame waits
    bool compared = true;            // derived.weights is of what is shown, not of what was shown before

    // The document and the experiments become the newest entry of the history, or join the one before.
    void commit(unsigned edit_run = 0) { history.commit({document, view.run.experiments}, edit_run); }

    // Of the document's file; null where it has none, or it could not be read.
    const KnownFile* file() const;
};

// Claims as they are looked at.
ClaimsLook claims_look(Session& session);

// All notes on what the document came from, dismissed or not.
std::vector<std::string> all_notes(const Session& session);

// In the Worksheet view: its worksheet is open, and the question's own model is beside it, lit once the answer is
// there.
void sit_at_desk(Session& session);

// Starts with a document: one that `document_of` made, or one restored from storage. Its base can be counted.
Session start_session(std::vector<Preset> presets, Document document);

// Reads the weights and notes that belong to the document's file, as at a start. Returns a sentence about a file that
// is gone or can no longer be read: the document goes on without it.
std::string know_file(Session& session);

// What `apply` leaves to the shell: the clipboard and saving.
struct Effects {
    std::optional<std::string> clipboard;
    bool document_changed = false;
    bool view_changed = false;
    std::optional<std::string> written;  // the file that was, or the folder of files
    std::optional<std::string> picture;  // where the window's picture is to be written
    Slide slide = {};                    // what of it
    bool notice_ends = false;            // the notice needs no answer: it goes by itself
};

Effects apply(Session& session, std::span<const Intent> intents);

}  // namespace headcount
