// Fuzzes the conversion of weights, safetensors' and GGUF's: what is read as a model is loaded, and is finite.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/files/open.hpp"
#include "core/runtime/model.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

// The runtime maps files, so the bytes go into one; of this process alone, and gone when it ends.
class File {
  public:
    File() {
        std::string name = (std::filesystem::temp_directory_path() / "headcount-fuzz-XXXXXX").string();
        headcount::fuzz::demand(mkdtemp(name.data()) != nullptr, "a folder can be made");
        folder_ = name;
    }
    ~File() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::filesystem::path write(std::string_view bytes) const {
        const auto path = folder_ / (bytes.starts_with("GGUF") ? "model.gguf" : "model.safetensors");
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const File file;
    const std::filesystem::path path = file.write(fuzz::text_of(data, size));
    const Result<Opened> opened = open_architecture(path.string(), {});
    if (!fuzz::read_or_refused(opened) || !opened->checkpoint) return 0;
    const Architecture& arch = opened->architecture;
    const ModelGraph graph = expand(arch, Cache::filled);
    const Result<std::int64_t> bytes = Weights::bytes_of(arch, graph);
    constexpr std::int64_t most = 16 << 20;  // what a short file may announce; more is refused where memory ends
    if (!fuzz::read_or_refused(bytes) || *bytes > most) return 0;
    const Result<std::shared_ptr<const Model>> model = load_model(arch, *opened->checkpoint);
    if (!fuzz::read_or_refused(model)) return 0;
    for (TensorIndex tensor = 0; tensor < graph.tensors.size(); ++tensor) {
        const MatrixView view = (*model)->weights.view(tensor);
        if (view && view.rows > 0 && view.columns > 0)
            fuzz::demand(std::isfinite(view.at(view.rows - 1, view.columns - 1)), "weights are numbers");
    }
    return 0;
}
