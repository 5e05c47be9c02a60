// Claims about somebody else's activations that are opened: what they are compared with, and what comes of it.
#include <gtest/gtest.h>

#include "app/state/run/diagnosis.hpp"
#include "core/diagnose/theirs.hpp"
#include "core/runtime/dump.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

class RunDiagnosisTest : public testing::Test {
  protected:
    RunDiagnosisTest() : session(test::session_of("llama-2-7b")) {
        headcount::apply(session, Intents{ShowWorkspace{std::string_view(run_view)}});
        finish_run(session);
    }

    // What the model that ships makes of these tokens with another activation function.
    std::string dump(const std::string& name, const char* activation) {
        Architecture arch = session.running.model->architecture();
        if (activation) arch = *with_field(arch, Field::activation, activation);
        Result<std::shared_ptr<const Model>> model = load_model(arch, *session.running.model->of.checkpoint);
        if (!model) throw std::runtime_error(sentence(model.error()));
        Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = 8, .keep = Keep::all});
        if (run->append(std::vector<std::int32_t>{1, 20, 30, 40})) throw std::runtime_error("it does not run");
        const std::filesystem::path path = scratch.folder() / name;
        if (write_activations(*run, path)) throw std::runtime_error("it is not written");
        return path.string();
    }
    const RunDiagnosis* diagnosis() const { return session.running.diagnosis.get(); }

    Session session;
    testing_data::Scratch scratch;
};

TEST_F(RunDiagnosisTest, AFileOfActivationsIsComparedWithTheModelThatRuns) {
    const std::string file = dump("theirs.safetensors", "gelu");
    EXPECT_TRUE(holds_activations(file));
    EXPECT_FALSE(holds_activations(session.running.model->of.checkpoint->files.front()));
    headcount::apply(session, Intents{OpenFile{file}});
    finish_run(session);
    ASSERT_TRUE(diagnosis());
    ASSERT_TRUE(diagnosis()->found) << sentence(*diagnosis()->wrong);
    EXPECT_EQ(diagnosis()->ids, (std::vector<std::int32_t>{1, 20, 30, 40}));
    EXPECT_TRUE(diagnosis()->own_ids);
    ASSERT_TRUE(session.running.shown && session.running.shown->values);
    const std::span<const std::int32_t> read = session.running.shown->values->ids();
    EXPECT_EQ(std::vector(read.begin(), read.end()), diagnosis()->ids)
        << "what is shown is what the file was made with";
    EXPECT_EQ(session.running.shown->tokens.size(), 4U);
    ASSERT_FALSE(diagnosis()->found->causes.empty());
    EXPECT_EQ(diagnosis()->found->causes.front().names, (std::vector<std::string>{"activation-gelu"}));
    EXPECT_EQ(session.view.run.layer, 0);
    EXPECT_EQ(session.view.run.shows, RunShows::diagram);
    EXPECT_EQ(session.running.drawn->look.here.id + session.running.drawn->look.asked_for.id, "layer");
    EXPECT_EQ(session.document.architecture.dim, 4096) << "the document stays";

    RunPlace place = session.view.run;
    place.against.clear();
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    EXPECT_FALSE(diagnosis());
    EXPECT_NE(session.running.shown->tokens.size(), 4U) << "the prompt is read again";
}

TEST_F(RunDiagnosisTest, AFileThatChangesIsReadAgain) {
    const std::string file = dump("theirs.safetensors", "gelu");
    headcount::apply(session, Intents{OpenFile{file}});
    finish_run(session);
    ASSERT_TRUE(diagnosis() && diagnosis()->found && diagnosis()->found->first);
    dump("theirs.safetensors", nullptr);
    headcount::apply(session, Intents{OpenFile{.path = file, .against = true}});
    finish_run(session);
    ASSERT_TRUE(diagnosis() && diagnosis()->found);
    EXPECT_FALSE(diagnosis()->found->first) << "all agree";
}

TEST_F(RunDiagnosisTest, WhereNoWeightsAreItSaysSoAndStays) {
    const std::string file = dump("theirs.safetensors", "gelu");
    headcount::apply(session, Intents{ShowWorkspace{std::string_view(explore_view)}, OpenFile{file}});
    EXPECT_EQ(session.view.workspace, explore_view);
    EXPECT_NE(session.view.notice.text.find("open the model that made them first"), std::string::npos)
        << session.view.notice.text;
    EXPECT_TRUE(session.view.run.against.empty());
}

TEST_F(RunDiagnosisTest, WhatCannotBeReadIsAnError) {
    const std::string file = scratch.file("theirs.safetensors", "no tensors");
    headcount::apply(session, Intents{OpenFile{.path = file, .against = true}});
    finish_run(session);
    ASSERT_TRUE(diagnosis());
    EXPECT_TRUE(diagnosis()->wrong);
}

}  // namespace
}  // namespace headcount
