// Keeps the document on disk: saves it a moment after it changed, and now and then while it goes on changing; and takes
// over what other windows saved.
#pragma once

#include <optional>
#include <string>

#include "app/state/kept_file.hpp"
#include "app/state/known_file.hpp"
#include "app/state/session.hpp"

namespace headcount {

// Whether what other windows answered may come into the session now: not in the middle of typing.
enum class Taking { now, later };

class Keeper {
  public:
    // Without a seat nothing is kept. `session` is what the file holds for it, or need not hold.
    Keeper(std::optional<Seat> seat, const Session& session);

    // The session may have changed at this time (in seconds).
    void changed(double now);

    // Seconds until it should be saved; nothing where there is nothing to save.
    std::optional<double> due_in(double now) const;

    // Whether anything is left to save, or could not be saved the last time.
    bool unsaved() const { return unsaved_ || failed_; }

    // Whether there is something of other windows to be taken over. Looks at the file once a second.
    bool others_saved(double now);

    // Writes what differs from what was written last, and takes over what others wrote. Returns whether the session is
    // another now. Errors: the folder or the file cannot be written; the next change tries again.
    Result<bool> save(Session& session, Taking taking = Taking::now);

  private:
    struct Unsaved {
        double first = 0, last = 0;  // when it changed
    };
    nlohmann::json read(std::string& notice) const;
    std::optional<Error> write(const nlohmann::json& there, Saved saved, const MergedShared& all, std::string& notice);

    std::optional<Seat> seat_;
    std::string text_;                    // of the session, when it was saved last
    Shared shared_;                       // likewise
    std::optional<std::int64_t> begun_;   // the file that this was
    nlohmann::json own_;                  // likewise: what of it is this window's alone
    std::optional<nlohmann::json> part_;  // of the file, as this window wrote or found it
    std::optional<FileStamp> stamp_;      // of the file, when all that is in it was taken over
    std::optional<Unsaved> unsaved_;
    bool failed_ = false;  // the last time
    double looked_ = 0;
};

}  // namespace headcount
