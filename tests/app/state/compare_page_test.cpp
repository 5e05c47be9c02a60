// Claims about the model that the document is compared with: what it is, what edits of it do, and what undo brings
// back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/state/compare/numbers.hpp"
#include "app/state/compare/page.hpp"
#include "app/state/in_view.hpp"
#include "app/state/storage.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::ask;
using test::edit;
using test::session_of;

void ask_compare(Session& session, CompareIntent intent) { ask(session, AtCompare{std::move(intent)}); }

Session open_compare(std::string_view a = "llama-2-7b", std::string_view b = "llama-3-8b") {
    Session session = session_of(a);
    ask(session, ShowWorkspace{compare_view});
    if (!b.empty()) ask_compare(session, CompareWithPreset{std::string(b)});
    return session;
}

std::int64_t difference_of(const Session& session) {
    EXPECT_TRUE(session.comparison.difference) << session.comparison.failure;
    return session.comparison.difference ? session.comparison.difference->total : 0;
}

void edit_other(Session& session, Field field, std::string_view text) {
    const Architecture changed =
        *with_field(compared_with(session.document, session.presets).architecture, field, text);
    ask_compare(session, ReplaceOther{changed, field});
}

constexpr std::int64_t published = 1'291'845'632;  // Llama 2 7B to Llama 3 8B

