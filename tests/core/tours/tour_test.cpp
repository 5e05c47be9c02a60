// Tours: the shipped ones on every preset, their numbers against known ones, and files that are no tours.
#include "core/tours/tour.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/arch/fields.hpp"
#include "core/files/config.hpp"
#include "core/lesson/reference.hpp"
#include "tests/support/class.hpp"
#include "tests/support/presets.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const std::vector<Tour>& tours() {
    static const std::vector<Tour> all = find_tours(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "tours").tours;
    return all;
}

WorkedTour worked(std::size_t tour, std::string_view id, std::int64_t tokens = 100) {
    const Result<WorkedTour> made = make_tour(tours().at(tour), presets(), preset(id), {.tokens = tokens});
    if (!made) throw std::runtime_error(sentence(made.error()));
    return *made;
}

bool step_says(const WorkedStep& step, std::string_view words) {
    return (step.title + " " + step.caption + " " + step.ask + " " + step.answer).find(words) != std::string::npos;
}

// A tour of one step, which these words are of.
Result<Tour> parsed(const std::string& step, const std::string& more = "") {
    return parse_tour(R"({"title": "t", )" + more + R"("steps": [)" + step + "]}", "mine", "mine.json");
}

TEST(Tours, EighteenShip) {
    const FoundTours found = find_tours(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "tours");
    for (const Error& error : found.failures) ADD_FAILURE() << sentence(error);
    std::vector<std::string> titles;
    for (const Tour& tour : found.tours) titles.push_back(tour.title);
    EXPECT_EQ(titles,
              (std::vector<std::string>{
                  "What is in a transformer", "Where 7 B parameters come from", "One attention head",
                  "From Llama 2 to Llama 3", "One attention head, number by number", "Encoder, decoder, both",
                  "A state that does not grow", "What if a head were gone?", "Attention is all you need",
                  "It knows nothing: ln V", "What a token is", "The residual stream is a memory",
                  "What the feed-forward does", "Positions: RoPE turns by hand", "The cache in time",
                  "Sampling: how the next word is drawn", "A mixture routes its tokens", "Heads do different things"}));
}

TEST(Tours, AreWrittenAsTheyAreRead) {
    for (const Tour& tour : tours()) {
        const Result<Tour> again = parse_tour(tour_json(tour).dump(), tour.id, "again.json");
        ASSERT_TRUE(again) << tour.id << ": " << sentence(again.error());
        EXPECT_EQ(*again, tour) << tour.id;
    }
}

// So that scores of cross-attention are no square, which could be taken for those of a text with itself.
TEST(Tours, ATextThatIsReadIsNotAsLongAsTheOneThatIsWritten) {
    int both = 0;
    for (std::size_t tour = 0; tour < tours().size(); ++tour)
        for (const WorkedStep& step : worked(tour, "llama-2-7b").steps)
            if (step.architecture.encoder) {
                EXPECT_NE(step.input.source, step.input.tokens) << tours()[tour].id << ": " << step.title;
                ++both;
            }
    EXPECT_GE(both, 9);
    const WorkedStep look = worked(8, "llama-2-7b").steps.at(4);
    EXPECT_EQ(look.select, "decoder.layer.cross_attention.head.scores");
    EXPECT_TRUE(step_says(look, "scores of 5 × 7")) << look.caption;
}

