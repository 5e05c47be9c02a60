// Finds the model that ships, and reads its weights and its tokenizer.
#include "core/experiment/shipped.hpp"

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

const Result<Shipped>& shipped_model() {
    static const Result<Shipped> shipped = read_shipped();
    return shipped;
}

}  // namespace headcount
