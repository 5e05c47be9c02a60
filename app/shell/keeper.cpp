// Compares, and writes through a file beside it, so that a crash leaves the former document whole.
#include "app/shell/keeper.hpp"

#include <algorithm>

#include "app/state/storage.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

constexpr double rest_seconds = 0.15;  // a key held down changes the document thirty times a second

std::string text_of(const Session& session) {
    return saved_text({kept_document(session), kept_view(session), session.desk.kept});
}

}  // namespace

Keeper::Keeper(std::optional<std::filesystem::path> file, const Session& session)
    : file_(std::move(file)), written_(file_ ? text_of(session) : std::string()) {}

void Keeper::changed(double now) {
    if (file_) changed_at_ = now;
}

std::optional<double> Keeper::due_in(double now, bool held) const {
    if (!changed_at_ || held) return std::nullopt;
    return std::max(0.0, *changed_at_ + rest_seconds - now);
}

std::optional<Error> Keeper::save(const Session& session) {
    if (!changed_at_ || !file_) return std::nullopt;
    changed_at_.reset();
    std::string text = text_of(session);
    if (text == written_) return std::nullopt;
    std::error_code failure;
    std::filesystem::create_directories(file_->parent_path(), failure);
    if (failure) return Error{"cannot be written: " + failure.message(), file_->string(), "choose another place"};
    const auto done = write_text(*file_, text);
    if (!done) return done.error();
    written_ = std::move(text);
    return std::nullopt;
}

}  // namespace headcount
