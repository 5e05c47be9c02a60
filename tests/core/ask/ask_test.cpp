// Questions typed into the ask bar: what they are understood as, and that the answers are the graph's.
#include "core/ask/ask.hpp"

#include <cstdio>
#include <iterator>
#include <random>
#include <sstream>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using namespace testing_data;

const AskMatch* match(const Asked& all, AskMatch::Kind kind, std::string_view title) {
    for (const AskMatch& each : all.matches)
        if (each.kind == kind && each.title == title) return &each;
    return nullptr;
}

TEST(Ask, AModelsNameIsNoSymbolOfThatModel) {
    EXPECT_EQ(asked("m").problem.find("Say which model"), std::string::npos);  // M is the memory in M2M-100
}

TEST(Ask, WhereTheModelIsInDoubtItsAmountsAreAndItsSizesAreNot) {
    const Preset& preset = *find_preset(presets(), "llama-2-7b");
    const auto doubted = [&](std::string_view text) {
        return ask(text, {.architecture = preset.architecture,
                          .input = {},
                          .preset = {},
                          .presets = presets(),
                          .commands = {},
                          .doubt = "This model_type is not known."})
            .answer.value_or(AskAnswer{})
            .number;
    };
    EXPECT_EQ(doubted("parameters"), "≈ 6,738,415,616");
    EXPECT_EQ(doubted("how many heads"), "32");
    EXPECT_EQ(doubted("parameters of llama 3 8b"), "8,030,261,248") << "of which there is none";
}

TEST(Ask, HeadsOfKeysAndValuesHaveTheParametersOfBoth) {
    EXPECT_EQ(number("parameters of the kv heads, one layer, llama 3 8b"), "8,388,608") << "2 · 4096 · 8 · 128";
    EXPECT_EQ(number("how many kv heads does llama 3 8b have"), "8");
}

TEST(Ask, AnswersTheWorksheetsQuestion) {
    const AskAnswer queries = answer("queries, one head, 100 tokens, llama 7b");
    EXPECT_EQ(queries.number, "100 × 128");
    EXPECT_EQ(queries.title, "Queries of one head");
    EXPECT_EQ(queries.about, "LLaMA 7B · 100 tokens");
    EXPECT_EQ(queries.symbols, "T × d_h");
    EXPECT_EQ(queries.numbers, "100 × 128");
    EXPECT_EQ(queries.result, "12,800 numbers");
    EXPECT_EQ(queries.light, "layer.attention.head.queries");
    EXPECT_EQ(queries.preset, "llama-7b") << "another model than the one at hand";
    EXPECT_EQ(answer("queries, one head, 100 tokens", "llama-7b").preset, "") << "the one at hand";
}

TEST(Ask, CountsTheParametersOfAPart) {
    const AskAnswer ffn = answer("params of ffn in llama 3 8b");
    EXPECT_EQ(ffn.number, "5,637,144,576");
    EXPECT_EQ(ffn.in_short, "5.64 B");
    EXPECT_EQ(ffn.unit, "parameters");
    EXPECT_EQ(ffn.light, "component.feed_forward");
    EXPECT_EQ(ffn.place, "layer.feed_forward");
    EXPECT_EQ(ffn.numbers, "32·(2·4096·14336 + 14336·4096)");
    EXPECT_TRUE(says(ffn.notes, "In one layer: 176,160,768.")) << ffn.notes.size();
    EXPECT_EQ(number("params of ffn in one layer of llama 3 8b"), "176,160,768");
}