TEST(Tours, AStepMayBeInAnyView) {
    const Result<Tour> tour = parsed(R"({"title": "a", "caption": "b", "view": "compare", "with": "llama-3-8b"})");
    ASSERT_TRUE(tour) << sentence(tour.error());
    EXPECT_EQ(tour->steps[0].view, "compare");
    const Result<WorkedTour> made = make_tour(*tour, presets(), preset("llama-2-7b"));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->steps[0].with, "llama-3-8b");
    const Result<Tour> run =
        parsed(R"({"title": "a", "caption": "b", "run": {"shows": "tree", "off": ["layer.0.attention.head:6"]}})");
    ASSERT_TRUE(run) << sentence(run.error());
    EXPECT_EQ(run->steps[0].run->shows, "tree");
    for (const auto& [step, said] :
         {std::pair(R"({"title": "a", "caption": "b", "view": "compair"})", "compare"),
          {R"({"title": "a", "caption": "b", "with": "gpt2"})", "compare"},
          {R"({"title": "a", "caption": "b", "view": "costs", "run": {"layer": 0}})", "one view"},
          {R"({"title": "a", "caption": "b", "run": {"shows": "trees"}})", "tree"},
          {R"({"title": "a", "caption": "b", "run": {"off": ["layer."]}})", "off"}}) {
        const Result<Tour> wrong = parsed(step);
        ASSERT_FALSE(wrong) << step;
        EXPECT_NE(sentence(wrong.error()).find(said), std::string::npos) << sentence(wrong.error());
    }
}

TEST(Tours, AStepMayAskForAnExperiment) {
    const std::string begin = R"({"title": "a", "ask": "b", "answer": "c", "run": {"experiment": )", end = "}}";
    const Result<Tour> tour = parsed(begin + R"({"prompt": "Who?", "from": "Lily", "to": "Tom", "most": 2})" + end);
    ASSERT_TRUE(tour) << sentence(tour.error());
    const RunLook& look = *tour->steps[0].run;
    EXPECT_EQ(look.prompt, "Who?");
    EXPECT_EQ(look.experiment, (Experiment{"Who?", "Lily", "Tom", 2}));
    for (const auto& [wrong, said] : {std::pair(R"({"prompt": "Who?", "from": "Lily"})", "to"),
                                      {R"({"prompt": "Who?", "from": "Tom", "to": "Tom"})", "another"},
                                      {R"({"prompt": "Who?", "from": "Lily", "to": "Tom", "most": 0})", "most"},
                                      {R"("Who?")", "experiment"}}) {
        const Result<Tour> none = parsed(begin + wrong + end);
        ASSERT_FALSE(none) << wrong;
        EXPECT_NE(sentence(none.error()).find(said), std::string::npos) << sentence(none.error());
    }
    EXPECT_FALSE(parsed(R"({"title": "a", "caption": "b", "run": {"experiment": )"
                        R"({"prompt": "Who?", "from": "Lily", "to": "Tom"}}})"))
        << "what it shows is to be said once it is done";
}

TEST(Tours, AStepMayBeWhereAModelLearns) {
    const auto step = [](const std::string& train) {
        return parsed(R"({"title": "a", "caption": "b", "train": )" + train + "}");
    };
    const Result<Tour> tour = step(R"({"task": "sort", "letters": 3, "layer": 1, "head": 2})");
    ASSERT_TRUE(tour) << sentence(tour.error());
    EXPECT_EQ(tour->steps[0].train, (LearnLook{{.kind = TaskKind::sort, .letters = 3}, 1, 2}));
    const Tour first = *step(R"({"task": "sort", "letters": 3, "shows": "weights"})");
    EXPECT_EQ(parse_tour(tour_json(first).dump(), first.id, "written")->steps[0].train->shows, "weights");
    for (const auto& [wrong, said] : {std::pair(R"({"task": "fly"})", "copy, reverse"),
                                      {R"({"task": "text"})", "task"},
                                      {R"({"letters": 3})", "task"},
                                      {R"({"task": "add", "letters": 40})", "letters"},
                                      {R"({"task": "copy", "steps": 3})", "steps"},
                                      {R"({"task": "copy", "shows": "tokens"})", "train.shows"},
                                      {R"("copy")", "Train view"}}) {
        const Result<Tour> none = step(wrong);
        ASSERT_FALSE(none) << wrong;
        EXPECT_NE(sentence(none.error()).find(said), std::string::npos) << sentence(none.error());
    }
}

TEST(Tours, OnLlama2NothingOfThemIsLeftOut) {
    for (std::size_t i = 0; i < tours().size(); ++i)
        for (const std::string& note : worked(i, "llama-2-7b").notes) ADD_FAILURE() << tours()[i].title << ": " << note;
    EXPECT_EQ(worked(0, "llama-2-7b").steps.size(), 12u);
}

