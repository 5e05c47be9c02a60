// Loads the presets and chooses the first document.
#include "app/shell/start.hpp"

#include <algorithm>

#include "app/shell/platform.hpp"
#include "app/state/storage.hpp"
#include "app/views/views.hpp"
#include "core/files/presets.hpp"
#include "core/tours/tour.hpp"

namespace headcount {
namespace {

Session session_of(std::vector<Preset> presets, const std::optional<Document>& document) {
    const Preset* const first = find_preset(presets, first_preset);
    Document opened = document ? *document : document_of(first ? *first : presets.front());
    return start_session(std::move(presets), std::move(opened));
}

// Those that were opened before. One that is gone, or wrong by now, is said once.
void read_opened_tours(Session& session, std::vector<Error>& failures) {
    std::erase_if(session.view.tour_files, [&](const std::string& path) {
        Result<Tour> tour = read_tour(path);
        if (tour)
            add_tour(session.tours, std::move(*tour));
        else
            failures.push_back(tour.error());
        return !tour;
    });
}

}  // namespace

void begin_tour(Session& session, const std::string& tour, std::size_t step) {
    if (tour.empty()) return;
    const bool known = std::ranges::any_of(session.tours, [&](const Tour& each) { return each.id == tour; });
    headcount::apply(session, Intents{known ? Intent(StartTour{tour}) : Intent(OpenFile{tour})});
    if (step > 0) headcount::apply(session, Intents{StepTour{static_cast<int>(step), true}});
}

Result<Session> start_afresh(const std::optional<Document>& document, ThemeChoice theme, std::vector<Preset> presets) {
    if (presets.empty()) {
        Result<std::vector<Preset>> shipped = shipped_presets();
        if (!shipped) return shipped.error();
        presets = *std::move(shipped);
    }
    Session session = session_of(std::move(presets), document);
    session.tours = all_tours().tours;
    session.view.theme = theme;
    know_file(session);
    run_opened_weights(session);
    return session;
}

Result<Start> start_where_left(const WindowOptions& options) {
    std::vector<std::string> left_out;
    auto presets = shipped_presets(&left_out);
    if (!presets) return presets.error();
    const auto file = state_file();
    std::optional<Seat> seat;
    if (file) seat = take_seat(*file);
    Restored restored;
    if (seat) restored = restore(seat->file, seat->number);
    auto document = options.document;
    if (!document && restored.saved) document = restored.saved->document;

    Start start{session_of(std::move(*presets), document), std::nullopt};
    View& view = start.session.view;
    if (restored.saved) {
        view = restored.saved->view;
        view.workspace = view_on(shipped_views(), view).key;  // that of another version may not be there
    }
    if (!restored.saved) platform::prefer(view);
    view.one_window = !platform::has_screens;
    if (view.page.empty()) view.page = platform::address();
    start.session.lessons = platform::lessons();
    start.session.history = {};  // begins with the experiments that were restored
    start.session.commit();
    if (restored.saved) start.session.desk.kept = restored.saved->desk;
    if (seat && !view.window) view.window = first_place(seat->number);
    if (restored.saved && !options.document) start.session.look.selection = restored.saved->selection;
    if (options.document) view.workspace = explore_view;
    // At a first start, which is one that has a place to remember it and finds nothing there; tests ask for it.
    const bool first = seat && !restored.saved && restored.notice.empty();
    if (options.welcome || (first && !options.report_ui)) headcount::apply(start.session, Intents{ShowWelcome{}});
    drop_lost_selection(start.session);
    if (options.theme) view.theme = *options.theme;
    view.notice = notice_of_program(file ? restored.notice : sentence(file.error()));
    const std::string gone = know_file(start.session);
    if (view.notice.text.empty()) view.notice = gone.empty() ? Notice{} : notice_of_program(gone);
    if (options.document) run_opened_weights(start.session);
    FoundTours tours = all_tours();
    start.session.tours = std::move(tours.tours);
    read_opened_tours(start.session, tours.failures);
    if (view.notice.text.empty() && !left_out.empty()) view.notice = notice_of_program(left_out.front());
    if (view.notice.text.empty() && !tours.failures.empty())
        view.notice = notice_of_program("A tour could not be read: " + sentence(tours.failures.front()));
    // On a file that was named now; about what was left the last time all has been said.
    if (options.document) start.session.notes = all_notes(start.session);
    start.seat = std::move(seat);
    return start;
}

}  // namespace headcount
