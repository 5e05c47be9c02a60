// Restores blocks, and multiplies by them: compiled once for each instruction set; the best that the machine has is
// chosen at the first call. No product and sum become one here, which would round a restored number otherwise.
#include <algorithm>
#include <span>

#include "core/runtime/block_form.hpp"
#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/runtime/block_kernels.cpp"
// The first compiles this file again for each set, and must come before the others.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/runtime/block_types-inl.hpp"
#include "core/runtime/row_sums-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

template <template <class> class Type>
void restore(const std::byte* at, Index step, float* out) {
    using T = Type<OneBlock>;
    const OneBlock block{at, step};
    for (int g = 0; g < T::numbers / T::group; ++g) {
        const auto own = T::common(block, g);
        for (int i = 0; i < T::group; ++i) *out++ = number<T>(block, own, g, i);
    }
}

template <template <class> class Type>
float restore_one(const std::byte* at, Index step, Index index) {
    using T = Type<OneBlock>;
    const OneBlock block{at, step};
    const int g = static_cast<int>(index) / T::group;
    return number<T>(block, T::common(block, g), g, static_cast<int>(index) % T::group);
}

StoredNumber stored_as(const ScaleAndLess<OneBlock>& own, int whole) {
    return {.whole = whole, .scale = own.scale, .less = own.less};
}
StoredNumber stored_as(float scale, int whole) {
    return {.whole = whole, .scale = scale};
}

template <template <class> class Type>
std::optional<StoredNumber> stored(const std::byte* at, Index step, Index index) {
    using T = Type<OneBlock>;
    if constexpr (requires { T::whole(OneBlock(), 0, 0); }) {
        const OneBlock block{at, step};
        const int g = static_cast<int>(index) / T::group;
        return stored_as(T::common(block, g), T::whole(block, g, static_cast<int>(index) % T::group));
    }
    return std::nullopt;
}

template <template <class> class Type>
void restore_panel(const std::byte* panel, Index from, Index to, float* out) {
    using T = Type<Lanes>;
    const std::byte* block = panel + from / T::numbers * T::bytes * panel_columns;
    for (Index k = from; k < to; k += T::numbers, block += T::bytes * panel_columns)
        for (int g = 0; g < T::numbers / T::group; ++g) {
            const Lanes those{block};
            const auto own = T::common(those, g);
            for (int i = 0; i < T::group; ++i, out += panel_columns) {
                const FloatLanes restored = number<T>(those, own, g, i);
                HWY_UNROLL(4) for (int v = 0; v < across; ++v) hn::StoreU(restored.of[v], Wide(), out + v * lanes);
            }
        }
}

// The next blocks, so many bytes, the g-th of so many parts: large ones are read to and fro, which the processor does
// not foresee.
template <int bytes, int parts>
HWY_INLINE void fetch(const std::byte* next, int g) {
    constexpr int line = FloatMemory::alignment * sizeof(float), lines = (bytes + line * parts - 1) / (line * parts);
    if constexpr (bytes > 16 * line)
        for (int i = 0; i < lines; ++i) __builtin_prefetch(next + (g * lines + i) * line);
}

template <template <class> class Type>
void multiply_row(const Product& p) {
    using T = Type<Lanes>;
    constexpr int steps = apart<across>;
    static_assert(T::group % steps == 0);
    for (Index column = 0; column < p.columns; column += panel_columns) {
        const std::byte* block = p.right.blocks + column / panel_columns * p.right.panel_step;
        RowSums<across> sums;
        start<across>(p, column, sums);
        const float* left = p.left;
        for (Index k = 0; k < p.inner; k += T::numbers, block += T::bytes * panel_columns)
            for (int g = 0; g < T::numbers / T::group; ++g, left += T::group) {
                fetch<T::bytes * panel_columns, T::numbers / T::group>(block + T::bytes * panel_columns, g);
                const Lanes those{block};
                const auto own = T::common(those, g);
                for (int i = 0; i < T::group; i += steps) HWY_UNROLL(4) for (int s = 0; s < steps; ++s) {
                        const Vector factor = hn::Set(Wide(), left[i + s]);
                        const FloatLanes right = number<T>(those, own, g, i + s);
                        HWY_UNROLL(4)
                        for (int v = 0; v < across; ++v) sums[s][v] = hn::MulAdd(factor, right.of[v], sums[s][v]);
                    }
            }
        finish<across>(p, column, sums);
    }
}

template <template <class> class... Types>
struct Forms {
    static constexpr BlockForm all[] = {{.type = Types<OneBlock>::name,
                                         .numbers = Types<OneBlock>::numbers,
                                         .bytes = Types<OneBlock>::bytes,
                                         .restore = restore<Types>,
                                         .restore_one = restore_one<Types>,
                                         .stored = stored<Types>,
                                         .restore_panel = restore_panel<Types>,
                                         .multiply_row = multiply_row<Types>}...};
};

std::span<const BlockForm> block_forms() {
    return Forms<F16, BF16, Q8_0, Q8_K, Q6_K, Q5_K, Q5_1, Q5_0, Q4_K, Q4_1, Q4_0, Q3_K, Q2_K, IQ4_NL, IQ4_XS, TQ2_0,
                 TQ1_0, MXFP4, NVFP4>::all;
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headcount {
namespace kernels {
HWY_EXPORT(block_forms);
}

const BlockForm* block_form(std::string_view type) {
    using namespace kernels;
    const std::span<const BlockForm> all = HWY_DYNAMIC_DISPATCH(block_forms)();
    const auto found = std::ranges::find(all, type, &BlockForm::type);
    return found != all.end() ? &*found : nullptr;
}

}  // namespace headcount
#endif