// Each step is shown, or passed over since its model lacks what it needs or has what it is not for.
void expect_every_step(const Tour& tour, const WorkedTour& made, const Architecture& own) {
    Architecture now = tour.preset ? preset(*tour.preset) : own;
    auto shown = made.steps.begin();
    for (std::size_t i = 0; i < tour.steps.size(); ++i) {
        if (shown != made.steps.end() && shown->index == i) {
            now = shown++->architecture;
            continue;
        }
        const TourStep& step = tour.steps[i];
        ASSERT_TRUE(step.set.empty() && !step.preset) << "a step with conditions changes no model: " << step.title;
        const Result<CountedModelPtr> model = counted_model(now, {});
        ASSERT_TRUE(model);
        const auto there = [&](const std::string& id) {
            if (id == "field.tied_layers") return now.tied_layers;
            return (*model)->graph.find(id) != nullptr || (*model)->graph.find_block(id) != nullptr;
        };
        EXPECT_TRUE(!std::all_of(step.needs.begin(), step.needs.end(), there) ||
                    std::any_of(step.unless.begin(), step.unless.end(), there))
            << own.name << " is not shown " << tour.id << ", \"" << step.title << "\"";
    }
    EXPECT_TRUE(shown == made.steps.end()) << tour.id << " has steps that its file has not";
}

void expect_all_tours(const Architecture& own) {
    for (const Tour& tour : tours()) {
        const Result<WorkedTour> made = make_tour(tour, presets(), own, {.tokens = 100});
        ASSERT_TRUE(made) << own.name << " " << tour.id << ": " << sentence(made.error());
        EXPECT_TRUE(made->notes.empty()) << own.name << " " << tour.id << ": " << made->notes.front();
        expect_every_step(tour, *made, own);
        for (const WorkedStep& step : made->steps) {
            const Result<CountedModelPtr> model = counted_model(step.architecture, step.input);
            ASSERT_TRUE(model) << own.name << " " << tour.id;
            const ModelGraph& graph = (*model)->graph;
            EXPECT_TRUE(step.at.empty() || graph.find(step.at) || graph.find_block(step.at)) << own.name << step.at;
            EXPECT_EQ(step.title.find('{'), std::string::npos) << step.title;
            EXPECT_EQ(step.caption.find('{'), std::string::npos) << step.caption;
        }
    }
}

// Of Moonshine's decoder too, whose layers have no feed-forward that is read.
TEST(Tours, WorkOutOnEveryPreset) {
    for (const Preset& each : tried_presets()) expect_all_tours(each.architecture);
    expect_all_tours(*read_config({{"model_type", "moonshine"}}, ""));
}

TEST(Tours, SayTheKnownNumbersOfLlama) {
    const WorkedTour first = worked(0, "llama-2-7b");
    EXPECT_TRUE(step_says(first.steps[0], "6,738,415,616"));
    EXPECT_TRUE(step_says(first.steps[3], "202,383,360"));
    EXPECT_TRUE(step_says(first.steps[3], "6,476,267,520"));
    EXPECT_TRUE(step_says(first.steps[6], "4096 columns into 32 heads of 128"));
    EXPECT_TRUE(step_says(first.steps[7], "100 × 100"));
    const WorkedTour seven = worked(1, "llama-2-7b");
    EXPECT_TRUE(step_says(seven.steps[2], "4096 × 4096"));
    EXPECT_TRUE(step_says(seven.steps[2], "16,777,216"));
    EXPECT_TRUE(step_says(seven.steps[3], "11008"));
    EXPECT_TRUE(step_says(seven.steps[4], "45,088,768"));
    EXPECT_TRUE(step_says(seven.steps[7], "6,885,871,616")) << "a vocabulary of 50,000, with the norms";
    EXPECT_TRUE(step_says(seven.steps[8], "6,738,415,616")) << "and back again";
    EXPECT_EQ(seven.steps[8].input.tokens, 2048);
}

