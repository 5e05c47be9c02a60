// Matrices in blocks: restored to the same bits wherever they are read, and multiplied as the restored numbers are.
#include "core/runtime/block_form.hpp"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
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

// A product, with what it is made of beside it.
struct Factors {
    Factors(const Panels& panels, std::int64_t rows, std::int64_t columns)
        : all(panels),
          left(static_cast<std::size_t>(rows * panels.inputs)),
          bias(static_cast<std::size_t>(panels.outputs)),
          product{
              .left_step = panels.inputs, .rows = rows, .inner = panels.inputs, .columns = columns, .factor = 0.5F} {
        std::mt19937 draw(7);
        std::uniform_real_distribution<float> between(-1, 1);
        for (float& each : left) each = between(draw);
        for (float& each : bias) each = between(draw);
        product.left = left.data();
        product.bias = bias.data();
        product.out_step = columns;
    }

    std::vector<float> multiplied(const kernels::Right& right) {
        std::vector<float> made(static_cast<std::size_t>(product.rows * product.columns));
        product.right = right;
        product.out = made.data();
        kernels::multiply(product);
        return made;
    }
    std::vector<float> by_blocks(const BlockForm& form) {
        return multiplied({.panel_step = all.step, .form = &form, .blocks = all.bytes.data()});
    }

    const Panels& all;
    std::vector<float> left, bias;
    kernels::Product product;
};

TEST_P(BlockForms, ProductsOfRowsAreThoseOfTheRestoredNumbersToTheBit) {
    each_form([](const BlockForm& form, const std::vector<std::byte>& known) {
        const Panels all(form, known, 5, std::max<std::int64_t>(2, 544 / form.numbers));
        for (const std::int64_t rows : {2, 14})
            for (const std::int64_t columns : {all.outputs, all.outputs - 7, std::int64_t{3}}) {
                Factors factors(all, rows, columns);
                const auto expected =
                    factors.multiplied({all.floats.data(), panel_columns, all.inputs * panel_columns});
                EXPECT_EQ(bits_of(factors.by_blocks(form)), bits_of(expected)) << form.type << ", " << rows << " rows";
            }
    });
}

// What one row comes to, summed exactly, and how large the sum of all products' sizes is.
struct Exactly {
    double sum, size;
};
Exactly exactly(const Factors& factors, std::int64_t out) {
    const Panels& all = factors.all;
    Exactly made{factors.bias[static_cast<std::size_t>(out)], 0};
    made.size = std::abs(made.sum);
    for (std::int64_t in = 0; in < all.inputs; ++in) {
        const double product =
            static_cast<double>(factors.left[static_cast<std::size_t>(in)]) *
            static_cast<double>(all.floats[static_cast<std::size_t>(all.at_float(out) + in * panel_columns)]);
        made.sum += product;
        made.size += std::abs(product);
    }
    return {0.5 * made.sum, made.size};
}

// Sums of scale times whole numbers are rounded fewer times than those of restored numbers, and at other places.
TEST_P(BlockForms, TheProductOfOneRowIsExactUpToRounding) {
    each_form([](const BlockForm& form, const std::vector<std::byte>& known) {
        const Panels all(form, known, 5, std::max<std::int64_t>(2, 544 / form.numbers));
        for (const std::int64_t columns : {all.outputs, all.outputs - 7, std::int64_t{3}})
            for (const float size : {1.0F, 0x1p-101F}) {
                Factors factors(all, 1, columns);
                for (float& each : factors.left) each *= size;
                for (float& each : factors.bias) each *= size;
                const std::vector<float> made = factors.by_blocks(form);
                for (std::int64_t out = 0; out < columns; ++out) {
                    const Exactly expected = exactly(factors, out);
                    ASSERT_NEAR(made[static_cast<std::size_t>(out)], expected.sum, 4e-7 * expected.size)
                        << form.type << " at " << out;
                }
            }
    });
}

// A number beside far larger ones counts where these meet zeros, and what is no number stays none.
TEST_P(BlockForms, TheProductOfOneRowKeepsWhatIsSmall) {
    each_form([](const BlockForm& form, const std::vector<std::byte>& known) {
        Panels all(form, known, 1, std::max<std::int64_t>(2, 544 / form.numbers));
        for (const float large :
             {0.0F, 1e6F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
            Factors factors(all, 1, all.outputs);
            for (std::int64_t in = 0; in < all.inputs; in += 40) factors.left[static_cast<std::size_t>(in)] = large;
            const std::vector<float> made = factors.by_blocks(form);
            for (std::int64_t out = 0; out < all.outputs; ++out) {
                const Exactly expected = exactly(factors, out);
                const double one = made[static_cast<std::size_t>(out)];
                if (!std::isfinite(expected.size)) {
                    ASSERT_FALSE(std::isfinite(one)) << form.type << " at " << out;
                } else if (expected.size < std::numeric_limits<float>::max()) {
                    ASSERT_NEAR(one, expected.sum, 4e-7 * expected.size) << form.type << " at " << out;
                }
            }
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
