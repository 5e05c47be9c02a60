// The weights beside a document: compared with what its fields say, again whenever these change.
#include <gtest/gtest.h>

#include "core/analysis/checkpoint_names.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using test::ask;
using test::edit;
using test::session_of;
using testing_data::Scratch;
using testing_data::SmallModel;
using testing_data::write_model;
using testing_data::write_weights;

TEST(Weights, WeightsAreComparedAndAnEditShowsWhereTheyDiffer) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const FileWeights& weights = session.derived.weights;
    ASSERT_TRUE(weights.checkpoint && weights.match) << weights.failure;
    EXPECT_EQ(weights.match->matched, 2 * 9 + 3);
    EXPECT_EQ(weights.match->differences, 0);
    ask(session, edit(session, Field::ffn_dim, "96"));
    EXPECT_EQ(weights.match->differences, 2 * 3);
    ask(session, Undo{});
    EXPECT_EQ(weights.match->differences, 0);
}

TEST(Weights, WeightsThatAreOpenedAreWhatRuns) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    session.view.run.source = RunSource::random;
    ask(session, OpenFile{write_model(scratch, "model")});
    EXPECT_EQ(session.view.run.source, RunSource::file);
    session.view.run.source = RunSource::random;
    ask(session, OpenPreset{"gpt2"});
    EXPECT_EQ(session.view.run.source, RunSource::random) << "a preset has none";
    session.view.run.source = RunSource::file;
    ask(session, OpenPreset{"llama-2-7b"});
    EXPECT_EQ(session.view.run.source, RunSource::shipped) << "those of the file are gone with it";
    ask(session, Undo{});
    ask(session, Undo{});
    EXPECT_EQ(session.view.run.source, RunSource::file) << "and come back with it";
}

TEST(Weights, WeightsComeAndGoWithUndo) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto checkpoint = session.derived.weights.checkpoint;
    ask(session, OpenPreset{"gpt2"});
    EXPECT_EQ(session.derived.weights.checkpoint, nullptr);
    ask(session, Undo{});
    EXPECT_EQ(session.derived.weights.checkpoint, checkpoint);
    ASSERT_TRUE(session.derived.weights.match);
    EXPECT_EQ(session.derived.weights.match->differences, 0);
}

TEST(Weights, ADragComparesNothingBeforeItEnds) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto before = session.derived.weights.match;
    for (const char* width : {"96", "160", "192"}) {
        ask(session, edit(session, Field::ffn_dim, width, false));
        EXPECT_EQ(session.derived.weights.match, before);
    }
    ask(session, Settle{});
    EXPECT_NE(session.derived.weights.match, before);
    EXPECT_EQ(session.derived.weights.match->differences, 6);
}

TEST(Weights, AnImpossibleEditKeepsTheLastComparison) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    ask(session, OpenFile{write_model(scratch, "model")});
    const auto before = session.derived.weights.match;
    ask(session, edit(session, Field::heads, "3"));
    EXPECT_FALSE(session.derived.current);
    EXPECT_EQ(session.derived.weights.match, before);
}

TEST(Weights, WeightsThatChangeUnderTheSameConfigurationAreComparedAnew) {
    const Scratch scratch;
    Session session = session_of("llama-2-7b");
    const std::string folder = write_model(scratch, "model");
    ask(session, OpenFile{folder});
    auto tensors = SmallModel{}.tensors();
    tensors.pop_back();
    write_weights(scratch, "model/model.safetensors", tensors);
    ask(session, Reload{});
    ASSERT_TRUE(session.derived.weights.match);
    EXPECT_EQ(session.derived.weights.match->differences, 1);
}

// Of the largest mixture every tensor, as its checkpoint would have it.
Checkpoint checkpoint_of(const Counted& counted) {
    Checkpoint checkpoint{"safetensors", {"model.safetensors"}, {}, nlohmann::json::object(), 0};
    for_each_tensor(counted.architecture, counted.graph, counted.parameters, std::nullopt,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        checkpoint.tensors.push_back({name_at(counted.graph.stored[row.stored].name, place),
                                                      row.shape,
                                                      {"BF16", 1, 2},
                                                      row.count,
                                                      row.count * 2,
                                                      0,
                                                      0});
                        return true;
                    });
    return checkpoint;
}

TEST(Weights, TheLargestMixtureIsComparedOnlyWhenItsTabIsSeen) {
    Session session = session_of("kimi-k2");
    session.document.file = "/made/up";
    session.files["/made/up"] = {std::make_shared<const Checkpoint>(checkpoint_of(session.derived.shown)), {}, {}};
    ask(session, edit(session, Field::context, "4096"));
    const auto first = session.derived.weights.match;
    ASSERT_TRUE(first) << "once, when it is opened";
    EXPECT_EQ(first->differences, 0);
    EXPECT_GT(first->matched, 60'000);
    ask(session, edit(session, Field::vocab, "50000"));
    EXPECT_EQ(session.derived.weights.match, first);
    EXPECT_FALSE(session.compared);
    ask(session, ShowTab{BottomTab::weights});
    EXPECT_EQ(session.derived.weights.match->differences, 2);
    EXPECT_TRUE(session.compared);
}

}  // namespace
}  // namespace headcount