bool some_step_says(const WorkedTour& tour, std::string_view words) {
    return std::ranges::any_of(tour.steps, [&](const WorkedStep& step) { return step_says(step, words); });
}

TEST(Tours, NameTheTableBesideTheWholeEmbeddingWhereThatHasMore) {
    EXPECT_TRUE(some_step_says(worked(0, "whisper-small"), "39,832,320 of the 43,283,712 here"));
    EXPECT_TRUE(some_step_says(worked(0, "gpt2"), "38,597,376 of the 39,383,808 here"));
    EXPECT_FALSE(some_step_says(worked(0, "llama-2-7b"), "131,072,000 of the 131,072,000"));
}

TEST(Tours, SayOfLayersThatShareOneSetThatTheyDo) {
    const WorkedTour albert = worked(0, "albert-base-v2");
    EXPECT_TRUE(some_step_says(albert, "Yes: all 12 use one set of 7,087,872."));
    EXPECT_TRUE(some_step_says(albert, "2,362,368 parameters in each layer"));
    EXPECT_FALSE(some_step_says(albert, "its own numbers"));
    const WorkedTour bert = worked(0, "bert-base-uncased");
    EXPECT_TRUE(some_step_says(bert, "each layer has its own numbers"));
    EXPECT_FALSE(some_step_says(bert, "one set"));
}

TEST(Tours, FromSevenToEightChangesOneFieldAfterTheOther) {
    const WorkedTour tour = worked(3, "gpt2");
    ASSERT_EQ(tour.steps.size(), 6u);
    EXPECT_EQ(tour.steps[0].architecture, preset("llama-2-7b")) << "it names its own model";
    for (std::size_t step = 1; step <= 4; ++step) {
        EXPECT_EQ(tour.steps[step].view, "compare") << step;
        EXPECT_EQ(tour.steps[step].with, "llama-3-8b") << step;
    }
    EXPECT_EQ(tour.steps[1].architecture, preset("llama-2-7b"));
    EXPECT_EQ(tour.steps[2].architecture.vocab, 128256);
    EXPECT_EQ(tour.steps[3].architecture.vocab, 128256) << "a change lasts";
    EXPECT_TRUE(step_says(tour.steps[3], "8 key/value heads for 32 query heads"));
    EXPECT_TRUE(step_says(tour.steps[3], "4,194,304"));
    EXPECT_TRUE(step_says(tour.steps[4], "58,720,256"));
    EXPECT_TRUE(step_says(tour.steps[4], "8,030,261,248")) << "as many as the other: nothing differs any more";
    EXPECT_EQ(tour.steps[5].architecture, preset("llama-3-8b"));
    EXPECT_TRUE(step_says(tour.steps[5], "8,030,261,248"));
    EXPECT_TRUE(step_says(tour.steps[5], "218,112,000"));
}

TEST(Tours, FollowTheArchitectureThatIsLoaded) {
    EXPECT_TRUE(step_says(worked(0, "mixtral-8x7b").steps[9], "2 of 8 experts"));
    EXPECT_TRUE(step_says(worked(0, "mixtral-8x7b").steps[9], "12,879,925,248")) << "active";
    EXPECT_TRUE(step_says(worked(0, "deepseek-v3").steps[5], "bottleneck"));
    EXPECT_TRUE(step_says(worked(0, "gpt2").steps[0], "124,439,808"));
    EXPECT_TRUE(step_says(worked(2, "llama-3-8b", 7).steps[1], "100 × 128")) << "this tour has its own input";
}

