// Fuzzes the conversion of weights, safetensors' and GGUF's: what is read as a model is loaded, and is finite.
#include <cmath>
#include <string>

#include "core/files/open.hpp"
#include "core/runtime/model.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const testing_data::Scratch folder;  // the runtime maps files, so the bytes go into one
    const std::string bytes(fuzz::text_of(data, size));
    const std::string path = folder.file(bytes.starts_with("GGUF") ? "model.gguf" : "model.safetensors", bytes);
    const Result<Opened> opened = open_architecture(path, {});
    if (!fuzz::read_or_refused(opened) || !opened->checkpoint) return 0;
    const Architecture& arch = opened->architecture;
    const ModelGraph graph = expand(arch, Cache::filled);
    const Result<std::int64_t> room = Weights::bytes_of(arch, graph);
    constexpr std::int64_t most = 16 << 20;  // what a short file may announce; more is refused where memory ends
    if (!fuzz::read_or_refused(room) || *room > most) return 0;
    const Result<std::shared_ptr<const Model>> model = load_model(arch, *opened->checkpoint);
    if (!fuzz::read_or_refused(model)) return 0;
    for (TensorIndex tensor = 0; tensor < graph.tensors.size(); ++tensor) {
        const MatrixView view = (*model)->weights.view(tensor);
        if (view && view.rows > 0 && view.columns > 0)
            fuzz::demand(std::isfinite(view.at(view.rows - 1, view.columns - 1)), "weights are numbers");
    }
    return 0;
}
