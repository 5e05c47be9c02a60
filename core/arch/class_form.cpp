// The classes that transformers has of types of text with scores for classes (transformers 5.23, models/*/modeling_*.py
// and modeling_layers.py), and the module tree of one.
#include "core/arch/class_form.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/arch/family.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace class_forms {

constexpr std::string_view sequence = "ForSequenceClassification", token = "ForTokenClassification",
                           answer = "ForQuestionAnswering", simple_answer = "ForQuestionAnsweringSimple",
                           choice = "ForMultipleChoice", next_sentence = "ForNextSentencePrediction",
                           pretraining = "ForPreTraining";
constexpr std::string_view class_field = "architectures";
constexpr PooledRows each = PooledRows::each;

// Of BERT's kind, with and without its pooler.
constexpr std::string_view by_pooler =
    "albert bert ernie fnet gte layoutlm luke megatron-bert nomic_bert rembert roc_bert squeezebert";
constexpr std::string_view by_hidden =
    "camembert data2vec-text esm esmc ibert jina_embeddings_v3 longformer mpnet mra nystromformer roberta "
    "roberta-prelayernorm xlm-roberta xlm-roberta-xl xmod yoso";
constexpr std::string_view tokens_of_encoders =
    "albert bert camembert convbert data2vec-text deberta deberta-v2 distilbert electra ernie esm eurobert flaubert "
    "funnel gte ibert jina_embeddings_v3 longformer luke megatron-bert mpnet mra nomic_bert nystromformer rembert "
    "roberta roberta-prelayernorm roc_bert xlm xlm-roberta xlm-roberta-xl xlnet xmod yoso";
constexpr std::string_view answers_of_encoders =
    "albert bert camembert convbert data2vec-text deberta deberta-v2 distilbert electra ernie funnel gptj ibert "
    "jina_embeddings_v3 longformer luke megatron-bert mpnet rembert roberta roberta-prelayernorm roc_bert xlm-roberta "
    "xlm-roberta-xl xmod";
constexpr std::string_view choices_of_encoders =
    "albert bert big_bird camembert data2vec-text ernie fnet ibert longformer luke megatron-bert mpnet rembert roberta "
    "roberta-prelayernorm roc_bert squeezebert xlm-roberta xlm-roberta-xl xmod";
constexpr std::string_view keep_pooler = "big_bird fnet layoutlm squeezebert";
// Decoders: the scores at a text's last token are those of the text.
constexpr std::string_view decoders =
    "arcee axk1 axk2 biogpt bloom deepseek_v2 deepseek_v3 diffllama doge exaone4 falcon gemma gemma2 gemma3_text glm "
    "glm4 gpt2 gpt_bigcode gpt_neo gpt_neox gpt_oss gptj helium hunyuan_v1_dense hunyuan_v1_moe jamba jetmoe llama "
    "minicpm3 minimax ministral ministral3 mistral mistral4 mixtral mpt nemotron olmo olmo2 olmo3 openai-gpt opt "
    "persimmon phi phi3 phimoe qwen2 qwen2_moe qwen3 qwen3_5_text qwen3_moe qwen3_next seed_oss smollm3 stablelm "
    "starcoder2 zamba zamba2";
constexpr std::string_view tokens_of_decoders =
    "apertus arcee axk1 axk2 deepseek_v3 diffllama esmc exaone4 gemma gemma2 glm glm4 gpt_oss helium llama minimax "
    "ministral ministral3 mistral mistral4 mixtral nemotron persimmon phi phi3 qwen2 qwen2_moe qwen3 qwen3_moe "
    "qwen3_next seed_oss smollm3 stablelm starcoder2";
constexpr std::string_view answers_of_decoders =
    "bart bigbird_pegasus bloom falcon gpt2 gpt_neo gpt_neox led mbart minimax ministral3 mistral mixtral mpt mra mvp "
    "nystromformer opt qwen2_moe roformer yoso";
// The same, whose files call the rest otherwise there.
constexpr std::string_view answers_of_transformers =
    "arcee diffllama exaone4 llama ministral nemotron qwen2 qwen3 qwen3_moe qwen3_next seed_oss smollm3";

// A form of another class, or of one with other rows.
constexpr ClassForm with(ClassForm form, std::string_view end, std::string_view types, PooledRows rows,
                         std::optional<std::int64_t> classes = {}) {
    form.end = end;
    form.types = types;
    form.rows = rows;
    form.classes = classes;
    return form;
}
constexpr PooledRows first = PooledRows::first;
constexpr ClassForm of_deberta{.end = {},
                               .types = {},
                               .scores = "classifier",
                               .projection = "pooler.dense",
                               .activation = Activation::gelu,
                               .width_field = "pooler_hidden_size"};
