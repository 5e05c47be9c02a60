// Compares, merges under a lock, and writes through a file beside it, so that a crash leaves the former document whole.
#include "app/shell/keeper.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

constexpr double rest_seconds = 0.15;    // a key held down changes the document thirty times a second
constexpr double longest_seconds = 0.5;  // what a crash may cost of typing or dragging that goes on
constexpr double between_looks = 1;      // less than it takes to go from one window to another and type there

Saved saved_of(const Session& session) {
    return {kept_document(session), session.view, kept_selection(session), session.desk.kept};
}

Shared shared_of(const Session& session) { return shared_of(session.view, session.desk.kept); }

// A name that is not UTF-8 comes back as another.
nlohmann::json as_read(const std::string& text) {
    Result<nlohmann::json> json = parse_json(text, "");
    return json ? std::move(*json) : nlohmann::json::object();
}

// As the file has it of the first window.
nlohmann::json own_part(const Saved& saved) { return *part_of(saved_json(saved), 1); }

// Others hold it for as long as a file takes to be written. One of them that was stopped meanwhile must not stop this
// one, and some file systems have no locks: then it goes on without.
std::optional<FileLock> wait_for_lock(std::filesystem::path file) {
    constexpr int tries = 100;
    file.replace_extension(".lock");
    for (int i = 0; i < tries; ++i) {
        Result<std::optional<FileLock>> lock = FileLock::attempt(file);
        if (!lock) return std::nullopt;
        if (*lock) return std::move(*lock);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
}

bool take_shared(Session& session, const Shared& shared) {
    const Shared before = shared_of(session);
    session.view.recent = shared.recent;
    take_answers(session.desk, shared.desk);
    return shared_of(session) != before;
}

}  // namespace

Keeper::Keeper(std::optional<Seat> seat, const Session& session)
    : seat_(std::move(seat)),
      text_(saved_text(saved_of(session))),
      shared_(shared_in(as_read(text_), {})),
      own_(own_part(saved_of(session))) {
    const Result<nlohmann::json> there = seat_ ? read_json(seat_->file) : Error{};
    if (!there) return;
    part_ = part_of(*there, seat_->number);
    begun_ = begun_in(*there);
}

void Keeper::changed(double now) {
    if (seat_) unsaved_ = {unsaved_ ? unsaved_->first : now, now};
}

std::optional<double> Keeper::due_in(double now) const {
    if (!unsaved_) return std::nullopt;
    return std::max(0.0, std::min(unsaved_->last + rest_seconds, unsaved_->first + longest_seconds) - now);
}

bool Keeper::others_saved(double now) {
    if (!seat_ || now - looked_ < between_looks) return false;
    looked_ = now;
    const auto stamp = stamp_of(seat_->file);
    return stamp && stamp != stamp_;
}

Result<bool> Keeper::save(Session& session, Taking taking) {
    unsaved_.reset();
    if (!seat_) return false;
    const Saved ours = saved_of(session);
    const bool changed = saved_text(ours) != text_;
    const auto stamp = stamp_of(seat_->file);
    if (!changed && (!stamp || stamp == stamp_)) return false;

    failed_ = true;  // until it is saved
    std::error_code failure;
    std::filesystem::create_directories(seat_->file.parent_path(), failure);
    if (failure) return Error{"cannot be written: " + failure.message(), seat_->file.string(), "choose another place"};
    const std::optional<FileLock> lock = wait_for_lock(seat_->file);
    std::string notice;
    const nlohmann::json there = read(notice);
    const bool same = there.empty() || begun_in(there) == begun_;
    const Shared theirs = shared_in(there, shared_);
    const MergedShared all = merged(same ? shared_ : Shared{}, shared_of(session), theirs);
    // What a file that was begun anew lacks is put into it again.
    if (changed || !same) {
        if (const auto error = write(there, ours, all, notice)) return *error;
    }
    failed_ = false;
    stamp_ = stamp_of(seat_->file);
    bool took = !notice.empty();
    if (took) session.view.notice = notice_of_program(notice);
    if (taking == Taking::now)
        took = take_shared(session, all.shared) || took;
    else if (all.shared != shared_of(session))
        stamp_.reset();  // it is still to be taken
    text_ = saved_text(saved_of(session));
    shared_ = shared_in(as_read(text_), {});
    return took;
}

// An empty object where there is nothing, or nothing that can be read.
nlohmann::json Keeper::read(std::string& notice) const {
    std::error_code failure;
    if (!std::filesystem::exists(seat_->file, failure)) return nlohmann::json::object();
    const Result<nlohmann::json> there = read_json(seat_->file);
    if (there) return *there;
    const std::filesystem::path aside = free_name(seat_->file, "damaged");
    std::filesystem::rename(seat_->file, aside, failure);
    if (!failure)
        notice = "The saved document was damaged (" + sentence(there.error()) + "). It was set aside as " +
                 aside.string() + ".";
    return nlohmann::json::object();
}

std::optional<Error> Keeper::write(const nlohmann::json& there, Saved saved, const MergedShared& all,
                                   std::string& notice) {
    const nlohmann::json own = own_part(saved);
    const auto part = part_of(there, seat_->number);
    const bool anew = begun_in(there) != begun_;
    const bool changed = own != own_ || !part || (anew && part != part_);
    if (changed && part && part != part_ && part != own) {
        seat_ = take_empty_seat(seat_->file, there);
        notice = "Another window keeps its document where this one did. Both are kept: at the next start, open " +
                 std::to_string(seat_->number) + " windows to see them.";
    }
    if (all.clash) {
        const std::filesystem::path aside = free_name(seat_->file, "other");
        std::error_code failure;
        std::filesystem::copy_file(seat_->file, aside, failure);
        if (failure) return Error{"cannot be copied: " + failure.message(), aside.string(), "choose another place"};
        notice = "The same was answered differently in another window. All that it had is kept as " + aside.string();
    }
    saved.view.recent = all.shared.recent;
    saved.view.claims_files = all.shared.claims_files;
    saved.view.tour_files = all.shared.tour_files;
    saved.desk = all.shared.desk;
    const nlohmann::ordered_json file = with_part(there, saved, seat_->number, changed);
    const std::string text = text_of(file);
    const auto written = write_text(seat_->file, text);
    if (!written) return written.error();
    own_ = own;
    const nlohmann::json now = as_read(text);
    if (changed) part_ = part_of(now, seat_->number);
    begun_ = begun_in(now);
    return std::nullopt;
}

}  // namespace headcount
