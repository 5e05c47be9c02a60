// What is typed on the left of the Train view.
#include "app/views/train/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

Intents draw_settings(const Ui& ui, const Session& session) {
    return draw_train_settings({ui, session.training, session.view.train}, session);
}

TEST(TrainSettings, ARateThatIsNoneStaysInItsFieldWithWhatOneIs) {
    Workbench bench(draw_settings, "llama-2-7b", ImVec2(300, 2400));
    bench.ask(ShowWorkspace{train_view});
    const auto rate = [&] { return bench.session.view.train.settings.learning_rate; };
    const double before = rate();
    bench.type("train.rate.field", "fast");
    EXPECT_EQ(rate(), before);
    EXPECT_TRUE(bench.has("train.rate.error"));
    bench.type("train.rate.field", "0.25");
    EXPECT_EQ(rate(), 0.25);
    EXPECT_FALSE(bench.has("train.rate.error"));
}

}  // namespace
}  // namespace headcount