constexpr ClassForm of_distilbert{
    .end = {}, .types = {}, .scores = "classifier", .projection = "pre_classifier", .activation = Activation::relu};
constexpr ClassForm of_modernbert{.end = {},
                                  .types = {},
                                  .scores = "classifier",
                                  .projection = "head.dense",
                                  .activation = {},
                                  .norm = "head.norm",
                                  .by_transform = true};
constexpr ClassForm of_t5gemma{
    .end = {}, .types = {}, .scores = "score.out_proj", .rows = PooledRows::each, .says_stacks = true};

constexpr ClassForm with_bias_of_transform(ClassForm form) {
    form.scores_by_transform = true;
    return form;
}

constexpr auto forms = std::to_array<ClassForm>({
    {.end = sequence, .types = by_pooler, .scores = "classifier", .projection = projection_of_pooler},
    {.end = sequence, .types = by_hidden, .scores = "classifier.out_proj", .projection = "classifier.dense"},
    {.end = sequence,
     .types = "big_bird",
     .scores = "classifier.out_proj",
     .projection = "classifier.dense",
     .activation = {},
     .idle_pooler = true},
    {.end = sequence,
     .types = "convbert electra roformer",
     .scores = "classifier.out_proj",
     .projection = "classifier.dense",
     .activation = Activation::gelu},
    with(of_deberta, sequence, "deberta deberta-v2", first),
    with(of_distilbert, sequence, "distilbert", first),
    {.end = sequence,
     .types = "eurobert",
     .scores = "classifier",
     .projection = "dense",
     .activation = Activation::gelu},
    with(of_modernbert, sequence, "modernbert", first),
    with_bias_of_transform(with(of_modernbert, sequence, "modernbert-decoder", each)),
    with(of_t5gemma, sequence, "t5gemma", each),
    with(of_t5gemma, token, "t5gemma", each),
    {.end = sequence,
     .types = "bart bigbird_pegasus mbart mvp plbart",
     .scores = "classification_head.out_proj",
     .projection = "classification_head.dense"},
    {.end = sequence,
     .types = "mt5 t5 umt5",
     .scores = "classification_head.out_proj",
     .projection = "classification_head.dense",
     .inside = "transformer"},
    {.end = sequence, .types = decoders, .scores = "score", .rows = each, .bias = false},
    {.end = sequence, .types = "ctrl", .scores = "classifier", .rows = each, .bias = false},
    {.end = token, .types = tokens_of_encoders, .scores = "classifier", .rows = each},
    {.end = token, .types = keep_pooler, .scores = "classifier", .rows = each, .idle_pooler = true},
    {.end = token,
     .types = "biogpt bloom falcon gpt2 gpt_bigcode gpt_neo gpt_neox mpt",
     .scores = "classifier",
     .rows = each},
    {.end = token, .types = tokens_of_decoders, .scores = "score", .rows = each},
    {.end = token,
     .types = "mt5 t5 umt5",
     .scores = "classifier",
     .rows = each,
     .inside = "transformer",
     .encoder_alone = true},
    with(of_modernbert, token, "modernbert", each),
    {.end = answer, .types = answers_of_encoders, .scores = "qa_outputs", .rows = each},
    {.end = answer, .types = "mt5 t5 umt5", .scores = "qa_outputs", .rows = each},
    {.end = answer, .types = "fnet squeezebert", .scores = "qa_outputs", .rows = each, .idle_pooler = true},
    {.end = answer, .types = answers_of_decoders, .scores = "qa_outputs", .rows = each, .classes = 2},
    {.end = answer,
     .types = answers_of_transformers,
     .scores = "qa_outputs",
     .rows = each,
     .classes = 2,
     .inside = "transformer"},
    with(of_modernbert, answer, "modernbert", each),
    {.end = simple_answer, .types = "flaubert xlm xlnet", .scores = "qa_outputs", .rows = each},
    {.end = choice,
     .types = choices_of_encoders,
     .scores = "classifier",
     .projection = projection_of_pooler,
     .classes = 1},
    with(of_deberta, choice, "deberta-v2", first, 1),
    with(of_distilbert, choice, "distilbert mra nystromformer yoso", first, 1),
    with(of_modernbert, choice, "modernbert", first, 1),
    {.end = next_sentence,
     .types = "bert ernie fnet megatron-bert",
     .scores = "cls.seq_relationship",
     .projection = projection_of_pooler,
     .classes = 2},
    {.end = pretraining,
     .types = "electra funnel",
     .scores = "discriminator_predictions.dense_prediction",
     .rows = each,
     .projection = "discriminator_predictions.dense",
     .activation = {},
     .classes = 1},
    {.end = pretraining,
     .types = "bert big_bird ernie fnet megatron-bert",
     .scores = "cls.seq_relationship",
     .classes = 2,
     .beside_tokens = true},
    {.end = pretraining, .types = "albert", .scores = "sop_classifier.classifier", .beside_tokens = true},
});

