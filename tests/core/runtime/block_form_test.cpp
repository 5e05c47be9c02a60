// Matrices in blocks: restored to the same bits wherever they are read, and multiplied as the restored numbers are.
#include "core/runtime/block_form.hpp"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <random>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "tests/core/runtime/every_set.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/hexadecimal.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// (inputs, panels · panel_columns) of one type, of blocks whose restored numbers are known.
class Panels {
  public:
    Panels(const BlockForm& form, const std::vector<std::byte>& known, std::int64_t panels, std::int64_t blocks)
        : inputs(blocks * form.numbers), outputs(panels * panel_columns), step(blocks * form.bytes * panel_columns) {
        const std::int64_t there = std::ssize(known) / form.bytes;
        bytes.resize(static_cast<std::size_t>(panels * step));
        floats.resize(static_cast<std::size_t>(inputs * outputs));
        std::vector<float> numbers(static_cast<std::size_t>(form.numbers));
        for (std::int64_t out = 0; out < outputs; ++out)
            for (std::int64_t block = 0; block < blocks; ++block) {
                const std::byte* const from = &known[static_cast<std::size_t>((out + block) % there * form.bytes)];
                form.restore(from, 1, numbers.data());
                for (std::int64_t i = 0; i < form.bytes; ++i)
                    bytes[static_cast<std::size_t>(at_byte(out) + (block * form.bytes + i) * panel_columns)] = from[i];
                for (std::int64_t i = 0; i < form.numbers; ++i)
                    floats[static_cast<std::size_t>(at_float(out) + (block * form.numbers + i) * panel_columns)] =
                        numbers[static_cast<std::size_t>(i)];
            }
        floats.resize(floats.size() + panel_columns);  // that a vector may read
    }

    std::int64_t at_byte(std::int64_t out) const { return out / panel_columns * step + out % panel_columns; }
    std::int64_t at_float(std::int64_t out) const {
        return out / panel_columns * inputs * panel_columns + out % panel_columns;
    }

    std::int64_t inputs, outputs, step;
    std::vector<std::byte> bytes;
    std::vector<float> floats;  // the same, restored
};

class BlockForms : public EverySet {
  protected:
    // With each form, and bytes of blocks whose numbers are finite.
    template <class Visit>
    void each_form(const Visit& visit) {
        const nlohmann::json golden = read_json_file(golden_folder() / "ggml_blocks.json");
        int forms = 0;
        for (const auto& [name, made] : golden.items())
            if (const BlockForm* const form = block_form(name)) {
                visit(*form, bytes_of_hexadecimal(made["bytes"]));
                ++forms;
            }
        EXPECT_EQ(forms, 16);
        std::vector<std::byte> halves;
        std::mt19937 draw(4);
        for (int i = 0; i < 32 * 7; ++i)  // no exponent of only ones, but all below
            for (const unsigned bits = draw() & 0xbbff; const unsigned byte : {bits & 255, bits >> 8})
                halves.push_back(static_cast<std::byte>(byte));
        visit(*block_form("F16"), halves);
        visit(*block_form("BF16"), halves);
    }
};
INSTANTIATE_TEST_SUITE_P(EverySet, BlockForms, every_set(), name_of_set);

std::vector<std::uint32_t> bits_of(const std::vector<float>& numbers) {
    std::vector<std::uint32_t> bits;
    for (const float each : numbers) bits.push_back(std::bit_cast<std::uint32_t>(each));
    return bits;
}

TEST_P(BlockForms, NumbersOfPanelsAreThoseOfTheirBlocks) {
    each_form([](const BlockForm& form, const std::vector<std::byte>& known) {
        const Panels all(form, known, 1, 5);
        std::vector<float> restored(static_cast<std::size_t>(3 * form.numbers * panel_columns));
        form.restore_panel(all.bytes.data(), form.numbers, 4 * form.numbers, restored.data());
        const auto begin = all.floats.begin() + form.numbers * panel_columns;
        EXPECT_EQ(bits_of(restored), bits_of({begin, begin + std::ssize(restored)})) << form.type;
        for (std::int64_t out = 0; out < all.outputs; ++out)
            for (std::int64_t in = 0; in < all.inputs; ++in) {
                const std::byte* const block = &all.bytes[static_cast<std::size_t>(
                    all.at_byte(out) + in / form.numbers * form.bytes * panel_columns)];
                const float one = form.restore_one(block, panel_columns, in % form.numbers);
                const float known_one = all.floats[static_cast<std::size_t>(all.at_float(out) + in * panel_columns)];
                ASSERT_EQ(std::bit_cast<std::uint32_t>(one), std::bit_cast<std::uint32_t>(known_one))
                    << form.type << " at " << in << ", " << out;
                if (const auto stored = form.stored(block, panel_columns, in % form.numbers)) {
                    const float product = stored->scale * static_cast<float>(stored->whole);
                    ASSERT_EQ(product - stored->less, one) << form.type;
                }
            }
    });
}

TEST_P(BlockForms, ProductsAreThoseOfTheRestoredNumbersToTheBit) {
    each_form([](const BlockForm& form, const std::vector<std::byte>& known) {
        const Panels all(form, known, 5, std::max<std::int64_t>(2, 544 / form.numbers));
        std::mt19937 draw(7);
        std::uniform_real_distribution<float> between(-1, 1);
        std::vector<float> left(static_cast<std::size_t>(14 * all.inputs)), bias(static_cast<std::size_t>(all.outputs));
        for (float& each : left) each = between(draw);
        for (float& each : bias) each = between(draw);
        for (const std::int64_t rows : {1, 2, 14})
            for (const std::int64_t columns : {all.outputs, all.outputs - 7, std::int64_t{3}}) {
                kernels::Product product{.left = left.data(),
                                         .left_step = all.inputs,
                                         .right = {all.floats.data(), panel_columns, all.inputs * panel_columns},
                                         .rows = rows,
                                         .inner = all.inputs,
                                         .columns = columns,
                                         .bias = bias.data(),
                                         .factor = 0.5F};
                std::vector<float> expected(static_cast<std::size_t>(rows * columns)), made(expected.size());
                product.out_step = columns;
                product.out = expected.data();
                kernels::multiply(product);
                product.right = {.panel_step = all.step, .form = &form, .blocks = all.bytes.data()};
                product.out = made.data();
                kernels::multiply(product);
                EXPECT_EQ(bits_of(made), bits_of(expected)) << form.type << ", " << rows << " x " << columns;
            }
    });
}

TEST(BlockForm, IsOfTypesThatAreRead) {
    EXPECT_EQ(block_form("Q4_K")->bytes, 144);
    for (const char* name : {"F16", "BF16"})
        EXPECT_FALSE(block_form(name)->stored(std::array<std::byte, 32>().data(), 1, 0));
    for (const char* name : {"Q8_1", "I8", "F32", "IQ2_XXS", ""}) EXPECT_EQ(block_form(name), nullptr) << name;
}

}  // namespace
}  // namespace headcount
