// The table of devices; see the header.
#include "app/views/costs/devices.hpp"

#include <array>

#include "app/parts/flush_table.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/costs/rows.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array device_columns{TableColumn{"Device", 230, 160, Align::left, false, false, true},
                                    TableColumn{"Memory", 84, 74, Align::right, true}, TableColumn{"Fits", 50, 44},
                                    TableColumn{"Context", 110, 76, Align::right, true},
                                    TableColumn{"Batch", 90, 54, Align::right, true}};

std::string how_many(std::int64_t number) {
    return number == 0 ? "none" : grouped(number);
}

void fill(const Ui& ui, const CostsPage& page, std::size_t index, TableRow& row) {
    const Device& device = page.devices[index];
    const Room& room = page.shown->rooms[index];
    row.name = device.id;
    row.cells[0] = {device.name};
    row.cells[1] = {row.keep(bytes_text(device.memory))};
    row.cells[2] = {room.fits ? "yes" : "no", readable(ui.theme, room.fits ? ui.theme.right : ui.theme.wrong)};
    row.cells[3] = {row.keep(how_many(room.longest_context))};
    row.cells[4] = {row.keep(how_many(room.largest_batch))};
}

}  // namespace

void draw_costs_devices(Inspector& to, const CostsPage& page, const CostsPlace& place) {
    const Ui& ui = to.ui;
    const std::vector<Device>& devices = page.devices;
    section_title(ui, "Devices", "the longest context and largest batch that fit");
    TableOptions options;
    options.rows = static_cast<int>(devices.size());
    options.height = rows_height(ui, devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i].id == place.device) options.selected = static_cast<int>(i);
    const ImVec2 extent(available_width(), options.height + 1);
    const TableResult result = flush_table(ui, "costs.devices", device_columns, options, extent,
                                           ui.px(size::panel_padding), [&](int index, TableRow& row) {
                                               fill(ui, page, static_cast<std::size_t>(index), row);
                                               row.selected = index == options.selected;
                                           });
    if (result.hovered) {
        const Device& device = devices[static_cast<std::size_t>(*result.hovered)];
        show_tooltip(ui, {.title = device.name, .remark = "Source: " + device.source + "."});
    }
    if (result.clicked)
        to.intents.push_back(with_costs(
            place, [&](CostsPlace& chosen) { chosen.device = devices[static_cast<std::size_t>(*result.clicked)].id; }));
}

}  // namespace headcount
