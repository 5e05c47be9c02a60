// The worker is asked first: what may come next is found in what it hands over.
#include "app/state/run/wait.hpp"

#include "app/state/run/looker.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/run/snapshot.hpp"

namespace headcount {

bool news_comes(const RunPage& page, std::chrono::steady_clock::time_point until) {
    constexpr double quick = 0.001;  // seconds of the last pass, which read as many tokens as the next or more
    if (!page.runner || !page.looker || !page.told || !page.told->values || page.told->last_seconds > quick)
        return false;
    return page.runner->wait_for_other_numbers(*page.told, until) || page.looker->wait_for_another(page.next, until);
}

}  // namespace headcount
