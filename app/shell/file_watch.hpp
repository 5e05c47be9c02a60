// Looks now and then whether the document's file is another than was read. Times are in seconds.
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
    std::optional<double> due_in(const Session& session, double now) const;

    // Looks if it is due. Whether the file is another now.
    bool look(const Session& session, double now);

  private:
    double looked_ = 0;
};

}  // namespace headcount