TEST(Tours, AStepThatMakesNoSenseIsLeftOutWithANote) {
    const auto tour = parsed(R"({"title": "A", "caption": "c", "select": "layer.feed_forward.router.weight"},
                                {"title": "B", "caption": "{count of layer.feed_forward.router.weight}"},
                                {"title": "C", "caption": "c", "set": {"heads": 77}},
                                {"title": "D", "caption": "c", "select": "field.expert_dim"},
                                {"title": "E", "caption": "c", "needs": "layer.feed_forward.router.weight"},
                                {"title": "{h} heads", "caption": "fine", "at": "layer.attention.head", "copy": 99})");
    ASSERT_TRUE(tour) << sentence(tour.error());
    const auto made = make_tour(*tour, presets(), preset("llama-2-7b"));
    ASSERT_TRUE(made) << sentence(made.error());
    ASSERT_EQ(made->steps.size(), 1u);
    EXPECT_EQ(made->steps[0].title, "32 heads") << "what was left out has changed nothing";
    EXPECT_EQ(made->steps[0].copy, 31) << "the last head there is";
    ASSERT_EQ(made->notes.size(), 4u) << "what a step passes over by itself needs none";
    EXPECT_EQ(made->notes[0], "\"A\" is left out: Llama 2 7B has no layer.feed_forward.router.weight");
    const auto none =
        make_tour(*parsed(R"({"title": "A", "caption": "c", "select": "nowhere"})"), presets(), preset("llama-2-7b"));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().what, "no step of \"t\" makes sense for Llama 2 7B");
}

TEST(Tours, WordsFollowWhatTheClassHasChanged) {
    const TourStep& step = tours().at(0).steps.at(0);
    Architecture changed = preset("llama-2-7b");
    changed.vocab = 50000;
    const auto words = words_for(step, changed, {}, presets());
    ASSERT_TRUE(words);
    EXPECT_NE(words->title.find("6,885,871,616"), std::string::npos) << words->title;
    changed.dim = 4097;
    EXPECT_FALSE(words_for(step, changed, {}, presets())) << "an impossible one";
}

TEST(Tours, AMistakeInAFileIsSaidWithItsPlace) {
    const auto error = [](const std::string& step, const std::string& more = "") {
        const Result<Tour> tour = parsed(step, more);
        return tour ? std::string("none") : sentence(tour.error());
    };
    const std::string good = R"({"title": "A", "caption": "c"})";
    EXPECT_EQ(error(good), "none");
    EXPECT_NE(error(R"({"title": "A", "captoin": "c"})").find("steps[0].captoin"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A"})").find("this step says nothing"), std::string::npos);
    EXPECT_NE(error(R"({"caption": "A"})").find("steps[0].title"), std::string::npos);
    EXPECT_NE(error(good + R"(, {"title": "A", "caption": "{count of"})").find("steps[1].caption"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "{cuont of model}"})").find("nothing that can be asked of a model"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "answer": "x"})").find("steps[0].ask"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "select": "component.atention"})").find("attention"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "select": "field.vocabulary"})").find("steps[0].select"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "select": 3})").find("this is not text"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "set": {"vocabb": 3}})").find("steps[0].set.vocabb"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "copy": 3})").find("steps[0].copy"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "at": "layer", "copy": -1})").find("steps[0].copy"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "at": "../../etc"})").find("steps[0].at"), std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "light": "field.dim"})").find("steps[0].light"),
              std::string::npos);
    EXPECT_NE(error(R"({"title": "A", "caption": "c", "input": {"tokens": 0}})").find("steps[0].input.tokens"),
              std::string::npos);
    EXPECT_NE(error("3").find("this is not a step"), std::string::npos);
    EXPECT_NE(error(good, R"("presset": "gpt2", )").find("presset"), std::string::npos);
    EXPECT_NE(error("").find("too short"), std::string::npos);
}

