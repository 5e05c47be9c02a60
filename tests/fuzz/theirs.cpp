// Fuzzes what diagnose reads: another program's activations and the ids of its tokens, and their comparison with a
// small model.
#include "core/diagnose/theirs.hpp"

#include <cmath>

#include "core/diagnose/diagnose.hpp"
#include "core/files/open.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/scratch.hpp"

namespace {

using namespace headcount;

std::shared_ptr<const Model> small_model(const testing_data::Scratch& folder) {
    const std::string config = folder.file("config.json", R"({"model_type": "llama", "vocab_size": 16,
        "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "max_position_embeddings": 32})");
    const Result<Opened> opened = open_architecture(config, {});
    fuzz::demand(static_cast<bool>(opened), "the small model is read");
    const Result<std::shared_ptr<const Model>> model = random_model(opened->architecture, 1);
    fuzz::demand(static_cast<bool>(model), "the small model has weights");
    return *model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const testing_data::Scratch folder;  // the runtime maps files, so the bytes go into one
    static const std::shared_ptr<const Model> model = small_model(folder);
    const std::string path = folder.file("theirs.safetensors", std::string(fuzz::text_of(data, size)));
    holds_activations(path);
    const Result<TheirIds> read = read_their_ids(path);
    fuzz::read_or_refused(read);
    const Result<std::vector<TheirTensor>> theirs = read_theirs(path);
    if (!fuzz::read_or_refused(theirs)) return 0;
    for (const TheirTensor& each : *theirs)
        for (const float number : each.numbers) fuzz::demand(!std::isnan(number), "a number that is none is refused");
    const std::vector<std::int32_t> ids = read && read->ids ? *read->ids : std::vector<std::int32_t>{3, 1, 4};
    const Result<Diagnosis> found = diagnose(model, ids, *theirs, {.pairs = 8});
    if (!fuzz::read_or_refused(found)) return 0;
    fuzz::demand(!found->compared.empty(), "what is diagnosed was compared");
    fuzz::demand(found->first || found->causes.empty(), "where nothing differs nothing is accused");
    return 0;
}