TEST(Ask, SaysHowItTakesAThousand) {
    const AskAnswer cache = answer("kv cache 8k tokens");
    EXPECT_EQ(cache.number, "4,294,967,296");
    EXPECT_EQ(cache.unit, "bytes");
    EXPECT_EQ(cache.in_short, "4.00 GiB");
    EXPECT_TRUE(says(cache.notes, "8k is taken as 8,192"));
    EXPECT_EQ(number("kv cache of llama 3 8b, 8k tokens"), "1,073,741,824");
    EXPECT_EQ(number("kv cache of llama 3 8b, 8k tokens, int8"), "536,870,912");
    const Input in_four_bits{.tokens = 8192, .precision = Precision::int4};
    EXPECT_EQ(answer("bytes of the kv cache", "llama-3-8b", in_four_bits).number, "1,073,741,824")
        << "which such weights do not make smaller";
    EXPECT_EQ(number("kv cache per token"), "524,288");
    EXPECT_EQ(number("kv cache, 8192 tokens, batch 4, fp32"), "34,359,738,368");
}

TEST(Ask, FindsWhatHasTheseSides) {
    const Asked sides = asked("4096x11008");
    ASSERT_TRUE(sides.answer);
    EXPECT_EQ(sides.answer->number, "4096 × 11008");
    EXPECT_EQ(sides.answer->symbols, "d × d_ff");
    EXPECT_EQ(sides.answer->result, "45,088,768 parameters");
    EXPECT_TRUE(match(sides, AskMatch::Kind::tensor, "Gate projection"));
    EXPECT_TRUE(match(sides, AskMatch::Kind::tensor, "Up projection"));
    EXPECT_TRUE(match(sides, AskMatch::Kind::tensor, "Down projection, as stored"));
    EXPECT_EQ(answer("100 × 100").title, "Scores, one head, Weights, one head");
    EXPECT_EQ(answer("(100, 128)").symbols, "T × d_h");
    const Asked elsewhere = asked("4096 by 14336");
    EXPECT_EQ(elsewhere.problem, "Llama 2 7B · 100 tokens has no tensor of 4096 × 14336.");
    EXPECT_TRUE(match(elsewhere, AskMatch::Kind::tensor, "Gate projection of Llama 3 8B"))
        << "other models are looked through";
}

TEST(Ask, FindsWhatIsThatMany) {
    const Asked square = asked("16,777,216");
    ASSERT_TRUE(square.answer);
    EXPECT_EQ(square.answer->symbols, "d·h·d_h");
    EXPECT_TRUE(match(square, AskMatch::Kind::tensor, "Query projection"));
    EXPECT_TRUE(match(square, AskMatch::Kind::tensor, "Output projection"));
    EXPECT_EQ(answer("6738415616").title, "The whole model");
    EXPECT_EQ(answer("11008").light, "field.ffn_dim");
    EXPECT_EQ(problem("16777217"), "Llama 2 7B has nothing that is 16,777,217: no dimension, no tensor, no part.");
}

