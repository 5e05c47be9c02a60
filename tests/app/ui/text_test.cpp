// Claims about fonts, symbols, wrapping, names and matrices to scale.
#include <gtest/gtest.h>

#include <cmath>
#include <embedded_fonts.hpp>

#include "app/ui/fonts.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

using test::Screen;

TEST(Fonts, AFileThatIsNoFontGivesImGuisOwn) {
    const test::Hands hands;
    constexpr std::array<unsigned char, 40> rubbish = {1, 2, 3, 4, 255, 255};
    const std::array<FontFile, 1> files = {{{"Inter-Regular", rubbish}}};
    const Fonts fonts = load_fonts(*ImGui::GetIO().Fonts, files, 1);
    EXPECT_NE(fonts.body.face, nullptr);
    EXPECT_NE(fonts.body.script, nullptr);
}

TEST(Fonts, TruncatedFilesAreNotReadBeyondTheirEnd) {
    for (const EmbeddedFont& font : embedded_fonts()) {
        EXPECT_NEAR(font_facts(font.bytes).line_height, 1.25F, 0.1F) << font.name;
        EXPECT_EQ(font_facts(font.bytes).advance > 0, font.name.starts_with("JetBrains")) << font.name;
        for (std::size_t length = 0; length < 400; length += 3) {
            const std::vector<unsigned char> cut(font.bytes.begin(), font.bytes.begin() + static_cast<long>(length));
            font_facts(cut);
        }
    }
}

TEST(Fonts, SizesGrowWithTheInterfaceScaleAndNothingIsUnderEleven) {
    const test::Hands hands;
    const Fonts one = load_embedded_fonts(*ImGui::GetIO().Fonts, 1);
    for (const Font& font : {one.caption, one.table, one.body, one.mono_caption, one.mono}) EXPECT_GE(font.em, 11);
    const Fonts two = load_embedded_fonts(*ImGui::GetIO().Fonts, 2);
    EXPECT_FLOAT_EQ(two.body.em, 2 * one.body.em);
    EXPECT_GT(two.body.size, 1.8F * one.body.size);
}

// How many vertices the first list has in which `draw` draws.
template <class Draw>
int vertices_of(Draw draw) {
    Screen screen;
    int vertices = 0;
    screen.frames(2, [&](const Ui& ui) {
        draw(ui, *ImGui::GetWindowDrawList());
        vertices = ImGui::GetWindowDrawList()->VtxBuffer.Size;
    });
    return vertices;
}