TEST(ComparePage, Llama3IsLargerThanLlama2ByThePublishedDifference) {
    const Session session = open_compare();
    ASSERT_EQ(difference_of(session), published);
    const Difference& difference = *session.comparison.difference;
    EXPECT_EQ(difference.of(Component::embedding), 394'264'576);
    EXPECT_EQ(difference.of(Component::output), 394'264'576);
    EXPECT_EQ(difference.of(Component::attention), -805'306'368);
    EXPECT_EQ(difference.of(Component::feed_forward), 1'308'622'848);
}

TEST(ComparePage, EachSideIsInTheFormatsThatItIsPublishedIn) {
    Session session = open_compare("llama-3-8b", "gpt-oss-20b");
    const auto formats = [&] { return session.comparison.other->document.input.precision; };
    EXPECT_EQ(formats(), quantized_formats(find_preset(all_presets(), "gpt-oss-20b")->architecture));
    ask_compare(session, SwapSides{});
    EXPECT_EQ(formats(), Formats(Precision::bf16));
    EXPECT_EQ(session.document.input.precision, quantized_formats(session.document.base));
    Document chosen = session.document;
    chosen.input.precision = Precision::fp16;
    ask(session, Replace{chosen, {}});
    EXPECT_EQ(formats(), Formats(Precision::fp16));
}

TEST(ComparePage, AFileIsInTheFormatOfItsWeightsWhereTheyAloneSayIt) {
    const testing_data::Scratch scratch;
    const std::string file = write_model(scratch, "half");
    const std::filesystem::path weights = std::filesystem::path(file) / "model.safetensors";
    std::string bytes = testing_data::read_file(weights);
    for (std::size_t at = 0; (at = bytes.find("\"BF16\"", at)) != std::string::npos;) bytes.replace(at, 6, "\"F16\" ");
    scratch.file("half/model.safetensors", bytes);
    Session session = open_compare("gpt2", "");
    ask_compare(session, CompareWithFile{file});
    const auto formats = [&] { return session.comparison.other->document.input.precision; };
    EXPECT_EQ(formats(), Formats(Precision::fp16));
    EXPECT_EQ(session.document.input.precision, Formats(Precision::bf16));
    const Result<Saved> restored = saved_from_text(saved_text(Saved{session.document, session.view}), "saved");
    ASSERT_TRUE(restored) << sentence(restored.error());
    EXPECT_EQ(restored->document, session.document);
    ask_compare(session, SwapSides{});
    EXPECT_EQ(formats(), Formats(Precision::bf16));
    EXPECT_EQ(session.document.input.precision, Formats(Precision::fp16));
    ask(session, OpenPreset{"gpt2"});
    EXPECT_EQ(session.document.input.precision, Formats(Precision::bf16)) << "the file's format is the file's";
}

TEST(ComparePage, NumbersOfTwoFilesAreComparedTensorByTensor) {
    const testing_data::Scratch scratch;
    Session session = session_of("gpt2");
    ask(session, OpenFile{write_filled_model(scratch, "a")});
    ask(session, ShowWorkspace{compare_view});
    ask_compare(session, CompareWithFile{write_filled_model(scratch, "b", "model.layers.1.mlp.up_proj.weight")});
    EXPECT_FALSE(session.comparison.finder) << "nobody has looked at numbers";
    ask_compare(session, ShowCompareTab{CompareTab::numbers});
    ASSERT_TRUE(session.comparison.finder) << session.comparison.no_numbers;
    session.comparison.finder->wait_until_calm();
    ask_compare(session, TakeNumbers{});
    EXPECT_FALSE(has_news(session.comparison));
    const std::shared_ptr<const NumbersApart> apart = session.comparison.apart;
    ASSERT_TRUE(apart) << session.comparison.no_numbers;
    ASSERT_FALSE(apart->wrong) << sentence(*apart->wrong);
    ASSERT_EQ(apart->errors.tensors.size(), 21U);
    for (std::size_t i = 0; i < apart->errors.tensors.size(); ++i) {
        const TensorError& each = apart->errors.tensors[i];
        EXPECT_EQ(each.error.share(), each.name == "model.layers.1.mlp.up_proj.weight" ? 0.5 : 0) << each.name;
        EXPECT_EQ(apart->stored[i], (std::array<std::string, 2>{"BF16", "BF16"})) << each.name;
    }
    EXPECT_DOUBLE_EQ(apart->by_tensor.at("layer.feed_forward.up.weight"), std::sqrt(0.125))
        << "half of one layer, and nothing of the other";
    EXPECT_EQ(apart->by_tensor.at("layer.attention.query.weight"), 0);
    EXPECT_EQ(apart->largest, apart->by_tensor.at("layer.feed_forward.up.weight"));
}

TEST(ComparePage, TheRanksOfWhatTheyDifferByFollow) {
    const testing_data::Scratch scratch;
    Session session = session_of("gpt2");
    ask(session, OpenFile{write_filled_model(scratch, "a")});
    ask(session, ShowWorkspace{compare_view});
    ask_compare(session, CompareWithFile{write_filled_model(scratch, "b", "model.layers.1.mlp.up_proj.weight")});
    ask_compare(session, ShowCompareTab{CompareTab::numbers});
    session.comparison.finder->wait_until_calm();
    ask_compare(session, TakeNumbers{});
    const NumbersApart& apart = *session.comparison.apart;
    EXPECT_TRUE(apart.ranked);
    ASSERT_EQ(apart.ranks.size(), apart.errors.tensors.size());
    for (std::size_t i = 0; i < apart.ranks.size(); ++i)
        EXPECT_EQ(apart.ranks[i].has_value(), apart.errors.tensors[i].error.difference > 0)
            << apart.errors.tensors[i].name;
}

TEST(ComparePage, AFileThatIsAnotherUnderItsNameIsReadAgain) {
    const testing_data::Scratch scratch;
    Session session = session_of("gpt2");
    ask(session, OpenFile{write_filled_model(scratch, "a")});
    ask(session, ShowWorkspace{compare_view});
    ask_compare(session, CompareWithFile{write_filled_model(scratch, "b", "model.layers.1.mlp.up_proj.weight")});
    ask_compare(session, ShowCompareTab{CompareTab::numbers});
    session.comparison.finder->wait_until_calm();
    ask_compare(session, TakeNumbers{});
    EXPECT_GT(session.comparison.apart->errors.all.difference, 0);
    const std::shared_ptr<const NumbersApart> before = session.comparison.apart;
    ask_compare(session, TakeNumbers{});
    EXPECT_EQ(session.comparison.apart, before) << "nothing is another";
    const std::string file = write_filled_model(scratch, "b");
    for (const auto& each : std::filesystem::recursive_directory_iterator(file))
        std::filesystem::last_write_time(each, std::filesystem::last_write_time(each) + std::chrono::seconds(2));
    ask_compare(session, TakeNumbers{});
    session.comparison.finder->wait_until_calm();
    ask_compare(session, TakeNumbers{});
    ASSERT_TRUE(session.comparison.apart) << session.comparison.no_numbers;
    EXPECT_EQ(session.comparison.apart->errors.all.difference, 0);
}

TEST(ComparePage, WithoutTwoFilesItSaysWhichOneHasNoNumbers) {
    Session session = open_compare();
    ask_compare(session, ShowCompareTab{CompareTab::numbers});
    EXPECT_FALSE(session.comparison.finder);
    EXPECT_EQ(session.comparison.no_numbers,
              "Llama 2 7B has no file of weights here: open one. Llama 3 8B has no file of weights here: open one.");
}

TEST(ComparePage, NobodyPaysForItBeforeSomebodyLooks) {
    Session session = session_of(all_presets().front().id);
    ask(session, Select{TotalSubject{}});
    EXPECT_FALSE(session.comparison.difference);
    EXPECT_FALSE(session.comparison.other);
}

TEST(ComparePage, IsNotWorkedOutAgainWhereNeitherSideChanges) {
    Session session = open_compare();
    const auto before = session.comparison.difference;
    ask_compare(session, SplitBy{CompareSplit::kind});
    ask(session, Hover{Component::attention});
    EXPECT_EQ(session.comparison.difference, before);
    ask(session, edit(session, Field::layers, "31"));
    EXPECT_NE(session.comparison.difference, before);
}

TEST(ComparePage, AnEditIsComparedWithItsPresetWhereNothingIsChosen) {
    Session session = open_compare("llama-2-7b", "");
    EXPECT_EQ(why_compared_with(session.document), ComparedBecause::alike);
    ask(session, ShowWorkspace{explore_view});
    ask(session, edit(session, Field::vocab, "50000"));
    ask(session, ShowWorkspace{compare_view});
    EXPECT_EQ(why_compared_with(session.document), ComparedBecause::edited);
    EXPECT_EQ(session.comparison.other->document.preset, "llama-2-7b");
    EXPECT_EQ(difference_of(session), -2 * 18'000 * 4'096);
}

TEST(ComparePage, AnEditInTheViewLeavesTheModelThatIsShownBesideIt) {
    Session session = open_compare("llama-2-7b", "");
    ASSERT_EQ(session.comparison.other->document.preset, "llama-3-8b");
    ask(session, edit(session, Field::layers, "31"));
    EXPECT_EQ(session.comparison.other->document.preset, "llama-3-8b");
    ask(session, Undo{});
    EXPECT_EQ(why_compared_with(session.document), ComparedBecause::alike);
}

TEST(ComparePage, AnUneditedPresetIsBesideAnotherOfItsFamily) {
    for (const Preset& preset : all_presets()) {
        const Compared with = compared_with(session_of(preset.id).document, all_presets());
        EXPECT_NE(with.preset, preset.id);
        const bool alone = std::none_of(all_presets().begin(), all_presets().end(), [&](const Preset& other) {
            return other.id != preset.id && other.architecture.family == preset.architecture.family;
        });
        EXPECT_TRUE(alone || with.architecture.family == preset.architecture.family) << preset.id;
    }
    EXPECT_EQ(compared_with(session_of("llama-2-7b").document, all_presets()).preset, "llama-3-8b");
}

TEST(ComparePage, SwappedItIsTheNegative) {
    Session session = open_compare();
    ask(session, edit(session, Field::layers, "30"));
    const std::int64_t before = difference_of(session);
    const Document a = session.document;
    ask_compare(session, SwapSides{});
    EXPECT_EQ(difference_of(session), -before);
    EXPECT_EQ(session.document.preset, "llama-3-8b");
    EXPECT_EQ(session.document.with->architecture, a.architecture) << "edits go along";
    ask_compare(session, SwapSides{});
    EXPECT_EQ(session.document, a);
}

TEST(ComparePage, CopiesOneFieldAcrossEitherWay) {
    Session session = open_compare();
    ask_compare(session, CopyField{Field::kv_heads, CompareSide::a});
    EXPECT_EQ(field_number(session.document.architecture, Field::kv_heads), 8);
    EXPECT_EQ(difference_of(session), published + 805'306'368);
    ask_compare(session, CopyField{Field::vocab, CompareSide::b});
    EXPECT_EQ(field_number(session.document.with->architecture, Field::vocab), 32'000);
    EXPECT_EQ(difference_of(session), 1'308'622'848);
}

TEST(ComparePage, WhatTheOtherSideDoesNotHaveIsNotCopied) {
    Session session = open_compare("llama-2-7b", "mixtral-8x7b");
    const Document before = session.document;
    ask_compare(session, CopyField{Field::expert_dim, CompareSide::b});
    EXPECT_FALSE(session.view.notice.text.empty() && session.document == before)
        << "either it is copied or a sentence says why not";
}

TEST(ComparePage, PinnedFurtherEditsAreComparedWithWhatItWas) {
    Session session = open_compare("llama-2-7b", "");
    ask(session, edit(session, Field::layers, "40"));
    ask_compare(session, PinThis{});
    EXPECT_EQ(difference_of(session), 0);
    ask(session, edit(session, Field::layers, "41"));
    EXPECT_EQ(difference_of(session), -202'383'360) << "a layer of Llama 2 7B";
    EXPECT_EQ(session.comparison.other->document.architecture.layers, 40);
}

TEST(ComparePage, UndoAndRedoTakeTheOtherModelAlong) {
    Session session = open_compare();
    edit_other(session, Field::layers, "16");
    const std::int64_t edited = difference_of(session);
    EXPECT_NE(edited, published);
    ask(session, Undo{});
    EXPECT_EQ(difference_of(session), published);
    ask(session, Redo{});
    EXPECT_EQ(difference_of(session), edited);
    ask(session, Undo{});
    ask(session, Undo{});
    EXPECT_FALSE(session.document.with) << "it was not chosen yet";
}

TEST(ComparePage, ADragOfTheOtherModelIsOneUndoEntry) {
    Session session = open_compare();
    const Architecture base = session.document.with->architecture;
    for (const char* layers : {"31", "30", "29"})
        ask_compare(session, ReplaceOther{*with_field(base, Field::layers, layers), Field::layers, false, 7});
    ask(session, Settle{7});
    EXPECT_EQ(session.document.with->architecture.layers, 29);
    ask(session, Undo{});
    EXPECT_EQ(session.document.with->architecture, base);
}

TEST(ComparePage, AnImpossibleOtherModelKeepsWhatWasCountedAndSaysWhy) {
    Session session = open_compare();
    edit_other(session, Field::heads, "7");
    EXPECT_FALSE(session.comparison.other->derived.current);
    EXPECT_FALSE(session.comparison.other->derived.problems.empty());
    EXPECT_EQ(difference_of(session), published) << "the last one that was possible";
    ask(session, Undo{});
    EXPECT_TRUE(session.comparison.other->derived.current);
}

TEST(ComparePage, OpeningAnotherModelKeepsWhatItIsComparedWith) {
    Session session = open_compare();
    ask(session, OpenPreset{"llama-2-13b"});
    EXPECT_EQ(session.document.preset, "llama-2-13b");
    ASSERT_TRUE(session.document.with);
    EXPECT_EQ(session.document.with->preset, "llama-3-8b");
    EXPECT_EQ(session.view.workspace, compare_view);
}

TEST(ComparePage, OnTheScreenIsTheUsersOwnModel) {
    Session session = open_compare();
    EXPECT_EQ(&model_in_view(session), &session);
    ask(session, Select{TensorSubject{"layer.feed_forward.up.weight"}});
    EXPECT_EQ(subject_key(session.look.selection), "layer.feed_forward.up.weight");
    EXPECT_EQ(session.comparison.other->look.selection, session.look.selection) << "lit on both";
}

TEST(ComparePage, AFileThatCannotBeReadLeavesTheOtherModelAndSaysWhy) {
    Session session = open_compare();
    ask_compare(session, CompareWithFile{"/no/such/config.json"});
    EXPECT_NE(session.view.notice.text.find("/no/such/config.json"), std::string::npos) << session.view.notice.text;
    EXPECT_EQ(session.document.with->preset, "llama-3-8b");
}

TEST(ComparePage, IsSavedAndRestored) {
    Session session = open_compare();
    edit_other(session, Field::layers, "16");
    ask_compare(session, ShowCompareTab{CompareTab::memory});
    ask_compare(session, SplitBy{CompareSplit::field});
    const Saved saved{session.document, session.view, {}};
    const Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(back->document, session.document);
    EXPECT_EQ(back->view.compare.split, CompareSplit::field);
    EXPECT_EQ(back->view.compare.tab, CompareTab::memory);
    EXPECT_EQ(back->view.workspace, compare_view);
}

// The rest of the document is what the user works on.
void expect_without_other(const std::string& damaged, const Document& left) {
    const Result<Saved> back = saved_from_text(damaged, "document.json");
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_FALSE(back->document.with);
    EXPECT_NE(back->lost.find("compare"), std::string::npos) << back->lost;
    Document expected = left;
    expected.with.reset();
    EXPECT_EQ(back->document, expected);
    EXPECT_EQ(back->view.workspace, compare_view);
}

TEST(ComparePage, ADamagedOtherModelIsLeftOutWithASentenceAndTheRestIsRestored) {
    const Session session = open_compare();
    const std::string text = saved_text({session.document, session.view, {}});
    const std::size_t at = text.find("\"compare\"");
    for (const auto& [from, to] :
         {std::pair("\"architecture\"", "\"architektur\""), {"\"base\"", "\"basis\""}, {"\"fields\"", "\"felder\""}}) {
        SCOPED_TRACE(from);
        std::string damaged = text;
        const std::size_t place = damaged.find(from, at);
        ASSERT_NE(place, std::string::npos);
        damaged.replace(place, std::string_view(from).size(), to);
        expect_without_other(damaged, session.document);
    }
    std::string number = text;
    number.replace(at, std::string_view("\"compare\": {").size(), "\"compare\": 7, \"other\": {");
    expect_without_other(number, session.document);
}

TEST(ComparePage, AnUndamagedDocumentHasLostNothing) {
    const Session session = open_compare();
    const Result<Saved> back = saved_from_text(saved_text({session.document, session.view, {}}), "document.json");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->lost, "");
    EXPECT_TRUE(back->document.with);
}

}  // namespace
}  // namespace headcount
