// What the Costs view and the tabs Memory and Compute show: worked out when somebody looks and something has changed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/state/costs/place.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/hire.hpp"
#include "core/analysis/pass.hpp"
#include "core/files/document.hpp"
#include "core/files/measured.hpp"

namespace headcount {

// What the figures follow from.
struct CostsBasis {
    Architecture architecture;
    Input input;
    CostsPlace place;

    bool operator==(const CostsBasis&) const = default;
};

struct Costs {
    CostsBasis of;
    MemoryOptions options;
    CountedModel held;          // what memory is worked out from: held_model
    std::string weights_doubt;  // why it is only about known what its weights take
    Memory memory;
    Device device;            // that was chosen
    std::vector<Room> rooms;  // one a device; none before the Costs view
    Pass run;
    Expr flops_formula, bytes_formula;  // of all its operations
    double rule = 0;                    // operations by the rule: 2·N a token forwards, 6·N in training
    std::optional<Likely> likely;       // nothing where `unlikely` says why
    std::string unlikely;
    // Of the prefill and the decode; nothing before the Costs view, without a roof, and where all is seen at once.
    std::optional<Served> served;
    Served likely_served;
    std::optional<Hire> hire;  // of a training nothing where no tokens are said
};

struct CostsPage {
    bool looked = false;  // the devices were read; nobody pays for them before somebody looks
    std::vector<Device> devices;
    std::optional<Error> unread;             // why one's own are not among them
    bool measures = false;                   // this machine can be measured: the system says what it is
    std::shared_ptr<Measured> measured;      // null before somebody looked, or where one's own cannot be read
    std::shared_ptr<const Reached> reached;  // what they say of other passes; null likewise
    std::optional<Error> unmeasured;         // why not
    std::shared_ptr<const Costs> shown;      // the last that were possible; null before somebody looked
    std::optional<CostsBasis> tried;         // what `shown` or `wrong` is of
    std::optional<Error> wrong;              // why what is asked for is not possible
};

// Works the figures out; errors name the option ("devices", "tensor", "pipeline", "zero", "dtype", "device") or say for
// how much they do fit in 64 bits.
Result<Costs> costs_of(const CostsBasis& basis, const std::vector<Device>& devices);

// What of the hours and the price of devices can be read of what was typed.
HireTerms hire_terms(const CostsPlace& place);

// The pass that is looked at: a model that reads all tokens at once has no decode, and shows prefill in its place.
Phase phase_for(const CostsPlace& place, const Architecture& arch);

// Reads the devices where nobody has. Costs, What-if and Compare are of the same one, which is chosen in any of them.
void look_at_devices(CostsPage& page, CostsPlace& place);
// A machine is measured in about a quarter of a second, kept among one's own devices, and chosen. Errors: it is not
// measured, or not kept.
std::optional<Error> change_costs(CostsPage& page, CostsPlace& place, const CostsIntent& what);
// How a pass is counted by what Costs has chosen.
PassOptions options_of(const CostsPlace& place, const Device* device);
// As all views count one of this model. Without a device before they were read.
PassOptions pass_options(const CostsPage& page, const CostsPlace& place, const Architecture& arch);

// While the figures are on the screen: brings them up to date, the rooms only where they are seen. Does nothing where
// they are.
void look_at_costs(CostsPage& page, CostsPlace& place, const Counted& model, bool with_rooms);

}  // namespace headcount
