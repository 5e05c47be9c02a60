// The one list of lessons.
#include "app/state/lessons.hpp"

#include <algorithm>

#include "core/claims/claims.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {

std::string numbered(std::string_view id, std::string_view title) {
    const std::size_t digits = std::min(id.find_first_not_of("0123456789"), id.size());
    const bool has_number = digits > 0 && id.substr(digits).starts_with('-');
    return (has_number ? std::string(id.substr(0, digits)) + ". " : "") + std::string(title);
}

std::vector<Lesson> lessons_of(std::span<const Tour> tours) {
    std::vector<Lesson> lessons;
    for (const Tour& tour : tours)
        lessons.push_back(
            {"tour." + tour.id, "Tour: " + tour.title, "headcount --tour " + tour.id, {StartTour{tour.id}}});
    if (const auto sheets = shipped_worksheets())
        for (const Worksheet& sheet : *sheets)
            lessons.push_back({"sheet." + sheet.id,
                               "Worksheet: " + sheet.title,
                               "headcount worksheet show " + sheet.id,
                               {ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{sheet.id, std::nullopt}}}});
    if (const auto files = shipped_claims())
        for (const ClaimsFile& file : *files)
            if (!file.claims.empty())
                lessons.push_back(
                    {"claims." + file.id,
                     "Claims: " + file.title,
                     "headcount --view claims",
                     {ShowWorkspace{claims_view}, AtClaims{ChooseClaim{file.id, file.claims.front().id}}}});
    return lessons;
}

}  // namespace headcount
