// Saving and restoring: nothing is lost, nothing damaged stops the program.
#include "app/state/storage.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <iterator>

#include "app/state/session.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "core/files/devices.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using testing_data::all_presets;

class Storage : public testing::Test {
  protected:
    Storage() { fs::create_directories(directory); }
    ~Storage() override { fs::remove_all(directory); }

    fs::path directory = fs::temp_directory_path() / ("headcount-storage-" + std::to_string(::getpid()) + "-" +
                                                      testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::path file = directory / "document.json";
};

TEST_F(Storage, RestoresEveryPresetAsItWas) {
    for (const Preset& preset : all_presets()) {
        Saved saved{document_of(preset), View{.theme = ThemeChoice::light, .scale = 1.25F}};
        saved.document.input = {.tokens = 9, .batch = 3, .cached = 50, .precision = Precision::int4};
        saved.selection = Component::feed_forward;
        Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
        ASSERT_TRUE(back) << preset.id << " " << sentence(back.error());
        EXPECT_EQ(*back, saved) << preset.id;
    }
}

TEST_F(Storage, RestoresEditsEvenImpossibleOnes) {
    Saved saved{document_of(all_presets().front()), {}};
    saved.document.architecture = *with_field(saved.document.architecture, Field::heads, "7");
    EXPECT_EQ(*saved_from_text(saved_text(saved), "document.json"), saved);
}

TEST_F(Storage, RestoresEveryTabAndTheFirstForOneThatIsNotKnown) {
    Saved saved{document_of(all_presets().front()), {}};
    for (std::size_t tab = 0; tab < bottom_tab_keys.size(); ++tab) {
        saved.view.bottom_tab = static_cast<BottomTab>(tab);
        EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.bottom_tab, saved.view.bottom_tab);
    }
    std::string text = saved_text(saved);
    text.replace(text.find("\"weights\""), 9, "\"layers\"");
    EXPECT_EQ(saved_from_text(text, "document.json")->view.bottom_tab, BottomTab::activations);
}

TEST_F(Storage, RestoresWhatASweepGoesThrough) {
    Saved saved{document_of(all_presets().front()), {}};
    std::vector<ValueRange>& ranges = saved.view.what_if.sweep.ranges;
    for (const char* text : {"layers=8..64:8", "tokens=1k,8k,128k", "batch=1..64:x2", "heads=8,12"}) {
        ranges = {*parse_range(text)};
        EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.what_if.sweep.ranges, ranges) << text;
    }
    for (const char* text : {"dtype=bf16,int8,file", "kv_dtype=fp8,bf16", "device=h100,rtx-4090"}) {
        const auto read = [](std::string_view id) { return named_device(*known_devices(), id); };
        ranges = {*parse_varied(text, read)};
        EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.what_if.sweep.ranges, ranges) << text;
    }
    std::string unknown = saved_text(saved);
    unknown.replace(unknown.find("rtx-4090"), 8, "abacus-1");
    EXPECT_TRUE(saved_from_text(unknown, "document.json")->view.what_if.sweep.ranges.empty());
    ranges = {*parse_range("heads=8,12")};
    std::string wrong = saved_text(saved);
    wrong.replace(wrong.find("8,12"), 4, "8,no");
    EXPECT_TRUE(saved_from_text(wrong, "document.json")->view.what_if.sweep.ranges.empty());
}

TEST_F(Storage, RestoresHowACacheIsKept) {
    Saved saved{document_of(all_presets().front()), {}};
    saved.view.costs.serving = {.chunk = 512, .reserve = 5, .pad = 256};
    EXPECT_EQ(saved_from_text(saved_text(saved), "document.json")->view.costs.serving, saved.view.costs.serving);
}

TEST_F(Storage, TakesTheUsualInputWhereASavedOneIsOutOfRange) {
    Saved saved{document_of(all_presets().front()), {}};
    std::string text = saved_text(saved);
    std::size_t at = text.find("\"input\"");
    for (const char* input : {R"({"tokens": 0, "batch": -1, "cached": -9223372036854775808})",
                              R"({"tokens": 18446744073709551615, "batch": 1e3, "cached": "4"})"}) {
        std::string other = text.substr(0, at) + "\"input\": " + input + text.substr(text.find('}', at) + 1);
        Result<Saved> back = saved_from_text(other, "document.json");
        ASSERT_TRUE(back) << sentence(back.error());
        EXPECT_EQ(back->document.input, Input{});
    }
}

TEST_F(Storage, StartsAsNewWithoutAFile) {
    Restored restored = restore(file);
    EXPECT_FALSE(restored.saved);
    EXPECT_EQ(restored.notice, "");
}

TEST_F(Storage, SetsADamagedFileAsideAndSaysSo) {
    std::string good = saved_text({document_of(all_presets().front()), {}});
    std::vector<std::string> damaged{"",
                                     "{",
                                     "[]",
                                     std::string(100'000, '['),
                                     good.substr(0, good.size() / 2),
                                     R"({"base": 1})",
                                     R"({"base": {"type": "llama", "fields": {"dim": "x"}}})",
                                     R"({"base": {"type": "llama", "fields": {"dim": "99999999999999999999"}}})"};
    for (const std::string& text : damaged) {
        ASSERT_TRUE(write_text(file, text));
        Restored restored = restore(file);
        EXPECT_FALSE(restored.saved);
        EXPECT_NE(restored.notice.find("set aside"), std::string::npos) << restored.notice;
        EXPECT_FALSE(fs::exists(file));
    }
    auto kept = std::distance(fs::directory_iterator(directory), fs::directory_iterator{});
    EXPECT_EQ(static_cast<std::size_t>(kept), damaged.size());
}

TEST_F(Storage, SaysShortlyWhatIsWrongHoweverLongItIs) {
    std::string text = saved_text({document_of(all_presets().front()), {}});
    const std::string field = "\"dim\": \"";
    text.insert(text.find(field) + field.size(), std::string(20'000, '1'));
    ASSERT_TRUE(write_text(file, text));
    const std::string notice = restore(file).notice;
    EXPECT_TRUE(notice.starts_with("The saved document could not be read")) << notice.substr(0, 400);
    EXPECT_LT(notice.size(), 800u);
}

TEST_F(Storage, RefusesABaseThatCannotBeCounted) {
    Saved saved{document_of(all_presets().front()), {}};
    saved.document.base = *with_field(saved.document.base, Field::vocab, "9000000000000000000");
    Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
    ASSERT_FALSE(back);
    EXPECT_NE(sentence(back.error()).find("64 bits"), std::string::npos);
}

}  // namespace
}  // namespace headcount