TEST(Ask, KnowsTheFieldsWords) {
    for (const auto& [question, expected] : std::vector<std::pair<const char*, const char*>>{
             {"w_q", "4096 × 4096"},
             {"Wq llama 3 8b", "4096 × 4096"},
             {"k_proj of llama 3 8b", "4096 × 1024"},
             {"output projection", "4096 × 4096"},
             {"shape of lm head", "4096 × 32000"},
             {"lm_head", "4096 × 32000"},
             {"logits", "100 × 32000"},
             {"scores, 7 tokens", "7 × 7"},
             {"attention weights, 7 tokens", "7 × 7"},
             {"weights, one head, 7 tokens", "7 × 7"},
             {"keys, all heads, 10 tokens, llama 3 8b", "10 × 1024"},
             {"values per head", "100 × 128"},
             {"attention queries", "100 × 4096"},
             {"output after projection, 100 tokens", "100 × 4096"},
             {"output, one head", "100 × 128"},
             {"hidden, 10 tokens", "10 × 11008"},
             {"input, 10 tokens", "10 × 4096"},
             {"scores, 10 tokens, 50 cached", "10 × 60"},
             {"layer.feed_forward.up.weight", "4096 × 11008"},
             {"model.layers.3.mlp.up_proj.weight", "4096 × 11008"},
             {"rows of queries, 8 tokens", "8"},
             {"columns of the queries of one head", "128"},
             {"weights of attention", "2,147,483,648"},
             {"params of w_q", "16,777,216"},
             {"params of w_q in all layers", "536,870,912"},
             {"parameters of queries, one head", "524,288"},
             {"params of q, k and v", "50,331,648"},
             {"parameters per layer", "202,383,360"},
             {"a layer of llama 3 8b", "218,112,000"},
             {"params of all layers", "6,476,267,520"},
             {"elements of scores, all heads, 100 tokens", "320,000"},
             {"bytes of llama 3 8b in fp16", "16,060,522,496"},
             {"memory of mixtral 8x7b in 4 bit", "26,270,703,616"},
             {"mixtral 8x7b active", "12,879,925,248"},
             {"active parameters of mixtral", "12,879,925,248"},
             {"params of one expert in mixtral", "176,160,768"},
             {"experts in mixtral", "8"},
             {"experts per token mixtral", "2"},
             {"how many layers does llama 2 70b have?", "80"},
             {"kv heads llama 3 8b", "8"},
             {"head size", "128"},
             {"vocab size gpt2", "50257"},
             {"how many parameters does gpt2 have", "124,439,808"},
             {"position embeddings of gpt-2", "1024 × 768"},
             {"copies of scores", "1,024"},
             {"how many tensors has llama 2 7b", "291"},
             {"how many weight matrices in one layer", "7"},
             {"how many matrices of attention", "128"},
             {"number of tensors of mixtral 8x7b", "995"},
             {"how many tensors in all layers of albert base", "16"},
             {"llama 3 8b", "8,030,261,248"},
         })
        EXPECT_EQ(number(question), expected) << question;
}

TEST(Ask, ReadsAModelsNameHoweverItIsWritten) {
    for (const auto& [question, expected] : std::vector<std::pair<const char*, const char*>>{
             {"params of llama-3-8b", "llama-3-8b"},
             {"params of Llama3 8B", "llama-3-8b"},
             {"llama 8b", "llama-3-8b"},
             {"llama 405b", "llama-3.1-405b"},
             {"gpt2", "gpt2"},
             {"gpt-2 xl", "gpt2-xl"},
             {"8x7b", "mixtral-8x7b"},
             {"mixtral", "mixtral-8x7b"},
             {"deepseek v3", "deepseek-v3"},
             {"qwen 2.5 7b", "qwen2.5-7b"},
             {"code llama", "codellama-34b"},
             {"llama 2 13b 100 tokens scores", "llama-2-13b"},
         })
        EXPECT_EQ(answer(question).preset, expected) << question;
    EXPECT_TRUE(says(answer("mixtral").notes, "it could also be Mixtral 8x22B"));
    EXPECT_EQ(answer("llama 7b 3 tokens, scores").about, "LLaMA 7B · 3 tokens");
}

TEST(Ask, AnswersForNoModelThatItDoesNotKnow) {
    const Asked unknown = asked("params of ffn in llama 3.7 8b");
    ASSERT_EQ(unknown.unknown.size(), 1U);
    EXPECT_EQ(unknown.unknown[0].words, "llama 3.7 8b");
    ASSERT_FALSE(unknown.unknown[0].nearest.empty());
    EXPECT_EQ(unknown.unknown[0].nearest[0], "Llama 3 8B");
    EXPECT_EQ(unknown.unknown[0].nearest.size(), 3U);
    EXPECT_FALSE(unknown.answer) << "another model's number would stand there";
    EXPECT_FALSE(asked("context length of llama 3.7 8b").answer);
    EXPECT_FALSE(asked("gpt4").unknown.empty());
}

