// From a chart's menu to intents.
#include "app/parts/chart_menu.hpp"

namespace headcount {

void add_chart_intents(Intents& intents, const ChartResult& result) {
    if (!result.asked) return;
    using What = ChartAsked::What;
    const ChartAsked& asked = *result.asked;
    ChartFile file{asked.title, asked.text, {}};
    switch (asked.what) {
        case What::copy_csv: return intents.push_back(Copy{asked.text, "the chart's numbers (CSV)"});
        case What::save_csv: return intents.push_back(AskForFile{FileTask::chart_csv, std::move(file)});
        case What::save_svg: return intents.push_back(AskForFile{FileTask::chart_svg, std::move(file)});
        case What::save_png:
            file.slide = {.of = Slide::Of::chart, .chart = asked.chart, .pixels = asked.pixels, .ground = asked.ground};
            return intents.push_back(AskForFile{FileTask::chart_png, std::move(file)});
    }
}

}  // namespace headcount
