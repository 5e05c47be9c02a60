// Fuzzes the reader of links: what it takes is written again as a link that says the same, no longer than one may be.
#include "app/state/link.hpp"

#include "core/link/qr.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const Result<std::vector<Preset>> all = shipped_presets();
    fuzz::demand(static_cast<bool>(all), "there are presets");
    // Of each model one is enough, and the others cost time.
    static const std::vector<Preset> presets{*find_preset(*all, "gpt2"), *find_preset(*all, "llama-2-7b"),
                                             *find_preset(*all, "mixtral-8x7b")};
    const Result<ReadLink> link = read_link(fuzz::text_of(data, size), presets);
    if (!fuzz::read_or_refused(link)) return 0;
    const Result<WrittenLink> written = write_link(link->state, presets);
    if (!fuzz::read_or_refused(written)) return 0;
    fuzz::demand(written->text.size() <= longest_link, "a link is no longer than one may be");
    fuzz::demand(static_cast<bool>(qr_code(written->text)), "a link has a QR code");
    const Result<ReadLink> again = read_link(written->text, presets);
    fuzz::demand(static_cast<bool>(again) && again->lost.empty(), "what was written is read");
    fuzz::demand(!written->lost.empty() || again->state == link->state, "what is read is what was written");
    return 0;
}
