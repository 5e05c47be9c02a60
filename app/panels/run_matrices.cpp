// The matrices in the middle of the Run view.
#include "app/panels/run_matrices.hpp"

namespace headcount {

Intents draw_run_matrices(const Ui&, const Session&) {
    return {};
}

}  // namespace headcount
