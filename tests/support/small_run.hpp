// A model of a few numbers that runs at once, as the document of a session that looks at the Run view.
#pragma once

#include "app/state/run/looker.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/session.hpp"

namespace headcount::test {

// Three layers of four heads, with two key/value heads; 50 tokens.
inline Architecture small_architecture(Architecture arch) {
    const std::pair<Field, const char*> fields[] = {{Field::heads, "4"},   {Field::kv_heads, "2"}, {Field::dim, "32"},
                                                    {Field::layers, "3"},  {Field::ffn_dim, "64"}, {Field::vocab, "50"},
                                                    {Field::context, "24"}};
    for (const auto& [field, value] : fields) arch = *with_field(arch, field, value);
    return arch;
}

// Layers 0 and 2 have states of six heads, and layer 1 attends.
inline Recurrence states_in_two_of_three() {
    return {.state_dim = 5,
            .heads = 6,
            .groups = 2,
            .head_dim = 7,
            .conv_kernel = 4,
            .kind = RecurrenceKind::gated_delta,
            .layers = *LayerSet::parse("101", "layers")};
}

// Looks at the Run view, with random weights of the small model.
inline void show_small_run(Session& session) {
    Document document = session.document;
    document.architecture = document.base = small_architecture(document.architecture);
    document.architecture.name = document.base.name = "Small";
    session.view.run.source = RunSource::random;
    headcount::apply(session, Intents{Replace{document}, ShowWorkspace{run_view}});
}

inline void set_run(Session& session, void (*change)(RunPlace&)) {
    RunPlace place = session.view.run;
    change(place);
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
}

// Presses Step, with all layers of a token at once, and waits.
inline void make_tokens(Session& session, int count) {
    set_run(session, [](RunPlace& place) { place.speed = RunSpeed::most; });
    for (int i = 0; i < count; ++i) headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
}

}  // namespace headcount::test
