// Claims about the inspector: every number opens, equals what was counted, and leads back to its sliders.
#include "app/parts/words.hpp"
#include "app/views/explore/panels.hpp"
#include "core/base/text.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

using test::all_presets;
using test::edited;
using test::session_of;
using test::Stage;
using test::telling_presets;
using test::tried_presets;

// How far to the right anything was drawn in the last frame.
float right_end() {
    float right = 0;
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int i = 0; i < drawn.CmdListsCount; ++i)
        for (const ImDrawVert& vertex : drawn.CmdLists[i]->VtxBuffer) right = std::max(right, vertex.pos.x);
    return right;
}

std::string result_of(Stage& stage, std::string_view subject) {
    stage.select(subject);
    stage.press("inspector.result");
    return stage.copied();
}

std::int64_t number(const std::string& text) { return *parse_whole_number(text, "result"); }

TEST(Inspector, WordsAndNumbersOfAFactNeverLieOverEachOther) {
    for (const Preset& preset : telling_presets())
        for (const std::int64_t tokens : {100, 8192, 131'072}) {
            Session session = session_of(preset.id);
            session.document.input = {.tokens = tokens, .batch = 16};
            session.derived = derive(session.document, nullptr);
            if (!session.derived.errors.empty()) continue;
            Stage stage(draw_inspector_panel, session, ImVec2(270, 3000));
            for (const Tensor& tensor : session.derived.shown.graph.tensors) {
                stage.select(tensor.id);
                for (const char* what : {"Work", "Work for 16 × 8192 tokens", "Work for 16 × 131072 tokens", "Bytes",
                                         "Bytes in bf16", "Numbers", "Memory in bf16"}) {
                    const NamedRect* const words = stage.screen.recorder.find("fact.label." + std::string(what));
                    const NamedRect* const number = stage.screen.recorder.find("fact.number." + std::string(what));
                    if (!words || !number) continue;
                    EXPECT_TRUE(words->max.x <= number->min.x || words->max.y <= number->min.y)
                        << preset.id << " " << tensor.id << ": " << what;
                }
            }
        }
}

TEST(Inspector, SaysOfWhichHeadAndLayerWhatIsSelectedIs) {
    Session session = session_of("llama-2-7b");
    session.look.selection = TensorSubject{"layer.attention.head.scores", {.layer = 2, .head = 10, .expert = {}}};
    const ModelGraph& graph = session.derived.shown.graph;
    const Tensor& scores = *graph.find("layer.attention.head.scores");
    EXPECT_EQ(place_of(graph, scores.block, copies_shown(session)), "Layer 2 · Head 10");
    const Subject queries = carried(TensorSubject{"layer.attention.head.queries"}, session.look.selection, graph);
    EXPECT_EQ(copies_of(queries), copies_of(session.look.selection)) << "its operands are the same head's";
    const Subject embedding = carried(TensorSubject{"embedding.weight"}, session.look.selection, graph);
    EXPECT_EQ(copies_of(embedding), Copies{});
}

TEST(Inspector, ShowsOfEveryStoredTensorOfEveryPresetWhatWasCounted) {
    Stage stage(draw_inspector_panel, session_of(all_presets().front().id));
    for (const Preset& preset : tried_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Counted shown = stage.session.derived.shown;
        for (const ParameterRow& row : shown.parameters.tensors) {
            std::int64_t sum = 0;  // of all copies: a stored tensor may hold all experts
            for (const TensorIndex part : shown.graph.stored[row.stored].parts) {
                const Tensor& tensor = shown.graph.tensors[part];
                sum +=
                    number(result_of(stage, tensor.id)) * *evaluate(shown.graph.copies(tensor.block), shown.bindings);
            }
            EXPECT_EQ(sum, row.total) << shown.graph.stored[row.stored].name;
        }
    }
}

TEST(Inspector, ShowsOfEveryActivationOfEveryPresetWhatWasCounted) {
    Stage stage(draw_inspector_panel, session_of(all_presets().front().id));
    for (const Preset& preset : tried_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Counted shown = stage.session.derived.shown;
        for (const auto* rows : {&shown.activations, &shown.head})
            for (const ActivationRow& row : *rows)
                EXPECT_EQ(result_of(stage, shown.graph.tensors[row.tensor].id), grouped(row.elements));
    }
}

TEST(Inspector, ShowsComponentsThatAddUpToTheTotal) {
    Stage stage(draw_inspector_panel, session_of(all_presets().front().id));
    for (const Preset& preset : tried_presets()) {
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Parameters parameters = stage.session.derived.shown.parameters;
        for (const Component component : components) {
            const std::string key = "component." + std::string(component_key(component));
            EXPECT_EQ(result_of(stage, key), grouped(parameters.of(component)));
        }
        EXPECT_EQ(result_of(stage, "total"), grouped(parameters.total));
    }
}

TEST(Inspector, OpensEveryFieldOfEveryPreset) {
    Stage stage(draw_inspector_panel, session_of(all_presets().front().id));
    for (const Preset& preset : tried_presets()) {
        stage.session = session_of(preset.id);
        for (const FieldInfo& field : fields()) {
            stage.select("field." + std::string(field.key));
            EXPECT_TRUE(stage.has("inspector.result")) << field.key;
        }
    }
}

TEST(Inspector, IsNeverEmpty) {
    Stage stage(draw_inspector_panel, session_of("llama-2-7b"));
    EXPECT_EQ(result_of(stage, ""), "6,738,415,616");
    EXPECT_EQ(result_of(stage, "layer.no_such.weight"), "6,738,415,616");
}

TEST(Inspector, FactorsOfAFormulaLeadToTheirSliders) {
    Stage stage(draw_inspector_panel, session_of("llama-3-8b"));
    for (const std::string symbol : {"dim", "kv_heads", "head_dim"}) {
        stage.select("layer.attention.key.weight");
        stage.press("inspector.factor." + symbol);
        EXPECT_EQ(stage.selected(), "field." + symbol);
    }
    stage.select("component.feed_forward");
    stage.press("inspector.factor.layers");
    EXPECT_EQ(stage.selected(), "field.layers");
}

TEST(Inspector, PointingAtAFactorPointsAtItsField) {
    Stage stage(draw_inspector_panel, session_of("llama-2-7b"));
    stage.select("layer.feed_forward.up.weight");
    stage.point_at("inspector.factor.ffn_dim");
    EXPECT_EQ(stage.hovered(), "field.ffn_dim");
    EXPECT_EQ(stage.selected(), "nothing");
}

TEST(Inspector, OperandsOfAnEquationLeadToTheirTensors) {
    Stage stage(draw_inspector_panel, session_of("llama-2-7b"));
    stage.select("layer.feed_forward.up.weight");
    stage.press("inspector.operand.layer.feed_forward.up");
    EXPECT_EQ(stage.selected(), "layer.feed_forward.up");
}

TEST(Inspector, ListsTheTensorsOfAComponentAndOfAField) {
    Stage stage(draw_inspector_panel, session_of("llama-2-7b"));
    stage.select("component.attention");
    stage.press("inspector.row.layer.attention.output.weight");
    EXPECT_EQ(stage.selected(), "layer.attention.output.weight");
    stage.select("field.vocab");
    EXPECT_TRUE(stage.has("inspector.row.output_head.weight"));
    EXPECT_TRUE(stage.has("inspector.row.embedding.weight"));
    EXPECT_FALSE(stage.has("inspector.row.layer.feed_forward.up.weight"));
}

TEST(Inspector, CopiesTheNameUnderWhichTheCheckpointStoresATensor) {
    Stage llama(draw_inspector_panel, session_of("llama-2-7b"));
    llama.select("layer.feed_forward.up.weight");
    llama.press("inspector.copy");
    EXPECT_EQ(llama.copied(), "model.layers.0.mlp.up_proj.weight");
    Stage gpt(draw_inspector_panel, session_of("gpt2"));
    gpt.select("layer.attention.key.weight");
    gpt.press("inspector.copy");
    EXPECT_EQ(gpt.copied(), "transformer.h.0.attn.c_attn.weight");
}

TEST(Inspector, WorksOutAWidthThatFollowsFromARule) {
    Stage stage(draw_inspector_panel, edited("llama-2-7b", {{"ffn_multiple_of", "256"}}));
    EXPECT_EQ(result_of(stage, "field.ffn_dim"), "11008");
    EXPECT_TRUE(stage.has("inspector.factor.dim")) << "the rule 2·4·d/3 names the width";
}

TEST(Inspector, OpensEveryTensorOfEditedArchitectures) {
    const std::initializer_list<std::pair<std::string_view, std::string_view>> grouped_queries{{"kv_heads", "1"}};
    const std::initializer_list<std::pair<std::string_view, std::string_view>> old_style{
        {"norm", "layer"},
        {"norm_placement", "after"},
        {"norm_bias", "true"},
        {"positions", "learned"},
        {"qkv_bias", "true"},
        {"ffn_bias", "true"},
        {"gated", "false"},
        {"activation", "relu"},
        {"tied", "true"},
        {"head_dim", "96"},
        {"attention_output_bias", "true"}};
    const std::initializer_list<std::pair<std::string_view, std::string_view>> newer{
        {"window", "64"},        {"window_layers", "10"},     {"experts", "8"},          {"shared_experts", "1"},
        {"shared_gate", "true"}, {"correction_bias", "true"}, {"mixture_layers", "0|1"}, {"sinks", "true"},
        {"qk_norm", "per_head"}, {"rotary_dim", "32"},        {"embedding_dim", "512"},  {"head_bias", "true"}};
    const std::initializer_list<std::pair<std::string_view, std::string_view>> latent{
        {"kv_rank", "256"}, {"query_rank", "512"}, {"positions", "rope"}};
    const std::initializer_list<std::pair<std::string_view, std::string_view>> states{
        {"state_dim", "64"}, {"recurrence_bias", "true"}, {"ffn_layers", "0"}};
    const std::initializer_list<std::pair<std::string_view, std::string_view>> hybrid{{"state_dim", "64"},
                                                                                      {"recurrence", "gated_delta"},
                                                                                      {"recurrence_layers", "1110"},
                                                                                      {"state_groups", "16"},
                                                                                      {"output_gate", "true"}};
    for (const auto& changes : {grouped_queries, old_style, newer, latent, states, hybrid}) {
        Stage stage(draw_inspector_panel, edited("llama-2-7b", changes));
        stage.session.document.input.cached = 50;
        stage.session.document.input.batch = 3;
        stage.session.derived = derive(stage.session.document, &stage.session.derived);
        const ModelGraph graph = stage.session.derived.shown.graph;
        for (const Tensor& tensor : graph.tensors) {
            const std::string result = result_of(stage, tensor.id);
            EXPECT_GT(number(result), 0) << tensor.id;
        }
    }
}

TEST(Inspector, OpensEveryTensorOfEncoders) {
    for (const std::string_view output : {"language", "masked", "pooler", "none"}) {
        Stage stage(draw_inspector_panel, edited("gpt2", {{"mask", "full"}, {"token_types", "2"}, {"output", output}}));
        const ModelGraph graph = stage.session.derived.shown.graph;
        ASSERT_TRUE(stage.session.derived.current) << output;
        for (const Tensor& tensor : graph.tensors) EXPECT_GT(number(result_of(stage, tensor.id)), 0) << tensor.id;
    }
}

TEST(Inspector, ShowsWhatATokenUsesOfAModelWithExperts) {
    Stage stage(draw_inspector_panel, session_of("mixtral-8x7b"));
    stage.select("total");
    stage.press("inspector.active.result");
    EXPECT_EQ(stage.copied(), "12,879,925,248");
    Stage dense(draw_inspector_panel, session_of("llama-2-7b"));
    dense.select("total");
    EXPECT_FALSE(dense.has("inspector.active.result"));
}

TEST(Inspector, TheActiveFormulaGivesTheCountOfEveryMixture) {
    Stage stage(draw_inspector_panel, session_of(all_presets().front().id));
    for (const Preset& preset : all_presets()) {
        if (!preset.architecture.layer.mixture) continue;
        SCOPED_TRACE(preset.id);
        stage.session = session_of(preset.id);
        const Counted& shown = stage.session.derived.shown;
        stage.select("total");
        EXPECT_TRUE(stage.has("inspector.active.symbols.0") || stage.has("inspector.active.result"));
        stage.press("inspector.active.result");
        EXPECT_EQ(number(stage.copied()), shown.parameters.active);
    }
}

TEST(Inspector, NamesTheTensorOfTheFirstExpertOfTheFirstLayerThatHasExperts) {
    Stage stage(draw_inspector_panel, session_of("deepseek-v3"));
    stage.select("layer.feed_forward.expert.up.weight");
    stage.press("inspector.copy");
    EXPECT_EQ(stage.copied(), "model.layers.3.mlp.experts.0.up_proj.weight");
    stage.select("layer_dense.feed_forward.up.weight");
    stage.press("inspector.copy");
    EXPECT_EQ(stage.copied(), "model.layers.0.mlp.up_proj.weight");
}

TEST(Inspector, ShowsABufferOutsideTheTotal) {
    Stage stage(draw_inspector_panel, session_of("deepseek-v3"));
    stage.select("total");
    EXPECT_TRUE(stage.has("inspector.row.layer.feed_forward.correction.weight"));
    EXPECT_EQ(result_of(stage, "layer.feed_forward.correction.weight"), "256");
}

TEST(Inspector, SaysNothingOfOneMoreWhereThereIsNoneMore) {
    Stage stage(draw_inspector_panel, edited("llama-2-7b", {{"context", "9223372036854775807"}}));
    stage.select("field.context");
    stage.press("inspector.result");
    EXPECT_EQ(stage.copied(), "9223372036854775807");
}

TEST(Inspector, DrawsSharedHeadsWithinItsWidthHoweverManyTheyAre) {
    for (const char* heads : {"64", "128", "1024", "4096"}) {
        SCOPED_TRACE(heads);
        Stage stage(draw_inspector_panel,
                    edited("llama-2-7b", {{"heads", heads}, {"kv_heads", "1"}, {"head_dim", "2"}}), ImVec2(330, 3000));
        ASSERT_TRUE(stage.session.derived.current);
        stage.select("layer.attention.key.weight");
        stage.frame();
        EXPECT_LE(right_end(), 331);
    }
}

}  // namespace
}  // namespace headcount