TEST(Ask, SaysWhatItDoesNotUnderstandAndTheNearest) {
    const Asked slip = asked("quieries, one head, 100 tokens");
    ASSERT_EQ(slip.unknown.size(), 1U);
    EXPECT_EQ(slip.unknown[0].words, "quieries");
    EXPECT_EQ(slip.unknown[0].nearest.front(), "queries");
    ASSERT_FALSE(slip.matches.empty());
    EXPECT_EQ(slip.matches[0].kind, AskMatch::Kind::wording);
    EXPECT_EQ(slip.matches[0].id, "queries, one head, 100 tokens");
    const Asked begun = asked("params of atten");
    ASSERT_EQ(begun.unknown.size(), 1U);
    EXPECT_EQ(begun.unknown[0].nearest.front(), "attention") << "a word that is begun is gone on with";
    EXPECT_EQ(asked("params of fed forward").unknown[0].nearest.front(), "feed forward");
    EXPECT_EQ(asked("queries of lama").unknown[0].nearest.front(), "llama");
    const Asked nonsense = asked("params of zzyzxqj");
    ASSERT_EQ(nonsense.unknown.size(), 1U);
    EXPECT_TRUE(nonsense.unknown[0].nearest.empty());
}

TEST(Ask, SaysWhyThereIsNoAnswer) {
    EXPECT_EQ(problem("gate in gpt2"), "GPT-2 small has no gate.");
    EXPECT_EQ(problem("experts"), "Llama 2 7B has no experts.");
    EXPECT_EQ(problem("params of scores"),
              "Scores: an activation of 100 × 100, which holds no parameters. Ask for its shape, elements or bytes.");
    EXPECT_EQ(problem("shape of attention"),
              "Attention is no single matrix: ask for a part of it (queries, the up "
              "projection) or for parameters.");
    EXPECT_EQ(problem("100 tokens"), "Say what is asked: the shape of queries, parameters of attention, the KV cache.");
    EXPECT_EQ(problem("queries 12"),
              "A number stands there that nothing is said of; write 100 tokens, batch 4 or 1000 "
              "cached.");
    EXPECT_NE(problem("queries, 0 tokens").find("0"), std::string::npos);
    EXPECT_EQ(problem(""), "");
    EXPECT_FALSE(asked(std::string(longest_question + 1, 'q')).problem.empty());
    EXPECT_TRUE(says(answer("queries, 40 layers").notes, "Llama 2 7B has 32 layers, not 40"));
}

TEST(Ask, AFieldThatNothingReadsIsNone) {
    EXPECT_EQ(problem("how many heads has mamba2 2.7b"),
              "Mamba-2 2.7B has no heads: it has no attention. It has 80 state heads.");
    EXPECT_EQ(problem("kv heads of mamba2 2.7b"), "Mamba-2 2.7B has no key/value heads: it has no attention.");
    EXPECT_EQ(problem("ffn hidden of mamba2 2.7b"), "Mamba-2 2.7B has no feed-forward width: it has no feed-forward.");
    EXPECT_EQ(problem("how many heads has falcon mamba"), "Falcon Mamba 7B has no heads: it has no attention.");
}

TEST(Ask, SaysHowManyTokensAreReadAndLayersThereAre) {
    EXPECT_NE(answer("kv cache of whisper small").about.find("1,500 source tokens"), std::string::npos);
    EXPECT_NE(answer("queries, one head, vit base").about.find("197 tokens"), std::string::npos);
    EXPECT_TRUE(says(answer("how many layers has t5 base").notes, "the encoder has 12"));
    EXPECT_TRUE(answer("how many layers has llama 2 7b").notes.empty());
}

TEST(Ask, SaysOfAContextWhatItsPositionsCost) {
    EXPECT_TRUE(says(answer("what is the context of bert base").notes, "512 × 768 = 393,216 parameters"));
    EXPECT_TRUE(answer("what is the context of llama 2 7b").notes.empty());
}

TEST(Ask, RefusesWhatIsBelowNothing) {
    EXPECT_EQ(problem("llama 2 7b with -3 layers"), "\"-3\" is negative: write a number from 0 up.");
    EXPECT_EQ(problem("-5 layers"), "\"-5\" is negative: write a number from 0 up.");
    EXPECT_EQ(problem("queries, tokens=-8k"), "\"-8k\" is negative: write a number from 0 up.");
    EXPECT_EQ(number("params of llama-2-7b"), "6,738,415,616") << "a dash within a name is none";
    EXPECT_EQ(number("4096 - 11008"), "4096 × 11008") << "nor is one between two words";
}