TEST(Tours, WhatAStepSetsIsSaidShortlyHoweverLongItIs) {
    std::string list = "[1";
    for (int i = 0; i < 10'000; ++i) list += ", 1";
    for (const std::string& value : {list + "]", '"' + std::string(15'000, '1') + '"'}) {
        const Result<Tour> tour = parsed(R"({"title": "a", "caption": "b"}, {"title": ")" + std::string(9'000, 't') +
                                         R"(", "caption": "c", "set": {"dim": )" + value + "}}");
        ASSERT_TRUE(tour) << sentence(tour.error());
        const Result<WorkedTour> made = make_tour(*tour, presets(), preset("llama-2-7b"), {});
        ASSERT_TRUE(made);
        ASSERT_EQ(made->notes.size(), 1u);
        EXPECT_LT(made->notes.front().size(), 400u) << made->notes.front().substr(0, 400);
    }
}

TEST(Tours, HostileFilesAreRefused) {
    for (const char* const text : {"", "[]", "{", "{\"title\": \"t\"}", "{\"title\": \"t\", \"steps\": 3}",
                                   "{\"title\": \"t\", \"steps\": {}}", "{\"title\": 1, \"steps\": []}", "\xFF\xFE"})
        EXPECT_FALSE(parse_tour(text, "x", "x.json")) << text;
    std::string many = R"({"title": "t", "steps": [)";
    for (int i = 0; i < 300; ++i) many += std::string(i == 0 ? "" : ",") + R"({"title": "A", "caption": "c"})";
    EXPECT_FALSE(parse_tour(many + "]}", "x", "x.json"));
    EXPECT_FALSE(parsed(R"({"title": ")" + std::string(30'000, 'x') + R"(", "caption": "c"})"));
    EXPECT_FALSE(parsed(R"({"title": "A", "caption": "c", "at": ")" + std::string(300, 'x') + "\"}"));
}

TEST(Tours, AFolderThatIsNotThereHasNoneAndOneThatCannotBeSeenIsReported) {
    const Scratch scratch;
    EXPECT_TRUE(find_tours(scratch.folder() / "none").failures.empty());
    const std::filesystem::path loop = scratch.folder() / "loop";
    std::filesystem::create_directory_symlink(loop, loop);
    const FoundTours found = find_tours(loop);
    EXPECT_TRUE(found.tours.empty());
    ASSERT_EQ(found.failures.size(), 1u);
    EXPECT_EQ(found.failures.front().where, loop.string());
}

TEST(Tours, AnUnknownPresetIsAnErrorOfTheFile) {
    const auto first =
        make_tour(*parsed(R"({"title": "A", "caption": "c"})", R"("preset": "lama-7b", )"), presets(), preset("gpt2"));
    ASSERT_FALSE(first);
    EXPECT_NE(sentence(first.error()).find("llama-7b"), std::string::npos);
    const auto second =
        make_tour(*parsed(R"({"title": "A", "caption": "c", "preset": "gtp2"})"), presets(), preset("gpt2"));
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().where.find("steps[0].preset"), std::string::npos);
}

TEST(Tours, AStepMayLookIntoARun) {
    const Result<Tour> tour = parsed(
        R"({"title": "a", "caption": "b", "run": {"layer": 1, "head": 2, "tensor": "layer.attention.queries", "row": 5}})");
    ASSERT_TRUE(tour) << sentence(tour.error());
    const Result<WorkedTour> made = make_tour(*tour, presets(), preset("llama-2-7b"), {});
    ASSERT_TRUE(made) << sentence(made.error());
    EXPECT_EQ(made->steps.front().run, (RunLook{1, 2, "layer.attention.queries", 5, 0}));
    for (const auto& [run, why] : {std::pair("3", "no place in the Run view"),
                                   {R"({"layer": -1})", "layer"},
                                   {R"({"row": 3})", "a cell of what?"},
                                   {R"({"token": -3})", "token"}}) {
        const Result<Tour> wrong = parsed(R"({"title": "a", "caption": "b", "run": )" + std::string(run) + "}");
        ASSERT_FALSE(wrong) << run;
        EXPECT_NE(sentence(wrong.error()).find(why), std::string::npos) << sentence(wrong.error());
    }
}

TEST(References, SayWhatATextIsAbout) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(subjects_in("{name}: {count of model}, {~bytes of cache in llama-2-7b} of {d_ff}"),
              (Names{"name", "model", "cache", "d_ff"}));
    EXPECT_EQ(subjects_in("count of layer.attention without norms"), Names{"layer.attention"});
    EXPECT_EQ(subjects_in("For 2,048 tokens, how many of them?"), Names{});
    EXPECT_EQ(subjects_in("a brace {that is never closed"), Names{});
}

}  // namespace
}  // namespace headcount
