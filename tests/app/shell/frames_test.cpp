// Claims about what moves as pictures: the same each time, one picture for what rests, in a folder or a file.
#include "app/shell/frames.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/gl/offscreen.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/start.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

RenderOptions options_of(Place at) {
    RenderOptions options;
    options.document = document_of(*find_preset(test::all_presets(), "gpt2"));
    options.size = {480, 360};
    options.at = std::move(at);
    return options;
}

std::vector<FilmFrame> frames_of(Session session, const RenderOptions& options) {
    std::vector<FilmFrame> frames;
    const Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
    Result<SceneRenderer> scenes = SceneRenderer::create();
    EXPECT_TRUE(offscreen && scenes);
    Film film(std::move(session), options, *scenes);
    while (!film.over()) {
        Result<std::optional<FilmFrame>> frame = film.next();
        EXPECT_TRUE(frame) << sentence(frame.error());
        if (!frame) break;
        if (*frame) frames.push_back(**std::move(frame));
    }
    return frames;
}
std::vector<FilmFrame> frames_of(const RenderOptions& options) {
    return frames_of(*start_afresh(options.document, options.theme), options);
}

TEST(Frames, GoFromTheModelToThePlaceAndAreTheSameEachTime) {
    const RenderOptions options = options_of({"layer.attention", 0, {}});
    const std::vector<FilmFrame> frames = frames_of(options);
    ASSERT_GT(frames.size(), 20U) << "a third of a second, four times as slow";
    EXPECT_NE(frames.front().pixels, frames.back().pixels);
    const auto other = [&](const FilmFrame& a, const FilmFrame& b) { return !(a.pixels == b.pixels); };
    int changes = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) changes += other(frames[i - 1], frames[i]);
    EXPECT_GT(changes, 20);
    EXPECT_EQ(frames, frames_of(options));
}

TEST(Frames, AreNumberedInAFolderWithHowLongEachIsSeen) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "headcount_frames_test";
    std::filesystem::remove_all(folder);
    RenderOptions options = options_of({"layer.attention", 0, {}});
    options.frames = folder;
    const auto written = write_rendered(options);
    ASSERT_TRUE(written) << sentence(written.error());
    EXPECT_EQ(*written, folder / "frames.txt");
    std::ifstream list(folder / "frames.txt");
    std::string line;
    std::getline(list, line);
    EXPECT_EQ(line, "ffconcat version 1.0");
    int files = 0;
    double seconds = 0;
    while (std::getline(list, line)) {
        if (line.starts_with("duration ")) seconds += std::stod(line.substr(9));
        if (!line.starts_with("file ")) continue;
        EXPECT_GT(std::filesystem::file_size(folder / line.substr(5)), 500U) << line;
        ++files;
    }
    EXPECT_GT(files, 20);
    EXPECT_GT(seconds, 4);
    EXPECT_LT(seconds, 8);
    EXPECT_TRUE(std::filesystem::exists(folder / "0001.png"));
    const auto again = write_rendered(options);
    ASSERT_FALSE(again) << "two films in one folder would be one";
    EXPECT_NE(sentence(again.error()).find("there are files in this folder"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(Frames, OfATrainingAreNotHeldUpByIt) {
    RenderOptions options = options_of({});
    const Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
    Result<SceneRenderer> scenes = SceneRenderer::create();
    ASSERT_TRUE(offscreen && scenes);
    Session session = *start_afresh(options.document, options.theme);
    session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
    for (Tour& tour : session.tours)
        for (TourStep& step : tour.steps)
            if (step.train) step.train->learned.reset();  // then a picture has 240 steps
    headcount::apply(session, Intents{StartTour{"10-it-knows-nothing"}});
    const auto waits_until = [&](Film& film, std::size_t scene) {
        int waits = 0;
        while (film.scene() < scene) {
            const Result<std::optional<FilmFrame>> frame = film.next();
            EXPECT_TRUE(frame);
            if (!frame) break;
            waits += !*frame;
        }
        return waits;
    };
    Session later = session;
    later.training = {};  // of its own
    headcount::apply(later, Intents{StepTour{1, true}});
    Film film(std::move(session), options, *scenes);
    EXPECT_EQ(film.progress().scenes, 7U + 6U) << "its steps, and the answers to what they ask";
    EXPECT_EQ(waits_until(film, 5), 20) << "240 steps are learned twelve at a time, and once for all steps";
    EXPECT_EQ(film.progress().to_learn, 0) << "what is shown was learned";
    Film from_there(std::move(later), options, *scenes);
    ASSERT_TRUE(from_there.next());
    EXPECT_EQ(from_there.progress(),
              (FilmProgress{.scenes = from_there.progress().scenes, .learnt = 12, .to_learn = 240}));
    EXPECT_EQ(waits_until(from_there, 1), 19) << "nor is it begun later";
}

TEST(Frames, OfATourShowTheAnswerToWhatAStepAsks) {
    RenderOptions options = options_of({});
    Session session = *start_afresh(options.document, options.theme);
    session.tours = {*parse_tour(R"({"title": "Two", "steps": [
        {"title": "One", "caption": "c", "ask": "How wide?", "answer": "{d} wide"}, {"title": "Two", "caption": "c"}]})",
                                 "two", "two.json")};
    headcount::apply(session, Intents{StartTour{"two"}, Present{true}});
    Session revealed = session;
    headcount::apply(revealed, Intents{StepTour{1}});
    ASSERT_TRUE(revealed.view.show.revealed);
    const std::vector<FilmFrame> frames = frames_of(session, options), answers = frames_of(revealed, options);
    const auto rests = [](const std::vector<FilmFrame>& film) {
        std::vector<FilmFrame> still;
        std::ranges::copy_if(film, std::back_inserter(still), [](const FilmFrame& each) { return each.seconds > 1; });
        return still;
    };
    ASSERT_EQ(rests(frames).size(), 3U) << "the question, its answer, and the next step";
    ASSERT_EQ(rests(answers).size(), 2U);
    EXPECT_NE(rests(frames)[0].pixels, rests(frames)[1].pixels);
    EXPECT_EQ(rests(frames)[1].pixels, rests(answers)[0].pixels) << "as one presses for it";
}