TEST(Ask, ReadsAValueBehindItsName) {
    for (const char* text : {"what if width is 8192", "with width 8192", "with 8192 width", "with a width of 8192",
                             "what if the width were 8192", "set width to 8192"})
        EXPECT_EQ(number(text), "17,771,798,528") << text;
    EXPECT_EQ(number("what if ffn is 14336"), "8,047,038,464");
    EXPECT_NE(problem("with width 4097").find("4097"), std::string::npos);
    EXPECT_EQ(number("params of ffn, 2 tokens"), "4,328,521,728") << "that is another thing's number";
}

TEST(Ask, FindsCommandsPresetsAndTensorsByName) {
    const Asked theme = asked("dark");
    ASSERT_TRUE(match(theme, AskMatch::Kind::command, "Dark or light"));
    EXPECT_EQ(match(theme, AskMatch::Kind::command, "Dark or light")->command, 1U);
    EXPECT_TRUE(match(asked("undo"), AskMatch::Kind::command, "Undo"));
    EXPECT_TRUE(asked("undo").unknown.empty()) << "what names a command is understood";
    EXPECT_TRUE(match(asked("gemma 2"), AskMatch::Kind::preset, "Gemma 2 9B"));
    EXPECT_TRUE(match(asked("up proj"), AskMatch::Kind::tensor, "Up projection") ||
                asked("up proj").answer->light == "layer.feed_forward.up.weight");
    EXPECT_TRUE(match(asked("rotated"), AskMatch::Kind::tensor, "Queries, rotated"));
    EXPECT_TRUE(match(asked("params of ffn in llama 3 8b"), AskMatch::Kind::preset, "Llama 3 8B"));
}

TEST(Ask, TakesTheInputOfTheModelAtHand) {
    EXPECT_EQ(answer("queries", "llama-2-7b", {7, 1, 0, Precision::bf16}).number, "7 × 4096");
    EXPECT_EQ(answer("scores", "llama-2-7b", {1, 1, 99, Precision::bf16}).number, "1 × 100");
}

TEST(Ask, CountsTheBytesThatMemoryCounts) {
    std::size_t next = 0;  // each model in some formats, each format in some models
    for (const Preset& preset : tried_presets())
        for (int i = 0; i < 3; ++i) {
            const PrecisionInfo& format = precisions()[next++ % precisions().size()];
            const Formats formats = *parse_formats(format.key, "");  // "q8_0" is a recipe, here as there
            const Result<CountedModelPtr> model = counted_model(preset.architecture, {.precision = formats});
            ASSERT_TRUE(model);
            const MemoryFormulas memory(preset.architecture, (*model)->graph, {.weights = formats});
            const std::string question = "bytes of the model in " + std::string(format.key);
            EXPECT_EQ(number(question, preset.id), grouped(*evaluate(memory.weights_formula(), (*model)->bindings)))
                << preset.id << ' ' << format.key;
        }
}

TEST(Ask, KnowsKindsOfLayers) {
    const AskAnswer dense = answer("params of ffn in a dense layer of deepseek v2 lite");
    EXPECT_EQ(dense.place, "layer_dense.feed_forward");
    EXPECT_EQ(dense.number, "67,239,936");
    EXPECT_NE(dense.title.find("one dense layer"), std::string::npos) << dense.title;
    const AskAnswer all = answer("params of ffn in the dense layers of deepseek v2 lite");
    EXPECT_EQ(all.number, "67,239,936") << "it has one";
    EXPECT_NE(all.title.find("all dense layers"), std::string::npos) << all.title;
}

