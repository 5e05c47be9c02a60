// What the class that a configuration names says of the output head: none, or another.
#include "core/files/class_said.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "core/arch/computation.hpp"
#include "core/arch/validate.hpp"
#include "core/files/open.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"

namespace headcount {
namespace {

using reading::exported;
using reading::read;
using reading::refusal;
using reading::type;

nlohmann::json of_class(const char* type, const char* name, bool tied = false) {
    return {{"model_type", type}, {"architectures", {name}}, {"tie_word_embeddings", tied}};
}

std::vector<std::string> names_of(const Architecture& arch) {
    std::vector<std::string> names;
    for (const StoredTensor& each : expand(arch).stored) names.push_back(each.name);
    return names;
}

TEST(ClassSaid, TheStackAloneHasNoHeadAndNamesThatBeginThere) {
    const Architecture stack = read(of_class("llama", "LlamaModel"));
    EXPECT_EQ(stack.output, OutputKind::none);
    EXPECT_EQ(expand(stack).stored.front().name, "embed_tokens.weight");
    EXPECT_EQ(expand(stack).stored.back().name, "norm.weight");
    const Architecture biased = read(of_class("phi", "PhiModel"));
    EXPECT_FALSE(biased.head_bias);
    EXPECT_EQ(expand(biased).stored.back().name, "final_layernorm.bias");
    EXPECT_EQ(read(of_class("hunyuan_vl_text", "HunYuanVLTextModel")).output, OutputKind::none);
    EXPECT_EQ(read(of_class("ctrl", "CTRLModel", true)).output, OutputKind::none) << "whose head has a bias";
}

// Nor has it one where the embedding would be the head: as many parameters, by other names.
TEST(ClassSaid, TheStackAloneHasNoHeadWhateverItWouldBe) {
    for (const auto& [type, name, first, last] :
         {std::tuple("llama", "LlamaModel", "embed_tokens.weight", "norm.weight"),
          {"bloom", "BloomModel", "word_embeddings.weight", "ln_f.bias"},
          {"gpt2", "GPT2Model", "wte.weight", "ln_f.bias"},
          {"bart", "BartModel", "shared.weight", "decoder.layernorm_embedding.bias"},
          {"t5", "T5Model", "shared.weight", "decoder.final_layer_norm.weight"}}) {
        const Architecture stack = read(of_class(type, name, true));
        EXPECT_EQ(stack.output, OutputKind::none) << name;
        const std::vector<std::string> names = names_of(stack);
        EXPECT_EQ(names.front(), first) << name;
        EXPECT_THAT(names, testing::Contains(last)) << name;
        EXPECT_EQ(exported(stack)["architectures"], nlohmann::json{name});
        EXPECT_EQ(names_of(read(exported(stack))), names) << name;
    }
}

// What transformers renames where it loads a type, it writes otherwise where names begin elsewhere.
TEST(ClassSaid, TheStackAloneIsNamedAsTransformersWritesIt) {
    for (const auto& [type, name, published, written] :
         {std::tuple("bailing_hybrid", "BailingHybridModel", "word_embeddings.weight", "embed_tokens.weight"),
          {"deepseek_v4", "DeepseekV4Model", "embed_tokens.weight", "embed.weight"},
          {"deepseek_v4", "DeepseekV4Model", "hc_head.hc_fn", "hc_head_fn"},
          {"hy_v4", "HYV4Model", "hc_pre.hc_head.hc_head_fn", "hc_head.hc_pre.hc_head_fn"}}) {
        nlohmann::json file = of_class(type, name);
        const std::vector<std::string> now = names_of(read(file));
        EXPECT_THAT(now, testing::AllOf(testing::Contains(written), testing::Not(testing::Contains(published))));
        file["transformers_version"] = "4.57.1";
        const std::vector<std::string> before = names_of(read(file));
        EXPECT_THAT(before, testing::AllOf(testing::Contains(published), testing::Not(testing::Contains(written))));
    }
    const std::vector<std::string> whole = names_of(read(of_class("bailing_hybrid", "BailingHybridForCausalLM")));
    EXPECT_THAT(whole, testing::Contains("model.word_embeddings.weight"));
}

TEST(ClassSaid, AStackThatScoresTokensItselfIsNoneWithoutAHead) {
    for (const bool tied : {false, true})
        EXPECT_EQ(refusal(of_class("fsmt", "FSMTModel", tied)),
                  "\"FSMTModel\" makes scores for tokens itself, and is known here as FSMTForConditionalGeneration "
                  "alone, which holds nothing else: config.json, architectures: give FSMTForConditionalGeneration");
}

// What an export of it would name is refused where it is read.
TEST(ClassSaid, AStackThatScoresTokensItselfIsNotEditedToHaveNone) {
    const std::vector<Problem> problems = validate(testing_data::with(read(type("fsmt")), "output", "none"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(sentence(problems.front().error),
              "the stack of this type makes scores for tokens itself, and is nothing without them: output: give it "
              "scores for tokens");
    EXPECT_TRUE(validate(testing_data::with(read(type("bart")), "output", "none")).empty());
}

TEST(ClassSaid, OfAnotherTypeIsSaidUnlessItHasTheSameTensors) {
    EXPECT_EQ(note_on_class(read(of_class("llama", "BertForMaskedLM"))),
              "Not checked: the class \"BertForMaskedLM\" is of type \"bert\". It is counted as the file's type, "
              "\"llama\", says.");
    EXPECT_NE(note_on_class(read(of_class("mixtral", "LlamaForCausalLM"))), "");
    nlohmann::json mistral = of_class("llama", "MistralForCausalLM");
    EXPECT_NE(note_on_class(read(mistral)), "") << "whose keys have fewer heads where the file says none";
    mistral.update({{"num_key_value_heads", 8}, {"intermediate_size", 64}, {"vocab_size", 100}});
    EXPECT_EQ(note_on_class(read(mistral)), "");
    for (const auto& [type, name] : {std::tuple("kimi_k2", "DeepseekV3ForCausalLM"), {"bert", "BertLMHeadModel"}})
        EXPECT_EQ(note_on_class(read(of_class(type, name))), "") << type << " " << name;
}

TEST(ClassSaid, SurvivesAnExport) {
    const Architecture stack = read(of_class("qwen3", "Qwen3Model"));
    EXPECT_EQ(exported(stack)["architectures"], nlohmann::json{"Qwen3Model"});
    const Architecture edited = testing_data::with(read(type("llama")), "output", "none");
    EXPECT_EQ(exported(edited)["architectures"], nlohmann::json{"LlamaModel"});
    EXPECT_EQ(read(exported(edited)).output, OutputKind::none);
}

TEST(ClassSaid, AnExportKeepsTheClassThatAFamilyWrites) {
    for (const bool decodes : {false, true}) {
        const Architecture arch = read(type("reformer", {{"is_decoder", decodes}, {"tie_word_embeddings", false}}));
        EXPECT_EQ(exported(arch)["architectures"].front(), decodes ? "ReformerModelWithLMHead" : "ReformerForMaskedLM");
    }
}

TEST(ClassSaid, OfAPartOfAWholeFileSaysNothing) {
    nlohmann::json file = of_class("llava", "LlavaForConditionalGeneration");
    file["text_config"] = {{"model_type", "llama"}, {"tie_word_embeddings", false}};
    const Architecture whole = read(file);
    for (const char* name : {"LlamaModel", "LlamaForSequenceClassification"}) {
        file["text_config"]["architectures"] = {name};
        EXPECT_EQ(read(file).output, whole.output) << name;
    }
}

TEST(ClassSaid, AHeadThatTransformersHasNoneOfIsRefusedByItsName) {
    EXPECT_EQ(refusal(of_class("qwen2", "Qwen2ForRewardModel")),
              "\"Qwen2ForRewardModel\" has another head than scores for tokens, which is not known here: config.json, "
              "architectures: give Qwen2ForCausalLM, or Qwen2Model for what it stands on");
    for (const auto& [type, name] : {std::pair("llama", "LlamaForMultipleChoice"),
                                     {"qwen2", "LlamaForTokenClassification"},
                                     {"bert", "BertForSpeechClassification"},
                                     {"mamba", "MambaForSequenceClassification"}})
        EXPECT_NE(refusal(of_class(type, name)), "") << name;
    EXPECT_EQ(refusal(of_class("qwen2", "Qwen2ForCausalLM")), "");
    EXPECT_EQ(refusal(of_class("falcon", "RWForCausalLM")), "") << "what published files called it before";
}

nlohmann::json classifier(const char* type, const char* name) {
    nlohmann::json file = of_class(type, name);
    file["id2label"] = {{"0", "ham"}, {"1", "spam"}, {"2", "neither"}};
    return file;
}

// As published: bert-base with two classes has 109,483,778 (transformers counts the pooler, which is read).
TEST(ClassSaid, AClassifierOfTextHasAsManyScoresAsLabels) {
    const Architecture text = read(classifier("bert", "BertForSequenceClassification"));
    EXPECT_EQ(text.output, OutputKind::classes);
    EXPECT_EQ(text.classes, 3);
    EXPECT_EQ(text.pooled, PooledRows::first);
    EXPECT_THAT(names_of(text), testing::IsSupersetOf({"bert.pooler.dense.weight", "classifier.weight"}));
    const Architecture reward = read(classifier("llama", "LlamaForSequenceClassification"));
    EXPECT_FALSE(reward.head_bias);
    EXPECT_EQ(reward.pooled, PooledRows::each);
    EXPECT_EQ(names_of(reward).back(), "score.weight");
    EXPECT_EQ(read(of_class("bert", "BertForSequenceClassification")).classes, 2) << "without a word";
    EXPECT_EQ(read(classifier("llama", "LlamaForQuestionAnswering")).classes, 2) << "where an answer begins and ends";
    EXPECT_EQ(note_on_class(reward), "");
    EXPECT_FALSE(computation_of(reward)) << "nothing that is not compared runs";
}

TEST(ClassSaid, OtherClassesAreNotCalledByTheLabelsOfTheFile) {
    const Architecture other =
        testing_data::with(read(classifier("bert", "BertForSequenceClassification")), "classes", "5");
    const nlohmann::json file = exported(other);
    EXPECT_EQ(file["num_labels"], 5);
    EXPECT_FALSE(file.contains("id2label"));
    EXPECT_EQ(read(file).classes, 5);
    EXPECT_TRUE(exported(read(classifier("bert", "BertForTokenClassification"))).contains("id2label"));
    const nlohmann::json tokens = exported(testing_data::with(
        testing_data::with(read(classifier("llama", "LlamaForSequenceClassification")), "output", "language"), "tied",
        "true"));
    EXPECT_EQ(tokens["architectures"], nlohmann::json{"LlamaForCausalLM"}) << "edited to have scores for tokens";
}

TEST(ClassSaid, AClassifierOfOtherNumbersThanTheModelsIsRefused) {
    nlohmann::json file = classifier("deberta-v2", "DebertaV2ForSequenceClassification");
    file["pooler_hidden_size"] = 64;
    EXPECT_NE(refusal(file).find("pooler_hidden_size: give the model's width"), std::string::npos);
    nlohmann::json alone = classifier("t5gemma", "T5GemmaForSequenceClassification");
    alone["is_encoder_decoder"] = false;
    EXPECT_NE(refusal(alone).find("on an encoder alone"), std::string::npos) << refusal(alone);
}

TEST(ClassSaid, PartsAndHeadsBesidesAreRefusedByTheirNames) {
    const std::pair<const char*, const char*> others[] = {
        {"gpt2", "GPT2DoubleHeadsModel"}, {"xlnet", "XLNetForQuestionAnswering"}, {"t5gemma", "T5GemmaEncoderModel"},
        {"neomme", "NeoMMEForRetrieval"}, {"moonshine", "MoonshineEncoder"},      {"trocr", "TrOCRDecoderWrapper"}};
    for (const auto& [type, name] : others) {
        const std::string why = refusal(of_class(type, name, true));
        EXPECT_NE(why.find(name), std::string::npos) << name << ": " << why;
    }
    for (const char* name :
         {"Blip2ForImageTextRetrieval", "Blip2TextModelWithProjection", "Blip2VisionModelWithProjection"}) {
        nlohmann::json file = of_class("blip-2", name, true);
        file["text_config"] = {{"model_type", "opt"}};
        EXPECT_NE(refusal(file).find(name), std::string::npos) << name;
    }
}

TEST(ClassSaid, OneThatIsNotKnownIsSaidAndKept) {
    for (const char* name : {"Foo", "LlamaForRewardModeling", "LlamaBiModel", "LlamaForCausalLMEagle3"}) {
        const Architecture arch = read(of_class("llama", name));
        EXPECT_EQ(arch.output, OutputKind::language) << name;
        EXPECT_EQ(note_on_class(arch).find("Not checked: the class \"" + std::string(name) + "\" is not known."), 0u);
        EXPECT_EQ(doubt_on({.architecture = arch, .base = arch}), note_on_class(arch));
        EXPECT_EQ(exported(arch)["architectures"], nlohmann::json{name});
        EXPECT_EQ(note_on_class(read(exported(arch))), note_on_class(arch));
    }
    for (const char* name : {"LlamaForCausalLM", "LlamaModel", "LLaMALMHeadModel"})
        EXPECT_EQ(note_on_class(read(of_class("llama", name))), "") << name;
    for (const char* name : {"T5Model", "T5ForConditionalGeneration", "T5WithLMHeadModel"})
        EXPECT_EQ(note_on_class(read(of_class("t5", name, true))), "") << name;
    EXPECT_EQ(note_on_class(read(of_class("reformer", "ReformerModelWithLMHead"))), "");
}

TEST(ClassSaid, OfAWholeFileThatIsNotKnownIsSaidAndKept) {
    nlohmann::json file = of_class("llava", "Foo");
    file["text_config"] = {{"model_type", "llama"}};
    for (const char* of : {"clip_vision_model", "evergreen"}) {
        file["vision_config"] = {{"model_type", of}};
        const Architecture arch = read(file);
        EXPECT_NE(note_on_class(arch), "") << of;
        EXPECT_EQ(exported(arch)["architectures"], nlohmann::json{"Foo"}) << of;
    }
    file["architectures"] = {"LlavaForConditionalGeneration"};
    EXPECT_EQ(note_on_class(read(file)), "");
}

TEST(ClassSaid, APoolerOfAnotherWidthIsRefusedWhereThereIsOne) {
    for (const auto& [type, name] : {std::pair("vit", "ViT"), std::pair("deit", "DeiT")}) {
        nlohmann::json file = of_class(type, (std::string(name) + "Model").c_str());
        for (const nlohmann::json& same : {nlohmann::json(768), nlohmann::json()}) {
            file["pooler_output_size"] = same;
            EXPECT_EQ(refusal(file), "");
        }
        file["pooler_output_size"] = 64;
        EXPECT_EQ(refusal(file),
                  "a pooler of another width than the model is not known here: config.json, pooler_output_size: "
                  "give hidden_size");
        file["architectures"] = {std::string(name) + "ForImageClassification"};
        EXPECT_EQ(refusal(file), "");
    }
}

TEST(ClassSaid, OfTwoEncodersIsBothOrThatOfImagesUnderAClassifier) {
    for (const auto& [type, name] : {std::pair("clip", "CLIP"), std::pair("siglip", "Siglip"),
                                     std::pair("siglip2", "Siglip2"), std::pair("metaclip_2", "MetaClip2")}) {
        nlohmann::json file = of_class(type, (std::string(name) + "Model").c_str());
        file["vision_config"] = {{"hidden_size", 64}, {"num_attention_heads", 4}};
        const Architecture both = read(file);
        EXPECT_TRUE(both.whole && !reads_numbers(both)) << name;
        EXPECT_EQ(names_of(read(exported(both))), names_of(both)) << name;
        file.erase("architectures");
        EXPECT_EQ(names_of(read(file)), names_of(both)) << name;
        file["architectures"] = {std::string(name) + "ForImageClassification"};
        EXPECT_TRUE(reads_numbers(read(file))) << name;
        file["architectures"] = {std::string(name) + "ForRetrieval"};
        EXPECT_EQ(refusal(file), '"' + std::string(name) +
                                     "ForRetrieval\" is no form of it that is known here: config.json, architectures: "
                                     "give " +
                                     name + "Model");
    }
}

// Whose names begin below "model.": transformers writes those of some types as it did before it had such a module.
TEST(ClassSaid, AWholeFileWithoutItsHeadIsAllBesides) {
    for (const auto& [type, name, text, tower, norm] :
         {std::tuple("aya_vision", "AyaVisionModel", "cohere2", "vision_tower.", "language_model.model.norm.weight"),
          {"internvl", "InternVLModel", "qwen2", "vision_tower.", "language_model.model.norm.weight"},
          {"qwen2_vl", "Qwen2VLModel", "qwen2_vl_text", "visual.", "language_model.norm.weight"},
          {"qwen3_vl", "Qwen3VLModel", "qwen3_vl_text", "visual.", "language_model.norm.weight"},
          {"idefics3", "Idefics3Model", "llama", "vision_model.", "text_model.norm.weight"}})
        for (const bool tied : {false, true}) {
            nlohmann::json file = of_class(type, name, tied);
            file["text_config"] = {{"model_type", text}};
            file["vision_config"] = nlohmann::json::object();
            const Architecture whole = read(file);
            EXPECT_EQ(whole.output, OutputKind::none) << name;
            const std::vector<std::string> names = names_of(whole);
            EXPECT_THAT(names, testing::Contains(norm)) << name;
            EXPECT_THAT(names, testing::Contains(testing::StartsWith(tower))) << name;
            EXPECT_THAT(names, testing::Not(testing::Contains(testing::StartsWith("model.")))) << name;
            EXPECT_EQ(names_of(read(exported(whole))), names) << name;
        }
}

TEST(ClassSaid, AWholeFileOfWhichTheTextAloneIsKnownIsRefusedWithoutItsHead) {
    nlohmann::json file = of_class("voxtral_realtime", "VoxtralRealtimeModel");
    file["text_config"] = {{"model_type", "llama"}, {"tie_word_embeddings", false}};
    EXPECT_NE(refusal(file).find("\"VoxtralRealtimeModel\" has no scores for tokens"), std::string::npos);
    file["tie_word_embeddings"] = true;
    EXPECT_EQ(refusal(file), "") << "whose embedding is the head";
    file = of_class("aya_vision", "AyaVisionForConditionalGeneration");
    file["text_config"] = {{"model_type", "cohere2"}};
    EXPECT_EQ(refusal(file), "");
    file["architectures"] = {"AyaVisionForSequenceClassification"};
    EXPECT_NE(refusal(file), "");
    file["architectures"] = {"Cohere2TextModel"};
    EXPECT_NE(refusal(file), "") << "which the tower is no part of";
}

}  // namespace
}  // namespace headcount
