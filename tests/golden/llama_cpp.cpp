// What llama.cpp says of a GGUF file, for gguf_recipes.py: the log of a dry run of each recipe, and the bytes that it
// allocates. Built by that script beside llama.cpp's own headers; no part of Headcount.
#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "llama-ext.h"
#include "llama.h"

namespace {

struct Recipe {
    const char* key;
    llama_ftype type;
    bool importance;  // made with an importance matrix, since it wants one
};
constexpr std::array<Recipe, 30> recipes{{
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0, false},      {"q6_k", LLAMA_FTYPE_MOSTLY_Q6_K, false},
    {"q5_k_m", LLAMA_FTYPE_MOSTLY_Q5_K_M, false},  {"q5_k_s", LLAMA_FTYPE_MOSTLY_Q5_K_S, false},
    {"q5_1", LLAMA_FTYPE_MOSTLY_Q5_1, false},      {"q5_0", LLAMA_FTYPE_MOSTLY_Q5_0, false},
    {"q4_k_m", LLAMA_FTYPE_MOSTLY_Q4_K_M, false},  {"q4_k_s", LLAMA_FTYPE_MOSTLY_Q4_K_S, false},
    {"q4_1", LLAMA_FTYPE_MOSTLY_Q4_1, false},      {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0, false},
    {"q3_k_l", LLAMA_FTYPE_MOSTLY_Q3_K_L, false},  {"q3_k_m", LLAMA_FTYPE_MOSTLY_Q3_K_M, false},
    {"q3_k_s", LLAMA_FTYPE_MOSTLY_Q3_K_S, false},  {"q2_k", LLAMA_FTYPE_MOSTLY_Q2_K, false},
    {"q2_k_s", LLAMA_FTYPE_MOSTLY_Q2_K_S, true},   {"iq4_nl", LLAMA_FTYPE_MOSTLY_IQ4_NL, false},
    {"iq4_xs", LLAMA_FTYPE_MOSTLY_IQ4_XS, false},  {"iq3_m", LLAMA_FTYPE_MOSTLY_IQ3_M, false},
    {"iq3_s", LLAMA_FTYPE_MOSTLY_IQ3_S, false},    {"iq3_xs", LLAMA_FTYPE_MOSTLY_IQ3_XS, true},
    {"iq3_xxs", LLAMA_FTYPE_MOSTLY_IQ3_XXS, true}, {"iq2_m", LLAMA_FTYPE_MOSTLY_IQ2_M, true},
    {"iq2_s", LLAMA_FTYPE_MOSTLY_IQ2_S, true},     {"iq2_xs", LLAMA_FTYPE_MOSTLY_IQ2_XS, true},
    {"iq2_xxs", LLAMA_FTYPE_MOSTLY_IQ2_XXS, true}, {"iq1_m", LLAMA_FTYPE_MOSTLY_IQ1_M, true},
    {"iq1_s", LLAMA_FTYPE_MOSTLY_IQ1_S, true},     {"tq2_0", LLAMA_FTYPE_MOSTLY_TQ2_0, false},
    {"tq1_0", LLAMA_FTYPE_MOSTLY_TQ1_0, false},    {"mxfp4_moe", LLAMA_FTYPE_MOSTLY_MXFP4_MOE, false},
}};

void quantize(const char* file) {
    llama_log_set([](ggml_log_level, const char* text, void*) { std::fputs(text, stdout); }, nullptr);
    const float one = 1;
    const std::array<llama_model_imatrix_data, 2> importance{{{"none", &one, 1}, {nullptr, nullptr, 0}}};
    for (const Recipe& recipe : recipes) {
        llama_model_quantize_params how = llama_model_quantize_default_params();
        how.ftype = recipe.type;
        how.dry_run = true;
        how.nthread = 1;
        how.imatrix = recipe.importance ? importance.data() : nullptr;
        std::printf("recipe %s\n", recipe.key);
        if (llama_model_quantize(file, "", &how) != 0) std::printf("failed\n");
    }
}

// So many tokens of each of so many sequences, and keys and values in this type.
struct Wanted {
    unsigned tokens, sequences;
    ggml_type type;
};

void allocate(const char* file) {
    llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    llama_model_params how = llama_model_default_params();
    how.use_extra_bufts = false;  // of which some hold weights in other layouts
    std::array<llama_model_kv_override, 2> without_words{};
    without_words[0].tag = LLAMA_KV_OVERRIDE_TYPE_STR;
    std::strcpy(without_words[0].key, "tokenizer.ggml.model");
    std::strcpy(without_words[0].val_str, "no_vocab");
    how.kv_overrides = without_words.data();
    llama_model* const model = llama_model_load_from_file(file, how);
    if (!model) return;
    for (const Wanted& each : {Wanted{1024, 1, GGML_TYPE_F16}, Wanted{4096, 1, GGML_TYPE_F16},
                               Wanted{512, 3, GGML_TYPE_F32}, Wanted{2048, 1, GGML_TYPE_F32}}) {
        llama_context_params context = llama_context_default_params();
        context.n_ctx = each.tokens * each.sequences;
        context.n_seq_max = each.sequences;
        context.n_ubatch = 512;
        context.type_k = context.type_v = each.type;
        context.swa_full = false;
        context.n_threads = 1;
        llama_context* const made = llama_init_from_model(model, context);
        if (!made) continue;
        std::size_t weights = 0, kept = 0;
        for (const auto& [buffer, bytes] : llama_get_memory_breakdown(made)) {
            weights += bytes.model;
            kept += bytes.context;
        }
        std::printf("memory %u %u %s %zu %zu\n", each.tokens, each.sequences, ggml_type_name(each.type), weights, kept);
        llama_free(made);
    }
    llama_model_free(model);
}

}  // namespace

int main(int count, char** words) {
    if (count != 2) return 2;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what is said before llama.cpp gives a model up
    llama_backend_init();
    quantize(words[1]);
    allocate(words[1]);
    return 0;
}
