// Claims about what moves as pictures: the same each time, one picture for what rests, in a folder or a file.
#include "app/shell/frames.hpp"

#include <algorithm>
#include <fstream>

#include "app/gl/offscreen.hpp"
#include "app/shell/shell.hpp"
#include "app/shell/start.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

struct Frame {
    Pixels pixels;
    double seconds = 0;

    bool operator==(const Frame&) const = default;
};

RenderOptions options_of(Place at) {
    RenderOptions options;
    options.document = document_of(*find_preset(test::all_presets(), "gpt2"));
    options.size = {480, 360};
    options.at = std::move(at);
    return options;
}

std::vector<Frame> frames_of(const RenderOptions& options) {
    std::vector<Frame> frames;
    const Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
    Result<SceneRenderer> scenes = SceneRenderer::create();
    EXPECT_TRUE(offscreen && scenes);
    const auto error = draw_frames(*start_afresh(options.document, options.theme), options, *scenes,
                                   [&](const Pixels& pixels, double seconds) -> std::optional<Error> {
                                       frames.push_back({pixels, seconds});
                                       return std::nullopt;
                                   });
    EXPECT_FALSE(error) << sentence(*error);
    return frames;
}

TEST(Frames, GoFromTheModelToThePlaceAndAreTheSameEachTime) {
    const RenderOptions options = options_of({"layer.attention", 0, {}});
    const std::vector<Frame> frames = frames_of(options);
    ASSERT_GT(frames.size(), 20U) << "a third of a second, four times as slow";
    EXPECT_NE(frames.front().pixels, frames.back().pixels);
    const auto other = [&](const Frame& a, const Frame& b) { return !(a.pixels == b.pixels); };
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

}  // namespace
}  // namespace headcount
