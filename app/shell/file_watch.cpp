// Compares times and sizes, which is what every system can tell of a file, also one on a network.
#include "app/shell/file_watch.hpp"

namespace headcount {

std::optional<double> FileWatch::due_in(const Session& session, double now) const {
    if (session.view.file_changed || !session.file()) return std::nullopt;
    return std::max(0.0, looked_ + between_looks - now);
}

bool FileWatch::look(const Session& session, double now) {
    if (due_in(session, now) != 0.0) return false;
    looked_ = now;
    return changed_on_disk(*session.file());
}

}  // namespace headcount