bool has_type(const ClassForm& form, std::string_view type) { return is_word_of(form.types, type); }

// The first of `architectures` among what is carried; empty where there is none.
std::string_view class_of(const Architecture& arch) {
    const nlohmann::json& carried = arch.carried.object();
    const auto named = carried.find(class_field);
    if (named == carried.end() || !named->is_array() || named->empty() || !named->front().is_string()) return {};
    return named->front().get_ref<const std::string&>();
}

void put(std::vector<Module>& modules, std::string_view name, ModuleKind kind, Part part) {
    if (!name.empty()) modules.push_back({1, name, kind, part, {}});
}

}  // namespace class_forms

const ClassForm* class_form(const Family& family, std::string_view class_name) {
    constexpr std::string_view end = "Model";
    if (class_name.empty()) return nullptr;
    std::string own = base_class(family);
    if (own.ends_with(end)) own.resize(own.size() - end.size());
    return find_if_in(class_forms::forms, [&](const ClassForm& form) {
        return class_name.ends_with(form.end) && class_name == own + std::string(form.end) &&
               class_forms::has_type(form, family.type);
    });
}

const ClassForm* class_form(const Architecture& arch) {
    if (arch.output != OutputKind::classes || arch.whole) return nullptr;
    const ClassForm* const form = class_form(*arch.family, class_forms::class_of(arch));
    return form && !form->beside_tokens ? form : nullptr;
}

const ClassForm* form_beside_tokens(const Architecture& arch) {
    if (arch.output != OutputKind::masked || arch.whole) return nullptr;
    const ClassForm* const form = class_form(*arch.family, class_forms::class_of(arch));
    return form && form->beside_tokens ? form : nullptr;
}

std::string base_class(const Family& family) {
    const std::string_view base = family.base_path();
    const auto found = std::ranges::find_if(
        family.modules, [&](const Module& module) { return module.depth == 1 && module.name == base; });
    const std::string_view whole = family.modules.front().class_name;  // "T5ForConditionalGeneration"
    if (base.empty() || found == family.modules.end()) return std::string(whole.substr(0, whole.find("For"))) + "Model";
    return std::string(found->class_name);
}

std::vector<Module> modules_of(const Architecture& arch) {
    std::vector<Module> modules(arch.family->modules.begin(), arch.family->modules.end());
    const ClassForm* const form = class_form(arch);
    if (!form) return modules;
    const auto scores = [](const Module& module) { return std::ranges::count(module.parts, Part::output_head) > 0; };
    modules.erase(std::remove_if(modules.begin(), modules.end(), scores), modules.end());
    if (const std::string_view name = class_forms::class_of(arch); !name.empty()) modules.front().class_name = name;
    const bool pools = form->projection == projection_of_pooler;
    const std::string_view base = arch.family->base_path();
    for (Module& module : modules) {
        if (pools && std::ranges::count(module.parts, Part::pooler) > 0) module.parts = Part::classifier_projection;
        if (pools && module.with == Part::pooler) module.with = Part::classifier_projection;
        if (!form->inside.empty() && base.empty() && module.depth > 0) ++module.depth;
        if (!form->inside.empty() && module.depth == 1 && module.name == base) module.name = form->inside;
    }
    if (!form->inside.empty() && base.empty())
        modules.insert(modules.begin() + 1, {1, form->inside, ModuleKind::container, {}, {}});
    if (!pools) class_forms::put(modules, form->projection, ModuleKind::linear, Part::classifier_projection);
    class_forms::put(modules, form->norm, ModuleKind::norm, Part::pooled_norm);
    class_forms::put(modules, form->scores, ModuleKind::linear, Part::output_head);
    return modules;
}

}  // namespace headcount
