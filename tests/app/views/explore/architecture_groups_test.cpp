// Claims about the architecture panel's groups: experts, latent attention, lists of layers.
#include "app/views/explore/panels.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::key_of;
using test::Workbench;

const ImVec2 unscrolled(300, 3200);

TEST(Architecture, RarerChoicesAreInGroupsThatFold) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", ImVec2(300, 2400));
    EXPECT_FALSE(bench.has("architecture.qkv_bias"));
    for (const char* group : {"attention", "feed_forward", "residual", "ends"})
        bench.press(std::string("architecture.") + group);
    for (const Field field : {Field::qkv_bias, Field::attention_output_bias, Field::ffn_bias, Field::norm_bias})
        bench.press(key_of(field) + ".toggle");
    bench.press("architecture.norm_placement.1");
    bench.type("architecture.norm_epsilon.field", "1e-5");
    const Architecture& arch = bench.arch();
    EXPECT_TRUE(arch.layer.attention.qkv_bias && arch.layer.attention.output_bias && arch.layer.feed_forward.bias);
    EXPECT_EQ(arch.norm.placement, NormPlacement::after);
    EXPECT_TRUE(arch.norm.bias);
    EXPECT_DOUBLE_EQ(arch.norm.epsilon, 1e-5);
    bench.type("architecture.norm_epsilon.field", "tiny");
    EXPECT_TRUE(bench.has("architecture.norm_epsilon.error"));
    EXPECT_DOUBLE_EQ(bench.arch().norm.epsilon, 1e-5);
}

TEST(Architecture, OneSwitchBringsExpertsInAndTakesThemAwayAsOneChange) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", unscrolled);
    EXPECT_FALSE(bench.has("architecture.experts.part"));
    bench.press("architecture.feed_forward");
    EXPECT_FALSE(bench.has("architecture.experts.track")) << "what is not there is one row";
    bench.press("architecture.experts.part.toggle");
    bench.frame();
    ASSERT_TRUE(bench.arch().layer.mixture);
    EXPECT_EQ(bench.arch().layer.mixture->experts, 8);
    EXPECT_EQ(bench.arch().layer.mixture->expert_dim, 11008);
    EXPECT_TRUE(bench.session.derived.current);
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::experts});
    EXPECT_TRUE(bench.has("architecture.experts.track"));
    EXPECT_FALSE(bench.has("architecture.ffn_dim.track")) << "no layer has the dense one";
    bench.type("architecture.experts_per_token.field", "9");
    ASSERT_TRUE(bench.has("architecture.experts_per_token.error"));
    bench.press("architecture.experts_per_token.fix");
    EXPECT_EQ(bench.arch().layer.mixture->experts_per_token, 8);
    bench.press("architecture.experts.part.toggle");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
    headcount::apply(bench.session, Intents{Undo{}});
    EXPECT_TRUE(bench.arch().layer.mixture);
}

TEST(Architecture, ExpertsThatWereTakenAwayComeBackAsTheyWere) {
    Workbench bench(draw_architecture_panel, "deepseek-v3", unscrolled);
    ASSERT_TRUE(bench.has("architecture.experts.part.toggle")) << "the group of a mixture is open";
    bench.press("architecture.experts.part.toggle");
    bench.frame();
    EXPECT_FALSE(bench.arch().layer.mixture);
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::experts});
    bench.press("architecture.experts.part.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, LayersAreSetByCellsByWordsAndByText) {
    Workbench bench(draw_architecture_panel, "deepseek-v3", unscrolled);
    const auto layers = [&] { return bench.arch().layer.mixture->layers.text(); };
    EXPECT_EQ(layers(), "000|1");
    bench.press("architecture.mixture_layers.cell.1");
    EXPECT_EQ(layers(), "010|1");
    bench.press("architecture.mixture_layers.pattern.1");
    EXPECT_EQ(layers(), "01");
    bench.type("architecture.mixture_layers.field", "0|1");
    EXPECT_EQ(layers(), "0|1");
    bench.press("architecture.mixture_layers.cell.1");
    EXPECT_EQ(layers(), "0|0") << "the bar is no cell";
    bench.type("architecture.mixture_layers.field", "every second");
    EXPECT_EQ(layers(), "0|0");
    EXPECT_TRUE(bench.has("architecture.mixture_layers.error"));
    bench.press("architecture.mixture_layers.fix");
    bench.press("architecture.mixture_layers.reset");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, LatentAttentionTakesThePlaceOfKeyValueHeads) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", unscrolled);
    EXPECT_TRUE(bench.has("architecture.kv_heads.track"));
    bench.press("architecture.attention");
    bench.press("architecture.kv_rank.part.toggle");
    bench.frame();
    EXPECT_FALSE(bench.has("architecture.kv_heads.track"));
    EXPECT_TRUE(bench.has("architecture.kv_rank.track"));
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::kv_rank});
    EXPECT_FALSE(bench.has("architecture.query_rank.track"));
    bench.press("architecture.query_rank.part.toggle");
    bench.frame();
    EXPECT_TRUE(bench.has("architecture.query_rank.track"));
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, OneSwitchPutsStatesInAttentionsPlace) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", unscrolled);
    bench.press("architecture.recurrence");
    EXPECT_FALSE(bench.has("architecture.state_heads.track"));
    bench.press("architecture.state_dim.part.toggle");
    bench.frame();
    ASSERT_TRUE(bench.arch().layer.recurrence);
    EXPECT_TRUE(bench.session.derived.current);
    EXPECT_EQ(bench.arch().layer.recurrence->state_dim, 128);
    EXPECT_EQ(bench.arch().layer.recurrence->heads, 128) << "twice the width in heads of 64";
    EXPECT_EQ(bench.session.derived.changed, std::vector{Field::state_dim});
    EXPECT_FALSE(bench.has("architecture.heads.track")) << "no layer has attention";
    EXPECT_FALSE(bench.has("architecture.attention"));
    EXPECT_FALSE(bench.has("architecture.mask"));
    bench.press("architecture.recurrence_layers.pattern.2");
    EXPECT_EQ(bench.arch().layer.recurrence->layers.text(), "1110");
    EXPECT_TRUE(bench.has("architecture.heads.track"));
    bench.press("architecture.state_dim.part.toggle");
    EXPECT_EQ(bench.arch(), bench.session.document.base);
}