TEST(Text, OfAnyLengthIsDrawnAsFarAsItIsSeen) {
    const std::string word(400'000, 'x'), product = [] {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += "d_h\xC2\xB7";
        return text;
    }();
    std::string words;
    for (int i = 0; i < 100'000; ++i) words += "w d ";
    for (const std::string& text : {word, words, product}) {
        const ImVec2 at(0, 0), corner(280, 20);
        constexpr ImU32 colour = IM_COL32_WHITE;
        constexpr int most = 20'000;  // the window is 300 pixels wide and 700 high
        EXPECT_LT(
            vertices_of([&](const Ui& ui, ImDrawList& list) { draw_text(list, ui.fonts.body, at, colour, text); }),
            most);
        EXPECT_LT(vertices_of([&](const Ui& ui, ImDrawList& list) {
                      draw_text_in(list, ui.fonts.mono, at, corner, colour, text, Align::right, true);
                  }),
                  most);
        EXPECT_LT(vertices_of([&](const Ui& ui, ImDrawList&) { paragraph(ui, ui.fonts.body, colour, text); }), most);
        EXPECT_LT(vertices_of([&](const Ui& ui, ImDrawList&) { symbol_line(ui, ui.fonts.body, colour, text); }), most);
    }
}

TEST(Text, AWordThatIsTooLongIsBrokenSoThatNothingOfItIsLost) {
    Screen screen;
    screen.frame([&](const Ui& ui) {
        for (const char* letter : {"x", "\xC3\xBC"}) {
            std::string text;
            for (int i = 0; i < 5'000; ++i) text += letter;
            const float whole = text_width(ui.fonts.mono, text);
            const ImVec2 extent = wrapped_extent(ui.fonts.mono, text, 200);
            const float lines = extent.y / wrapped_extent(ui.fonts.mono, "x", 200).y;
            EXPECT_LE(extent.x, 200);
            EXPECT_NEAR(lines, whole / extent.x, whole / extent.x * 0.1F);
        }
    });
}

TEST(Lists, MayHaveMoreVerticesThanSixteenBitsNumber) {
    EXPECT_GT(vertices_of([](const Ui&, ImDrawList& list) {
                  for (int i = 0; i < 40'000; ++i) list.AddRectFilled({0, 0}, {10, 10}, IM_COL32_WHITE);
              }),
              1 << 16);
}

TEST(Fonts, FixedWidthTextIsMeasuredAsImGuiDrawsIt) {
    const test::Hands hands;
    const Fonts fonts = load_embedded_fonts(*ImGui::GetIO().Fonts, 1.25F);
    test::Hands::fonts_are_ready(*ImGui::GetIO().Fonts);
    ImGui::NewFrame();
    for (const Font& font : {fonts.mono_caption, fonts.mono, fonts.mono_body, fonts.mono_result, fonts.mono_total})
        for (const std::string_view text :
             {"6,738,415,616", "100 \xC3\x97 4096", "d", "model.layers.0.mlp.up_proj.weight"})
            EXPECT_NEAR(text_width(font, text),
                        font.face->CalcTextSizeA(font.size, FLT_MAX, 0, text.data(), text.data() + text.size()).x,
                        0.01);
    ImGui::EndFrame();
}

TEST(Text, ANumberThatIsTooWideEndsWhereItsColumnDoes) {
    Screen screen;
    screen.frame([](const Ui& ui) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const int before = list.VtxBuffer.Size;
        draw_text_in(list, ui.fonts.mono, ImVec2(100, 20), ImVec2(130, 40), 0xFFFFFFFFU, "123,456,789", Align::right);
        ASSERT_GT(list.VtxBuffer.Size, before);
        for (int i = before; i < list.VtxBuffer.Size; ++i) EXPECT_LE(list.VtxBuffer[i].pos.x, 131);
    });
}

TEST(Text, IsNeverCutWithinANumberOrItsUnit) {
    constexpr std::array<std::string_view, 8> texts{
        "242 MiB",      "242 MiB of 24.0 GiB", "in all 7,241,732,096 parameters",    "[1024, 3072]",
        "+503,316,480", "Llama 2 7B (edited)", "12 layers of width 768, 100 tokens", "prefill of 1024 tokens"};
    for (const std::string_view text : texts)
        for (std::size_t fits = 0; fits < text.size(); ++fits) {
            const std::string_view kept = cut_before_number(text, fits);
            ASSERT_LE(kept.size(), fits);
            if (kept.empty()) continue;
            const auto figure = [](char c) { return (c >= '0' && c <= '9') || c == ',' || c == '.'; };
            EXPECT_FALSE(figure(kept.back()) && figure(text[kept.size()])) << kept;
            EXPECT_FALSE(kept.ends_with('M') || kept.ends_with("Mi") || kept.ends_with('G')) << kept;
        }
    EXPECT_EQ(cut_before_number("242 MiB", 5), "");
    EXPECT_EQ(cut_before_number("242 MiB", 3), "");
    EXPECT_EQ(cut_before_number("242 MiB of 24.0 GiB", 15), "242 MiB of ");
    EXPECT_EQ(cut_before_number("242 MiB of", 8), "242 MiB ");
    EXPECT_EQ(cut_before_number("[1024, 3072]", 9), "[1024, ");
    EXPECT_EQ(cut_before_number("in all 7,241,732,096", 12), "in all ");
    EXPECT_EQ(cut_before_number("DeepSeek V3", 10), "DeepSeek V") << "a name";
}

TEST(Text, ANumberThatHasNoRoomIsLeftOut) {
    Screen screen;
    screen.frame([](const Ui& ui) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const Font& font = ui.fonts.mono_total;
        const float dots = text_width(font, "\xE2\x80\xA6");
        EXPECT_EQ(draw_text(list, font, ImVec2(20, 20), 0xFFFFFFFFU, "242 MiB", text_width(font, "242 Mi")), dots);
        EXPECT_EQ(draw_text(list, font, ImVec2(20, 20), 0xFFFFFFFFU, "242 MiB", -1), 0) << "less than no room";
    });
}

// "K_ξ" of RWKV-7, "Y_λ" of DiffLlama.
TEST(Fonts, SubscriptsHaveGreekLetters) {
    const test::Hands hands;
    const Fonts fonts = load_embedded_fonts(*ImGui::GetIO().Fonts, 1);
    ImGui::GetIO().Fonts->Build();
    for (const Font& font : {fonts.caption, fonts.body})
        for (const ImWchar letter : {u'x', u'λ', u'ξ', u'η'})
            EXPECT_NE(font.script->FindGlyphNoFallback(letter), nullptr) << static_cast<int>(letter);
}

TEST(Fonts, EveryFaceHasTheDotsOfWhatIsCut) {
    const test::Hands hands;
    const Fonts fonts = load_embedded_fonts(*ImGui::GetIO().Fonts, 1);
    ImGui::GetIO().Fonts->Build();
    for (const Font& font : {fonts.mono_total, fonts.body, fonts.mono, fonts.question})
        EXPECT_NE(font.face->FindGlyphNoFallback(0x2026), nullptr) << "else a question mark stands there";
}

TEST(Fonts, EveryFaceOfWordsHasGreekAndCyrillicLetters) {
    const test::Hands hands;
    const Fonts fonts = load_embedded_fonts(*ImGui::GetIO().Fonts, 1);
    ImGui::GetIO().Fonts->Build();
    for (const Font& font : {fonts.caption, fonts.body, fonts.body_bold, fonts.title, fonts.question, fonts.mono})
        for (const ImWchar letter : {ImWchar{0x03B1}, ImWchar{0x0416}, ImWchar{0x0451}, ImWchar{0x0491}})
            EXPECT_NE(font.face->FindGlyphNoFallback(letter), nullptr) << letter;
}

TEST(Symbols, ScriptsAreNarrowerThanPlainText) {
    const Screen screen;
    const Font& font = screen.fonts.mono_body;
    EXPECT_LT(symbol_width(font, "d_ff"), text_width(font, "dff"));
    EXPECT_LT(symbol_width(font, "X^(1)"), text_width(font, "X(1)"));
    EXPECT_FLOAT_EQ(symbol_width(font, "d x h"), text_width(font, "d x h"));
    EXPECT_FLOAT_EQ(symbol_width(font, "W_q"), symbol_width(font, "W_") - text_width(font, "_") +
                                                   symbol_width(font, "x_q") - text_width(font, "x"));
}

TEST(Symbols, WhatIsNoScriptIsDrawnAsItIs) {
    const Screen screen;
    const Font& font = screen.fonts.mono_body;
    for (const char* plain : {"_", "^", "_x", "d_", "d^", "d_ = 4", "a^(b", "", "\\"})
        EXPECT_FLOAT_EQ(symbol_width(font, plain), text_width(font, plain)) << plain;
    EXPECT_FLOAT_EQ(symbol_width(font, "q\\_proj"), text_width(font, "q_proj"));
}

TEST(Wrapping, KeepsWordsWholeAndLinesInsideTheWidth) {
    const Screen screen;
    const Font& font = screen.fonts.body;
    const std::string_view text = "Lifts each token from 4096 to 11008 numbers";
    const ImVec2 one = wrapped_extent(font, text, 10'000), narrow = wrapped_extent(font, text, 120);
    EXPECT_LE(narrow.x, 120);
    EXPECT_GE(narrow.y, 2 * one.y);
    EXPECT_EQ(wrapped_extent(font, "", 100).y, 0);
    EXPECT_EQ(wrapped_extent(font, "one\ntwo", 10'000).y, 2 * one.y);
}

TEST(Wrapping, AWordWiderThanTheRoomIsBrokenAndNotLost) {
    const Screen screen;
    const Font& font = screen.fonts.body;
    const std::string_view product =
        "9223372036854775807\xC2\xB7"
        "16\xC2\xB7"
        "256 fits";
    for (const float width : {40.0F, 80.0F, 150.0F}) {
        const ImVec2 extent = wrapped_extent(font, product, width);
        EXPECT_LE(extent.x, width);
        EXPECT_GE(extent.y, wrapped_extent(font, "one", 100).y * std::floor(text_width(font, product) / width));
    }
    EXPECT_FLOAT_EQ(wrapped_extent(font,
                                   "111\xC2\xB7"
                                   "222\xC2\xB7"
                                   "333",
                                   text_width(font,
                                              "111\xC2\xB7"
                                              "222\xC2\xB7"
                                              "33"))
                        .x,
                    text_width(font,
                               "111\xC2\xB7"
                               "222\xC2\xB7"))
        << "better between factors";
    EXPECT_GT(wrapped_extent(font, "word", 1).y, 0) << "at least a character a line";
}

TEST(Wrapping, ReadsScriptsWhereItIsAskedTo) {
    const Screen screen;
    const Font& font = screen.fonts.body;
    const std::string_view text =
        "the product L\xC2\xB7h\xC2\xB7"
        "d_h is too large";
    EXPECT_FLOAT_EQ(wrapped_extent(font, text, 10'000, true).x, symbol_width(font, text));
    EXPECT_FLOAT_EQ(wrapped_extent(font, text, 10'000).x, text_width(font, text));
    EXPECT_LT(symbol_width(font, text), text_width(font, text));
}

TEST(Wrapping, QuotedTextKeepsItsUnderscores) {
    EXPECT_EQ(plain_in_quotes("d_h is \"a_b^2\\\", not d_ff"), "d_h is \"a\\_b\\^2\\\\\", not d_ff");
    EXPECT_EQ(plain_in_quotes("\xE2\x80\x9C"
                              "a_b\xE2\x80\x9D d_h"),
              "\xE2\x80\x9C"
              "a\\_b\xE2\x80\x9D d_h");
}

TEST(Wrapping, NamesOutOfFilesKeepTheirUnderscores) {
    EXPECT_EQ(plain_in_quotes("d_h of model.layers.1.up_proj.weight, not d_ff"),
              "d_h of model.layers.1.up\\_proj.weight, not d_ff");
    EXPECT_EQ(plain_in_quotes("num_hidden_layers is less than h_kv."), "num\\_hidden\\_layers is less than h_kv.");
}

TEST(Wrapping, SentencesBeginWithACapitalAndNamesAsTheyAre) {
    EXPECT_EQ(begun_as_sentence("the prompt has 278 tokens"), "The prompt has 278 tokens");
    EXPECT_EQ(begun_as_sentence("model.layers.0.q_proj is not there"), "model.layers.0.q_proj is not there");
    EXPECT_EQ(begun_as_sentence("n_group: give another"), "n_group: give another");
    EXPECT_EQ(begun_as_sentence(""), "");
}

TEST(Recorder, NamesPartsAndForgetsEveryFrame) {
    Recorder recorder;
    recorder.record("architecture.dim", "field", ImVec2(1, 2), ImVec2(3, 4));
    ASSERT_NE(recorder.find("architecture.dim.field"), nullptr);
    EXPECT_EQ(recorder.find("architecture.dim.field")->max.x, 3);
    EXPECT_EQ(recorder.find("architecture.dim"), nullptr);
    recorder.begin_frame();
    EXPECT_TRUE(recorder.all().empty());
    EXPECT_EQ(recorder.find("architecture.dim.field"), nullptr);
}

TEST(Matrix, BothSidesShareOneScale) {
    MatrixFigure view;
    view.rows = 4096;
    view.columns = 11008;
    const MatrixGeometry at = fit_matrix(view, ImVec2(0, 0), ImVec2(300, 200), 6);
    EXPECT_FLOAT_EQ(at.max.x, 300);
    EXPECT_NEAR(at.max.y, 300.0 * 4096 / 11008, 1);
    EXPECT_FALSE(at.thickened);
}

TEST(Matrix, AThinSideIsSixPixelsAndSaysSo) {
    MatrixFigure view;
    view.rows = 1;
    view.columns = 100'000;
    const MatrixGeometry at = fit_matrix(view, ImVec2(0, 0), ImVec2(300, 200), 6);
    EXPECT_EQ(at.max.y, 6);
    EXPECT_TRUE(at.thickened);
}

TEST(Matrix, ThePresetsOutlineSharesTheScale) {
    MatrixFigure view;
    view.rows = 4096;
    view.columns = 1024;
    view.preset_rows = view.preset_columns = 4096;
    const MatrixGeometry at = fit_matrix(view, ImVec2(10, 10), ImVec2(110, 210), 6);
    EXPECT_FLOAT_EQ(at.preset_max.x, 110);
    EXPECT_FLOAT_EQ(at.max.x, 35);
    EXPECT_FLOAT_EQ(at.max.y, at.preset_max.y);
}

TEST(Matrix, ItsDimensionsCanBePressed) {
    Screen screen;
    bool rows = false, matrix_columns = false;
    const auto draw = [&](const Ui& ui) {
        MatrixFigure view;
        view.rows = view.columns = 4096;
        view.swatch.colour = ui.theme.key;
        const MatrixResult result = matrix_view(ui, "matrix", view);
        rows = rows || result.rows_clicked;
        matrix_columns = matrix_columns || result.columns_clicked;
    };
    screen.press("matrix.rows", draw);
    EXPECT_TRUE(rows);
    EXPECT_FALSE(matrix_columns);
    screen.press("matrix.columns", draw);
    EXPECT_TRUE(matrix_columns);
}

}  // namespace
}  // namespace headcount
