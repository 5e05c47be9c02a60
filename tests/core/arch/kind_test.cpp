// Claims about which sort of model is which.
#include "core/arch/kind.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::all_presets;
using testing_data::preset;

// As Whisper is.
Architecture hearing() {
    Architecture arch = preset("transformer-base");
    arch.sound = Sound{};
    return arch;
}

TEST(ModelKinds, SortWhatPeopleKnow) {
    EXPECT_EQ(kind_of(preset("llama-2-7b")), ModelKind::decoder);
    EXPECT_EQ(kind_of(preset("bert-base-uncased")), ModelKind::encoder);
    EXPECT_EQ(kind_of(preset("t5-small")), ModelKind::both);
    EXPECT_EQ(kind_of(preset("mamba-130m")), ModelKind::state);
    EXPECT_EQ(kind_of(preset("jamba-v0.1")), ModelKind::state);
    EXPECT_EQ(kind_of(preset("vit-base-patch16-224")), ModelKind::image);
    EXPECT_EQ(kind_of(hearing()), ModelKind::sound);
}

TEST(ModelKinds, OfWhatReadsTextOrSeesAreEachAmongThePresets) {
    std::set<ModelKind> kinds{kind_of(hearing())};
    for (const Preset& each : all_presets()) kinds.insert(kind_of(each.architecture));
    EXPECT_EQ(kinds.size(), model_kind_keys.size());
}

}  // namespace
}  // namespace headcount
