// What llama.cpp says of a GGUF file, for gguf_recipes.py: the log of a dry run of each recipe, the bytes that it
// allocates, and where it puts them if some layers lie on another device, which is a server of its own on this machine.
// Built by that script beside llama.cpp's own headers; no part of Headcount.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "ggml-rpc.h"
#include "llama-ext.h"
#include "llama-model.h"
#include "llama.h"

namespace {

struct Recipe {
    const char* key;
    llama_ftype type;
    bool importance;  // made with an importance matrix
};
constexpr std::array<Recipe, 34> recipes{{
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0, false},
    {"q6_k", LLAMA_FTYPE_MOSTLY_Q6_K, false},
    {"q5_k_m", LLAMA_FTYPE_MOSTLY_Q5_K_M, false},
    {"q5_k_s", LLAMA_FTYPE_MOSTLY_Q5_K_S, false},
    {"q5_1", LLAMA_FTYPE_MOSTLY_Q5_1, false},
    {"q5_0", LLAMA_FTYPE_MOSTLY_Q5_0, false},
    {"q5_0_imatrix", LLAMA_FTYPE_MOSTLY_Q5_0, true},
    {"q4_k_m", LLAMA_FTYPE_MOSTLY_Q4_K_M, false},
    {"q4_k_s", LLAMA_FTYPE_MOSTLY_Q4_K_S, false},
    {"q4_1", LLAMA_FTYPE_MOSTLY_Q4_1, false},
    {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0, false},
    {"q4_0_imatrix", LLAMA_FTYPE_MOSTLY_Q4_0, true},
    {"q3_k_l", LLAMA_FTYPE_MOSTLY_Q3_K_L, false},
    {"q3_k_m", LLAMA_FTYPE_MOSTLY_Q3_K_M, false},
    {"q3_k_s", LLAMA_FTYPE_MOSTLY_Q3_K_S, false},
    {"q2_k", LLAMA_FTYPE_MOSTLY_Q2_K, false},
    {"q2_k_s", LLAMA_FTYPE_MOSTLY_Q2_K_S, true},
    {"iq4_nl", LLAMA_FTYPE_MOSTLY_IQ4_NL, false},
    {"iq4_nl_imatrix", LLAMA_FTYPE_MOSTLY_IQ4_NL, true},
    {"iq4_xs", LLAMA_FTYPE_MOSTLY_IQ4_XS, false},
    {"iq4_xs_imatrix", LLAMA_FTYPE_MOSTLY_IQ4_XS, true},
    {"iq3_m", LLAMA_FTYPE_MOSTLY_IQ3_M, false},
    {"iq3_s", LLAMA_FTYPE_MOSTLY_IQ3_S, false},
    {"iq3_xs", LLAMA_FTYPE_MOSTLY_IQ3_XS, true},
    {"iq3_xxs", LLAMA_FTYPE_MOSTLY_IQ3_XXS, true},
    {"iq2_m", LLAMA_FTYPE_MOSTLY_IQ2_M, true},
    {"iq2_s", LLAMA_FTYPE_MOSTLY_IQ2_S, true},
    {"iq2_xs", LLAMA_FTYPE_MOSTLY_IQ2_XS, true},
    {"iq2_xxs", LLAMA_FTYPE_MOSTLY_IQ2_XXS, true},
    {"iq1_m", LLAMA_FTYPE_MOSTLY_IQ1_M, true},
    {"iq1_s", LLAMA_FTYPE_MOSTLY_IQ1_S, true},
    {"tq2_0", LLAMA_FTYPE_MOSTLY_TQ2_0, false},
    {"tq1_0", LLAMA_FTYPE_MOSTLY_TQ1_0, false},
    {"mxfp4_moe", LLAMA_FTYPE_MOSTLY_MXFP4_MOE, false},
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

llama_model* load(const std::string& file, int gpu_layers, ggml_backend_dev_t device) {
    llama_model_params how = llama_model_default_params();
    how.use_extra_bufts = false;  // of which some hold weights in other layouts
    how.load_mode = LLAMA_LOAD_MODE_NONE;
    std::array<ggml_backend_dev_t, 2> devices{gpu_layers > 0 ? device : nullptr, nullptr};
    how.devices = devices.data();
    how.n_gpu_layers = gpu_layers;
    std::array<llama_model_kv_override, 2> without_words{};
    without_words[0].tag = LLAMA_KV_OVERRIDE_TYPE_STR;
    std::strcpy(without_words[0].key, "tokenizer.ggml.model");
    std::strcpy(without_words[0].val_str, "no_vocab");
    how.kv_overrides = without_words.data();
    return llama_model_load_from_file(file.c_str(), how);
}

llama_context* begin(llama_model* model, const Wanted& each) {
    llama_context_params context = llama_context_default_params();
    context.n_ctx = each.tokens * each.sequences;
    context.n_seq_max = each.sequences;
    context.n_ubatch = 512;
    context.type_k = context.type_v = each.type;
    context.swa_full = false;
    context.n_threads = 1;
    return llama_init_from_model(model, context);
}

// Bytes of the buffers of weights, of what fills these up behind a tensor or is a table of rotary frequencies, and of
// caches and states.
struct Held {
    std::size_t weights = 0, besides = 0, kept = 0;
};
// In the host's memory, and on other devices.
std::array<Held, 2> held(const llama_model* model, const llama_context* made) {
    std::array<Held, 2> all;
    for (const auto& [buffer, bytes] : llama_get_memory_breakdown(made)) {
        Held& there = all.at(ggml_backend_buft_is_host(buffer) ? 0 : 1);
        there.weights += bytes.model;
        there.kept += bytes.context;
    }
    for (Held& there : all) there.besides = there.weights;
    for (const auto& [name, tensor] : llama_internal_get_tensor_map(model))
        if (name.find("rope_f") == std::string::npos)
            all.at(ggml_backend_buffer_is_host(tensor->buffer) ? 0 : 1).besides -= ggml_nbytes(tensor);
    return all;
}

void allocate(const char* file) {
    llama_model* const model = load(file, 0, nullptr);
    if (!model) return;
    for (const Wanted& each : {Wanted{1024, 1, GGML_TYPE_F16}, Wanted{16384, 1, GGML_TYPE_F16},
                               Wanted{512, 3, GGML_TYPE_F32}, Wanted{2048, 1, GGML_TYPE_F32}}) {
        llama_context* const made = begin(model, each);
        if (!made) continue;
        const auto [host, devices] = held(model, made);
        std::printf("memory %u %u %s %zu\n", each.tokens, each.sequences, ggml_type_name(each.type), host.kept);
        llama_free(made);
    }
    llama_model_free(model);
}

void place(const char* file, ggml_backend_dev_t device) {
    const std::string small = std::string(file) + ".q4_k_m";
    llama_model_quantize_params how = llama_model_quantize_default_params();
    how.ftype = LLAMA_FTYPE_MOSTLY_Q4_K_M;
    how.nthread = 1;
    if (llama_model_quantize(file, small.c_str(), &how) != 0) return;
    for (const int layers : {0, 1, 3, 1000}) {
        llama_model* const model = load(small, layers, device);
        if (!model) break;
        if (llama_context* const made = begin(model, {1024, 1, GGML_TYPE_F16})) {
            const auto [host, there] = held(model, made);
            std::printf("placed %d %zu %zu %zu %zu %zu %zu\n", layers, there.weights, there.besides, there.kept,
                        host.weights, host.besides, host.kept);
            llama_free(made);
        }
        llama_model_free(model);
    }
    unlink(small.c_str());
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return 2;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what is said before llama.cpp gives a model up
    llama_backend_init();
    quantize(words[1]);
    llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    allocate(words[1]);
    const char* const at = words[2];
    std::thread([at] {
        ggml_backend_dev_t processor = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
        ggml_backend_rpc_start_server(at, nullptr, 1, 1, &processor);
    }).detach();
    sleep(1);
    place(words[1], ggml_backend_reg_dev_get(ggml_backend_rpc_add_server(at), 0));
    std::fflush(stdout);
    _exit(0);  // the server goes on for ever
}
