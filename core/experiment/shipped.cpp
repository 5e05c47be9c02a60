// Finds the model that ships, and reads its weights and its tokenizer.
#include "core/experiment/shipped.hpp"

#include <mutex>

#include "core/files/assets.hpp"
#include "core/files/open.hpp"

namespace headcount {

namespace {

Result<Shipped> read_shipped() {
    const Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    const std::filesystem::path folder = *assets / "models/tiny-stories";
    const Result<Opened> opened = open_architecture(folder.string(), {});
    if (!opened) return opened.error();
    if (!opened->checkpoint)
        return Error{"the model that ships has no weights", folder.string(), "install Headcount again"};
    Result<Tokenizer> tokenizer = Tokenizer::of_model(folder, opened->architecture.vocab);
    if (!tokenizer) return tokenizer.error();
    Result<std::shared_ptr<const Model>> model = load_model(opened->architecture, *opened->checkpoint);
    if (!model) return model.error();
    return Shipped{*std::move(model), *std::move(tokenizer)};
}

}  // namespace

Result<std::shared_ptr<const Shipped>> shipped_model() {
    static std::mutex mutex;
    static std::shared_ptr<const Shipped> kept;
    const std::lock_guard lock(mutex);
    if (kept) return kept;
    Result<Shipped> read = read_shipped();
    if (!read) return read.error();
    kept = std::make_shared<const Shipped>(*std::move(read));
    return kept;
}

}  // namespace headcount
