// What a chart's menu asks for, as intents: the clipboard, and the file dialog.
#pragma once

#include "app/charts/chart.hpp"
#include "app/state/intent.hpp"

namespace headcount {

// Nothing where nothing was asked for.
void add_chart_intents(Intents& intents, const ChartResult& result);

}  // namespace headcount