TEST(Ask, AgreesWithTheAnalysisOfEveryModel) {
    for (const Preset& preset : tried_presets()) {
        const Result<CountedModelPtr> model = counted_model(preset.architecture, {});
        ASSERT_TRUE(model) << preset.id;
        const Parameters& parameters = (*model)->parameters;
        auto here = [&](std::string_view text) { return answer(text, preset.id); };
        EXPECT_EQ(here("parameters").number, grouped(parameters.total)) << preset.id;
        EXPECT_EQ(here("active parameters").number, grouped(parameters.active)) << preset.id;
        std::int64_t tensors = 0;
        for (const ParameterRow& row : parameters.tensors) tensors += row.copies;
        EXPECT_EQ(here("how many tensors").number, grouped(tensors)) << preset.id;
        EXPECT_EQ(here("params of attention").number, grouped(parameters.of(Component::attention))) << preset.id;
        EXPECT_EQ(here("weights of the ffn").number, grouped(parameters.of(Component::feed_forward))) << preset.id;
        EXPECT_EQ(here("params of norms").number, grouped(parameters.of(Component::norm))) << preset.id;
        if (preset.architecture.tied_layers) {
            EXPECT_NE(asked("parameters per layer of " + preset.id).problem.find("share one set"), std::string::npos);
        } else {
            EXPECT_EQ(here("parameters per layer").number, grouped(parameters.per_layer)) << preset.id;
        }
        EXPECT_EQ(here("params of all layers").number, grouped(parameters.in_layers)) << preset.id;
        if (const Tensor* const queries = (*model)->graph.find("layer.attention.head.queries")) {
            EXPECT_EQ(here("shape of queries one head").number, shape_in_numbers(queries->shape, (*model)->bindings))
                << preset.id;
        }
        EXPECT_EQ(here("layers").number, std::to_string(preset.architecture.layers)) << preset.id;
        // Asked about from another model it is the same.
        EXPECT_EQ(answer("parameters of " + preset.id, "tinyllama-1.1b").number, grouped(parameters.total))
            << preset.id;
        EXPECT_EQ(answer(preset.architecture.name + " parameters", "tinyllama-1.1b").number, grouped(parameters.total))
            << preset.id;
    }
}

// Every tensor that is named in full is found as itself, and so is what is lit.
TEST(Ask, LightsWhatTheGraphHas) {
    for (const std::string id : {"llama-2-7b", "gpt2", "mixtral-8x7b", "deepseek-v2-lite"}) {
        const Result<CountedModelPtr> model = counted_model(find_preset(presets(), id)->architecture, {});
        ASSERT_TRUE(model);
        for (const Tensor& tensor : (*model)->graph.tensors) {
            if (tensor.id.find('.') == std::string::npos) continue;
            EXPECT_EQ(answer(tensor.id, id).light, tensor.id) << id;
        }
    }
}

TEST(Ask, IsSafeToAskAnything) {
    std::mt19937 random(6);
    auto below = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
    std::istringstream all_words(
        "queries one head 100 tokens llama 7b 3.1 params of ffn x 4096 k 8k kv cache batch cached 0 "
        "99999999999999999999 9223372036854775807 layer all in experts mixtral 8x7b gpt 2 dense "
        "layers w_q and shape rows bytes int4 active output attention norm total full context . , ? "
        "\xc3 × 5. 1.5k vocab layer.attention model.layers.0.self_attn.q_proj.weight deepseek v3 per "
        "token m");
    const std::vector<std::string> words{std::istream_iterator<std::string>(all_words), {}};
    for (int i = 0; i < tries(3000); ++i) {
        std::string text;
        if (i % 3 == 0)
            for (std::size_t count = below(40); count > 0; --count) text += static_cast<char>(below(256));
        else
            for (std::size_t count = below(9); count > 0; --count)
                text += words[below(words.size())] + (below(4) == 0 ? "" : " ");
        const Asked all = asked(text);
        if (all.answer) {
            EXPECT_FALSE(all.answer->number.empty()) << text;
            EXPECT_TRUE(all.problem.empty()) << text;
        }
    }
}

}  // namespace
}  // namespace headcount
