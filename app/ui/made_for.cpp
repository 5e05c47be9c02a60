// Keeps what says it with what else the interface remembers.
#include "app/ui/made_for.hpp"

#include <utility>

namespace headcount {
namespace {

std::function<std::string()>& saying(const Ui& ui) { return kept<std::function<std::string()>>(ui, "ui.made_for"); }

}  // namespace

MadeFor::MadeFor(const Ui& ui, std::function<std::string()> says) : says_(saying(ui)) { says_ = std::move(says); }

MadeFor::~MadeFor() { says_ = nullptr; }

std::string made_for_here(const Ui& ui) {
    const std::function<std::string()>& says = saying(ui);
    return says ? says() : "";
}

}  // namespace headcount
