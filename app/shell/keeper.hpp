// Keeps the document on disk: saves it a moment after it changed, never in the middle of a drag.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/state/session.hpp"

namespace headcount {

class Keeper {
  public:
    // With no file nothing is kept. `session` is what the file already holds, or need not hold.
    Keeper(std::optional<std::filesystem::path> file, const Session& session);

    // The session may have changed at this time (in seconds).
    void changed(double now);

    // Seconds until it should be saved; nothing where there is nothing to save, or a button is still held.
    std::optional<double> due_in(double now, bool held) const;

    // Writes it if it differs from what was written last. Errors: the folder or the file cannot be written; the next
    // change tries again.
    std::optional<Error> save(const Session& session);

    bool pending() const { return changed_at_.has_value(); }

  private:
    std::optional<std::filesystem::path> file_;
    std::string written_;
    std::optional<double> changed_at_;
};

}  // namespace headcount
