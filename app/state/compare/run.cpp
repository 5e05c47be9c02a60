// Gives B's runner A's text, and takes over what it hands out.
#include "app/state/compare/run.hpp"

#include <utility>

#include "app/state/run/next.hpp"
#include "app/state/run/runner.hpp"

namespace headcount {
namespace {

std::shared_ptr<const RunSnapshot> latest_of(const OtherRun& run) {
    const std::shared_ptr<const RunSnapshot> latest = run.runner ? run.runner->latest() : nullptr;
    return latest && latest->of == run.model && latest->values ? latest : nullptr;
}

// What A has read and said. Beside an encoder a text begins anew, and both read what is typed.
RunOrder order_of(std::shared_ptr<const RunModel> model, const RunPlace& place, const RunSnapshot* own) {
    RunOrder order{
        .model = std::move(model), .prompt = place.prompt, .ids = place.ids, .given = {}, .sampling = place.sampling};
    if (!own || !own->source.empty() || order.model->architecture().encoder) return order;
    order.prompt = own->prompt_text + own->generated_text;
    order.ids.clear();
    for (const auto& token : own->tokens) order.ids += (order.ids.empty() ? "" : ", ") + std::to_string(token.id);
    return order;
}

}  // namespace

void look_at_other_run(OtherRun& run, const Shown& b, RunSource source, const RunPlace& place, const RunSnapshot* own,
                       const std::function<void()>& wake) {
    if (RunBasis basis = run_basis(source, b); !run.model || !(run.model->asked == basis)) {
        run.told.reset();
        run.model = std::make_shared<const RunModel>(run_model(std::move(basis)));
    }
    if (!run.model->light()) {
        run.runner.reset();
        run.told.reset();
        return run.next.reset();
    }
    if (!run.runner) run.runner = std::make_shared<Runner>(wake);
    run.runner->order(order_of(run.model, place, own));
    if (!run.told) return run.next.reset();
    const std::int64_t position = position_in(*run.told, place.position);
    const RunNext* const known = run.next.get();
    if (known && known->of == run.told && known->position == position && known->sampling == place.sampling) return;
    run.next = std::make_shared<const RunNext>(run_next(run.told, place.sampling, place.position));
}

void leave_other_run(OtherRun& run) { run = {}; }

bool has_news(const OtherRun& run) { return run.model && latest_of(run) != run.told; }

void take_news(OtherRun& run) { run.told = latest_of(run); }

}  // namespace headcount
