// What is in full colour while a model is shown to a class, and what recedes.
#include "app/canvas/draw/compose.hpp"
#include "app/diagram/light.hpp"
#include "app/diagram/run_heat.hpp"
#include "app/diagram/view.hpp"
#include "app/parts/caption.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

using test::session_of;

Session presenting(std::string_view preset, std::string_view selection) {
    Session session = session_of(preset);
    session.view.show.presenting = true;
    session.look.selection = subject_from_key(selection);
    return session;
}

TEST(Spotlight, IsOnTheSelectionAndWhatItIsMadeFrom) {
    const Session session = presenting("llama-2-7b", "layer.attention.queries");
    const Spotlight light(session);
    EXPECT_FALSE(light.everything());
    for (const char* lit : {"layer.attention.queries", "layer.attention.query.weight", "layer.attention.norm",
                            "component.attention", "layer", "layer.attention"})
        EXPECT_TRUE(light.holds(lit)) << lit;
    for (const char* outside : {"layer.attention.value.weight", "layer.feed_forward.up.weight", "embedding.weight",
                                "logits", "component.feed_forward"})
        EXPECT_FALSE(light.holds(outside)) << outside;
    EXPECT_TRUE(light.holds("")) << "what stands for nothing";
}

TEST(Spotlight, OfAComponentIsOnAllOfIt) {
    for (const char* preset : {"llama-2-7b", "deepseek-v3", "mixtral-8x7b", "gpt2"}) {
        const Session session = presenting(preset, "component.feed_forward");
        const Spotlight light(session);
        EXPECT_TRUE(light.holds("component.feed_forward")) << preset;
        EXPECT_TRUE(light.holds("layer.feed_forward.output")) << preset;
        EXPECT_FALSE(light.holds("component.attention")) << preset;
        EXPECT_FALSE(light.holds("embedding.weight")) << preset;
    }
}

TEST(Spotlight, IsEverywhereWithoutASelectionAndOnTheTotalAndOutsideOfPresenting) {
    EXPECT_TRUE(Spotlight(presenting("llama-2-7b", "")).everything());
    EXPECT_TRUE(Spotlight(presenting("llama-2-7b", "total")).everything());
    Session session = presenting("llama-2-7b", "logits");
    session.view.show.presenting = false;
    EXPECT_TRUE(Spotlight(session).everything());
}

TEST(Spotlight, OfEveryStepOfEveryTourHoldsWhatIsSelected) {
    for (const char* preset : {"llama-2-7b", "gpt2", "mixtral-8x7b", "deepseek-v3", "gemma-3-27b"}) {
        Session session = presenting(preset, "");
        session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
        for (const Tour& tour : session.tours) {
            headcount::apply(session, Intents{StartTour{tour.id}});
            ASSERT_TRUE(session.run) << tour.id;
            for (std::size_t i = 0; i < session.run->tour.steps.size(); ++i) {
                const std::string select = session.run->tour.steps[i].select;
                const bool known = session.derived.shown.graph.find(select) != nullptr;
                EXPECT_TRUE(!known || Spotlight(session).holds(select)) << preset << tour.id << i;
                headcount::apply(session, Intents{StepTour{1, true}});
            }
            headcount::apply(session, Intents{LeaveTour{}});
        }
    }
}

TEST(Spotlight, WordsOutsideOfItAreStillReadFromNearby) {
    for (const Theme& theme : {presenter_theme(dark_theme()), presenter_theme(light_theme())}) {
        const Palette palette = palette_outside(theme);
        for (const Rgba words : {palette.text_high, palette.text_mid, palette.text_low}) {
            EXPECT_GE(contrast(words, theme.deck), 4.5F);
            EXPECT_GE(contrast(words, theme.canvas), 4.3F);
        }
        for (const Palette::Hue& hue : palette.parts) EXPECT_GE(contrast(hue.ink, hue.fill), 4.5F);
        EXPECT_LT(contrast(palette.text_high, theme.deck), contrast(theme.text_high, theme.deck) / 1.5F)
            << "and recede all the same";
    }
}

TEST(Heat, GoesFromPaperToTheColourOfAnErrorAndLeavesAllElse) {
    for (const Theme& theme : {dark_theme(), light_theme()}) {
        const Palette none = palette_heated(theme, 0), all = palette_heated(theme, 1), usual = palette_of(theme);
        EXPECT_EQ(all.parts[0].fill, heat_of(theme, theme.wrong, 1, 1));
        EXPECT_NE(none.parts[0].fill, all.parts[0].fill);
        for (const Palette& palette : {none, all})
            for (const Palette::Hue& hue : palette.parts) EXPECT_GE(contrast(hue.ink, hue.fill), 4.5F);
        EXPECT_EQ(all.components[0].fill, usual.components[0].fill);
        EXPECT_EQ(all.ground, usual.ground);
    }
}

TEST(Said, OfTheSelectionIsATitleAndASentence) {
    const auto said = [](std::string_view key) { return said_of_selection(presenting("llama-2-7b", key)); };
    EXPECT_EQ(said("").title, "Llama 2 7B: 6,738,415,616 parameters");
    EXPECT_EQ(said("").sentence, "32 layers of width 4096, 100 tokens.");
    EXPECT_EQ(said("component.attention").title, "Attention: 2,147,483,648");
    EXPECT_EQ(said("component.attention").sentence, "31.9 % of all parameters.");
    EXPECT_EQ(said("layer.attention.queries").title, "Queries: 100 × 4096");
    EXPECT_EQ(said("layer.feed_forward.up.weight").title, "Up projection: 45,088,768");
    EXPECT_EQ(said("layer.feed_forward.up.weight").sentence,
              "4096 × 11008 numbers, 32 times in the model: 1,442,840,576 in all.");
    EXPECT_EQ(said("field.dim").title.substr(0, 5), "Width");
    // Others have matrices of that name as well.
    EXPECT_EQ(said_of_selection(presenting("gemma-2-9b", "layer.attention.query.weight")).sentence,
              "3584 × 4096 numbers, one in each of 21 sliding layers: 308,281,344 in these.");
}

}  // namespace
}  // namespace headcount