TEST(Frames, AreAGifWhereTheFileIsCalledOne) {
    const testing_data::Scratch scratch;
    RenderOptions options = options_of({"layer.attention", 0, {}});
    options.frames = scratch.folder() / "way.GIF";
    const auto written = write_rendered(options);
    ASSERT_EQ(static_cast<bool>(written), writes_gif());
    if (!written) {
        EXPECT_NE(sentence(written.error()).find("ffmpeg"), std::string::npos);
        return;
    }
    EXPECT_EQ(*written, options.frames);
    std::ifstream file(options.frames, std::ios::binary);
    std::string begin(6, ' ');
    file.read(begin.data(), 6);
    EXPECT_EQ(begin, "GIF89a");
    EXPECT_GT(std::filesystem::file_size(options.frames), 20'000U);
}

TEST(Frames, OfWhichNothingIsLeftWhereTheyAreCancelled) {
    const testing_data::Scratch scratch;
    RenderOptions options = options_of({"layer.attention", 0, {}});
    const Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
    Result<SceneRenderer> scenes = SceneRenderer::create();
    ASSERT_TRUE(offscreen && scenes);
    std::vector<std::string> names{"new", "there"};
    if (writes_gif()) names.push_back("way.gif");
    std::filesystem::create_directory(scratch.folder() / "there");
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        options.frames = scratch.folder() / name;
        Result<std::unique_ptr<Filming>> filming =
            Filming::begin(*start_afresh(options.document, options.theme), options, *scenes);
        ASSERT_TRUE(filming) << sentence(filming.error());
        for (int i = 0; i < 8; ++i) ASSERT_TRUE((*filming)->go_on());
        EXPECT_EQ((*filming)->frames(), 8U);
        filming->reset();
        EXPECT_EQ(std::filesystem::exists(options.frames), name == "there") << "a folder that was there stays";
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder() / "there"));
}

TEST(Frames, ThatAreBeingSavedSayHowFarAndAreCancelledByOnePress) {
    test::ExploreStage stage;
    stage.session.view.film = FilmProgress{.scene = 2, .scenes = 12, .frames = 57};
    stage.frames(3);
    ASSERT_TRUE(stage.screen.recorder.find("film"));
    const auto width = [&] {
        const NamedRect* const said = stage.screen.recorder.find("film");
        return said->max.x - said->min.x;
    };
    const float before = width();
    stage.session.view.film->learnt = 120, stage.session.view.film->to_learn = 400;
    stage.frames(3);
    EXPECT_GT(width(), before + 100) << ", learning: step 120 of 400";
    stage.click("film.stop");
    EXPECT_FALSE(stage.session.view.film);
    stage.frames(2);
    EXPECT_FALSE(stage.screen.recorder.find("film"));
}

}  // namespace
}  // namespace headcount
