// Looks now and then whether the document's file is another than was read: at its time and its size, which every system
// can tell, also of a file on a network. Times are in seconds.
#pragma once

#include <algorithm>
#include <optional>

#include "app/state/session.hpp"

namespace headcount {

class FileWatch {
  public:
    // A look is a few system calls and no frame: far below a thousandth of a core.
    static constexpr double between_looks = 2;

    // Until the next look is due; nothing where there is no file, or the user has been asked already.
    std::optional<double> due_in(const Session& session, double now) const {
        if (session.view.file_changed || !session.file()) return std::nullopt;
        return std::max(0.0, looked_ + between_looks - now);
    }

    // Looks if it is due. Whether the file is another now.
    bool look(const Session& session, double now) {
        if (due_in(session, now) != 0.0) return false;
        looked_ = now;
        return changed_on_disk(*session.file());
    }

  private:
    double looked_ = 0;
};

}  // namespace headcount