TEST(Architecture, ADecoderBecomesAnEncoderAndKeepsNoTokens) {
    Workbench bench(draw_architecture_panel, "gpt2", unscrolled);
    EXPECT_TRUE(bench.has("architecture.cached"));
    bench.press("architecture.attention");
    bench.press("architecture.ends");
    bench.press("architecture.mask.1");
    EXPECT_EQ(bench.arch().layer.attention.mask, AttentionMask::full);
    EXPECT_FALSE(bench.has("architecture.cached"));
    bench.press("architecture.output.1");
    EXPECT_EQ(bench.arch().output, OutputKind::masked);
    EXPECT_TRUE(bench.has("architecture.tied.toggle"));
    bench.press("architecture.output.2");
    EXPECT_EQ(bench.arch().output, OutputKind::pooler);
    bench.frame();
    EXPECT_FALSE(bench.has("architecture.tied.toggle")) << "there is no head to tie";
    EXPECT_TRUE(bench.session.derived.current);
    bench.type("architecture.token_types.field", "2");
    EXPECT_EQ(bench.arch().token_types, 2);
}

TEST(Architecture, AModelWithoutFeedForwardHasNoFieldsOfIt) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", unscrolled);
    bench.press("architecture.feed_forward");
    bench.press("architecture.ffn_layers.pattern.2");
    bench.frame();
    EXPECT_EQ(bench.arch().layer.feed_forward_layers.text(), "0");
    for (const char* gone : {"architecture.ffn_dim.track", "architecture.gated", "architecture.activation",
                             "architecture.experts.part.toggle", "architecture.ffn_bias.toggle"})
        EXPECT_FALSE(bench.has(gone)) << gone;
    EXPECT_TRUE(bench.has("architecture.ffn_layers.field"));
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AProblemOpensTheGroupThatMendsIt) {
    Workbench bench(draw_architecture_panel, "llama-2-7b", unscrolled);
    Document document = bench.session.document;
    document.architecture = *with_field(document.architecture, Field::joining, "parallel_shared");
    document.architecture = *with_field(document.architecture, Field::norm_placement, "after");
    headcount::apply(bench.session, Intents{Replace{document, Field::joining, true}});
    bench.frames(2);
    EXPECT_FALSE(bench.session.derived.current);
    ASSERT_TRUE(bench.has("architecture.joining.fix"));
    bench.press("architecture.joining.fix");
    EXPECT_TRUE(bench.session.derived.current);
}

TEST(Architecture, AFieldSelectedElsewhereOpensItsGroup) {
    Workbench bench(draw_architecture_panel, "deepseek-v3", ImVec2(264, 300));
    bench.session.look.selection = Field::value_dim;
    bench.frames(3);
    ASSERT_TRUE(bench.has("architecture.value_dim"));
    EXPECT_LT(bench.screen.recorder.find("architecture.value_dim")->max.y, 300);
}

TEST(Architecture, NoDragInAGroupMakesAnImpossibleArchitecture) {
    for (const char* id : {"deepseek-v3", "gpt-oss-20b", "phi-2", "mixtral-8x7b"}) {
        SCOPED_TRACE(id);
        Workbench bench(draw_architecture_panel, id, unscrolled);
        bench.session.look.selection = Field::qkv_bias;  // opens the group
        bench.frames(3);
        const Session fresh = bench.session;
        for (const Field field : {Field::experts, Field::experts_per_token, Field::expert_dim, Field::shared_experts,
                                  Field::window, Field::kv_rank, Field::query_rank, Field::rope_dim, Field::nope_dim,
                                  Field::value_dim, Field::rotary_dim, Field::heads, Field::dim, Field::head_dim}) {
            if (!bench.has(key_of(field) + ".knob")) continue;
            for (const float along : {-140.0F, -31.0F, 77.0F, 160.0F}) {
                bench.session = fresh;
                bench.frame();
                bench.drag(key_of(field) + ".knob", along);
                EXPECT_TRUE(bench.session.derived.problems.empty())
                    << info(field).key << " " << field_text(bench.arch(), field).value_or("");
            }
        }
    }
}

}  // namespace
}  // namespace headcount
