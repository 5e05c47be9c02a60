// Hours of devices and their price, as a table and as JSON.
#include "core/report/hire_report.hpp"

#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"

namespace headcount {

Table hire_table(std::span<const Hire> all, const HireTerms& terms) {
    Table table{{{"work"}, figures("device hours, at least"), figures("likely")}, {}};
    if (terms.price) {
        table.columns.push_back(figures("price, at least"));
        table.columns.push_back(figures("likely"));
    }
    for (const Hire& hire : all) {
        std::vector<ReportCell> row{hire_words(hire), real_text(hire.least),
                                    hire.likely ? real_text(*hire.likely) : std::string()};
        if (terms.price) {
            row.emplace_back(real_text(hire.least * *terms.price));
            row.emplace_back(hire.likely ? real_text(*hire.likely * *terms.price) : std::string());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string days_text(std::span<const Hire> all, std::int64_t devices) {
    const auto training = std::ranges::find(all, Phase::training, &Hire::phase);
    if (training == all.end()) return {};
    const auto days = [&](double hours) { return real_text(hours / 24 / static_cast<double>(devices)); };
    return "On " + (devices == 1 ? "one device" : grouped(devices) + " devices") + " the training takes " +
           days(training->least) + " days at least" +
           (training->likely ? ", likely " + days(*training->likely) : std::string()) + ".";
}

nlohmann::ordered_json hire_json(std::span<const Hire> all, const HireTerms& terms) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Hire& hire : all) {
        const auto both = [&](double times) {
            Json json{{"least", hire.least * times}};
            json["likely"] = hire.likely ? Json(*hire.likely * times) : Json(nullptr);
            return json;
        };
        Json row{{"phase", word_of(phase_words, hire.phase)},
                 {"sequences", hire.sequences},
                 {"tokens", hire.tokens},
                 {"device_hours", both(1)}};
        if (terms.price) row["price"] = both(*terms.price);
        list.push_back(std::move(row));
    }
    return list;
}

}  // namespace headcount
