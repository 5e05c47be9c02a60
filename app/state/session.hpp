// The one place where the document changes: state, history and `apply`.
#pragma once

#include <span>
#include <vector>

#include "app/state/claims_page.hpp"
#include "app/state/derived.hpp"
#include "app/state/desk.hpp"
#include "app/state/intent.hpp"
#include "app/state/known_file.hpp"
#include "app/state/tour_run.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// Earlier and later values of the document. Unbounded edits keep the last 500.
class History {
  public:
    // Nothing if it equals the newest entry. Takes the newest one's place where that is of the same run (not 0), and
    // leaves none where the run has come back to where it began.
    void commit(const Document& document, unsigned run = 0);
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < entries_.size(); }
    const Document& undo();
    const Document& redo();

  private:
    std::vector<Document> entries_;
    std::size_t at_ = 0;
    unsigned run_ = 0;  // of the newest entry
};

struct Session {
    std::vector<Preset> presets;
    std::vector<Tour> tours;     // that there are
    std::optional<TourRun> run;  // the one that runs
    Document document;
    Derived derived;
    View view;
    History history;
    ClaimsPage claims;               // published statements, checked when somebody looks
    Desk desk;                       // worksheets and what was answered in them
    std::vector<std::string> notes;  // on the file or preset that was opened: what was not read, what was guessed
    KnownFiles files;                // that documents of the history came from, so that undo finds their weights again
    bool dragging = false;           // a slider is held: what costs more than a frame waits
    bool compared = true;            // derived.weights is of what is shown, not of what was shown before
    std::vector<Session> sides;      // the diagrams beside lessons: see app/state/side_model.hpp

    // Of the document's file; null where it has none, or it could not be read.
    const KnownFile* file() const;
};

// All notes on what the document came from, dismissed or not.
std::vector<std::string> all_notes(const Session& session);

// Where the Worksheet view is on the screen: its worksheet is open, and the question's own model is beside it, lit once
// the answer is there. `apply` ends with it; a start does so once.
void sit_at_desk(Session& session);

// Starts with a document: one that `document_of` made, or one restored from storage. Its base can be counted.
Session start_session(std::vector<Preset> presets, Document document);

Document document_of(const Preset& preset);

// A document of what was opened at this path. What it leaves open (a vocabulary) is a usual value in the base.
Result<Document> document_of(const Opened& opened, const std::string& path, const Input& input);

// Reads the weights and notes that belong to the document's file, as at a start. Returns a sentence about a file that
// is gone or can no longer be read: the document goes on without it.
std::string know_file(Session& session);

// A document of an opened file. Fails where its parameters do not fit in 64 bits, because then it could not be shown.
Result<Document> document_of(const Architecture& opened, const Input& input);

// "Llama 2 7B", or "Llama 2 7B, edited"; a file that was saved under such a name says it once.
std::string title_of(const Document& document);

// What `apply` leaves to the shell: the clipboard and saving.
struct Effects {
    std::optional<std::string> clipboard;
    bool document_changed = false;
    bool view_changed = false;
    std::optional<std::string> picture;  // where the window's picture is to be written
    bool notice_ends = false;            // the notice needs no answer: it goes by itself
};

Effects apply(Session& session, std::span<const Intent> intents);

}  // namespace headcount
