// Restores blocks, and multiplies by them: compiled once for each instruction set; the best that the machine has is
// chosen at the first call. No product and sum become one here, which would round a restored number otherwise.
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

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
#include "core/runtime/byte_sums-inl.hpp"
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
StoredNumber stored_as(float scale, int whole) { return {.whole = whole, .scale = scale}; }

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

// A processor foresees too little of what is read once, front to back, and a part at a time: so many bytes of a panel
// are asked for this far ahead, where what is there comes in time and is still in the first cache. Not those of a whole
// block at once, for which there would be a queue: part by part of so many.
template <class T, int part, int parts>
HWY_INLINE void fetch_ahead(const Lanes& block) {
    constexpr int line = FloatMemory::alignment * sizeof(float), ahead = 16 * 1024;
    constexpr int lines = (T::bytes * panel_columns + line - 1) / line;
    auto at = reinterpret_cast<std::uintptr_t>(block.at) + ahead;
    if constexpr (parts > 1) asm volatile("" : "+r"(at));  // stays where it is among the steps
    HWY_UNROLL(4)
    for (int i = lines * part / parts; i < lines * (part + 1) / parts; ++i)
        __builtin_prefetch(reinterpret_cast<const void*>(at + i * line));  // a hint
}

// Adds a block's products to the sums, number by number. The steps stay a loop: written out, WebAssembly's compilers
// put sums off until more numbers wait than there are registers.
template <class T>
HWY_INLINE void add_numbers(const Lanes& block, const float* left, RowSums<across>& sums) {
    constexpr int steps = apart<across>;
    static_assert(T::group == T::numbers && T::group % steps == 0);
    fetch_ahead<T, 0, 1>(block);
    HWY_UNROLL(1)
    for (int i = 0; i < T::group; i += steps) HWY_UNROLL(4) for (int s = 0; s < steps; ++s) {
            const Vector factor = hn::Set(Wide(), left[i + s]);
            const FloatLanes right = T::number(block, i + s);
            HWY_UNROLL(4) for (int v = 0; v < across; ++v) sums[s][v] = hn::MulAdd(factor, right.of[v], sums[s][v]);
        }
}

HWY_INLINE void add_product(const FloatLanes& a, const FloatLanes& b, Vector (&sums)[across]) {
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) sums[v] = hn::MulAdd(a.of[v], b.of[v], sums[v]);
}
// What a group's whole numbers came to, and its part of the left side. Where numbers are restored first, nobody asks.
[[maybe_unused]] HWY_INLINE void add_scaled(const FloatLanes& scale, const FloatLanes& of_whole, const float*,
                                            Vector (&sums)[across]) {
    add_product(scale, of_whole, sums);
}
[[maybe_unused]] HWY_INLINE void add_scaled(const ScaleAndLess<Lanes>& own, const FloatLanes& of_whole,
                                            const float* of_left, Vector (&sums)[across]) {
    const Vector all = hn::Set(Wide(), *of_left);
    add_product(own.scale, of_whole, sums);
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) sums[v] = hn::NegMulAdd(own.less.of[v], all, sums[v]);
}

// How many groups away the one is that stands in other bits of the same bytes; 0 where none does.
template <class T>
[[maybe_unused]] constexpr int beside = [] {
    if constexpr (requires { T::beside; }) return T::beside;
    return 0;
}();
template <class T>
[[maybe_unused]] constexpr int at_once = beside<T> == 0 ? 1 : 2;  // groups that are read together

// Adds a block's products to the sums. A scale multiplies what its group's whole numbers come to, and what is taken off
// each of them the sum of the left side's: no number is restored by itself. A loop here, too.
template <class T, int set = 0>
HWY_INLINE void add_groups(const Lanes& block, const float* left, const float* of_left, Vector (&sums)[across]) {
    constexpr int sets = T::numbers / T::group / at_once<T>, steps = apart<across * at_once<T>>;
    constexpr int run = std::max(1, beside<T>), first = set / run * run * at_once<T> + set % run;
    static_assert(T::group % steps == 0);
    fetch_ahead<T, set, sets>(block);
    Vector parts[at_once<T>][steps][across];
    HWY_UNROLL(2)
    for (int m = 0; m < at_once<T>; ++m) HWY_UNROLL(4)
    for (int s = 0; s < steps; ++s) HWY_UNROLL(4) for (int v = 0; v < across; ++v) parts[m][s][v] = hn::Zero(Wide());
    HWY_UNROLL(1)
    for (int i = 0; i < T::group; i += steps)
        HWY_UNROLL(4) for (int s = 0; s < steps; ++s) HWY_UNROLL(2) for (int m = 0; m < at_once<T>; ++m) {
            const int g = first + m * beside<T>;
            const Vector factor = hn::Set(Wide(), left[g * T::group + i + s]);
            const FloatLanes whole = to_float(T::whole(block, g, i + s));
            HWY_UNROLL(4)
            for (int v = 0; v < across; ++v) parts[m][s][v] = hn::MulAdd(factor, whole.of[v], parts[m][s][v]);
        }
    HWY_UNROLL(2) for (int m = 0; m < at_once<T>; ++m) {
        const int g = first + m * beside<T>;
        FloatLanes of_whole;
        HWY_UNROLL(4) for (int v = 0; v < across; ++v) {
            HWY_UNROLL(4) for (int s = 1; s < steps; ++s) parts[m][0][v] = hn::Add(parts[m][0][v], parts[m][s][v]);
            of_whole.of[v] = parts[m][0][v];
        }
        add_scaled(T::common(block, g), of_whole, of_left ? of_left + g : nullptr, sums);
    }
    if constexpr (set + 1 < sets) add_groups<T, set + 1>(block, left, of_left, sums);
}

// Whether something is taken off each number, which is then stored as a positive one.
template <class T>
[[maybe_unused]] constexpr bool is_lessened = std::same_as<decltype(T::common(Lanes(), 0)), ScaleAndLess<Lanes>>;

// The sums of the left side's groups, where something is taken off each number of one.
template <class T>
std::vector<float> sums_of_left(const Product& p) {
    std::vector<float> sums;
    if constexpr (is_lessened<T>) {
        static_assert(T::group % lanes == 0);
        for (const float* group = p.left; group != p.left + p.inner; group += T::group) {
            Vector all = hn::Zero(Wide());
            for (Index i = 0; i < T::group; i += lanes) all = hn::Add(all, hn::LoadU(Wide(), group + i));
            sums.push_back(hn::GetLane(hn::SumOfLanes(Wide(), all)));
        }
    }
    return sums;
}

// The product of one row, to which `add(block, k, sums)` adds what a panel's blocks of inputs k and up come to.
template <class T, class Add>
HWY_INLINE void each_block(const Product& p, const Add& add) {
    for (Index column = 0; column < p.columns; column += panel_columns) {
        const std::byte* block = p.right.blocks + column / panel_columns * p.right.panel_step;
        RowSums<across> sums;
        start<across>(p, column, sums);
        for (Index k = 0; k < p.inner; k += T::numbers, block += T::bytes * panel_columns) {
            add(Lanes{block}, k, sums);
        }
        finish<across>(p, column, sums);
    }
}

#if HEADCOUNT_SUMS_BYTES
// Adds a block's products to the sums, as `add_groups`, four in one step.
template <template <class> class Type, int... groups>
HWY_INLINE void add_bytes(const Lanes& block, Index k, const InDigits& left, std::integer_sequence<int, groups...>,
                          Vector (&sums)[across]) {
    using T = Type<Lanes>;
    const InDigits::Group* const own = left.groups.data() + k / T::group;
    const auto add = [&](auto g) HWY_ATTR {
        fetch_ahead<T, g, T::numbers / T::group>(block);
        const auto whole = [&](int i) HWY_ATTR { return Type<Fours>::whole(Fours{block.at}, g, i); };
        const FloatLanes of_whole = sum_of_bytes<T::group, is_lessened<T>>(left, k + g * T::group, own[g], whole);
        add_scaled(T::common(block, g), of_whole, &own[g].sum, sums);
    };
    (add(std::integral_constant<int, groups>()), ...);
}
#endif

// Sets that only old processors have as their best are worth no code of their own for each type: a block's numbers are
// restored, and then multiplied.
constexpr bool restores_first = HWY_ARCH_X86 && lanes < 8;

HWY_NOINLINE void add_restored(const float* right, const float* left, int count, Vector (&sums)[across]) {
    for (int i = 0; i < count; ++i, right += panel_columns) {
        const Vector factor = hn::Set(Wide(), left[i]);
        for (int v = 0; v < across; ++v) sums[v] = hn::MulAdd(factor, hn::LoadU(Wide(), right + v * lanes), sums[v]);
    }
}

template <template <class> class Type>
void multiply_row(const Product& p) {
    using T = Type<Lanes>;
    if constexpr (restores_first) {
        float restored[T::numbers * panel_columns];
        each_block<T>(p, [&](const Lanes& block, Index k, RowSums<across>& sums) HWY_ATTR {
            restore_panel<Type>(block.at, 0, T::numbers, restored);
            add_restored(restored, p.left + k, T::numbers, sums[0]);
        });
    } else if constexpr (!requires { T::whole(Lanes(), 0, 0); })
        return each_block<T>(p, [&](const Lanes& block, Index k, RowSums<across>& sums)
                                    HWY_ATTR { add_numbers<T>(block, p.left + k, sums); });
    else {
#if HEADCOUNT_SUMS_BYTES
        // Reading binds, and not the steps, where a number has a byte or more.
        if constexpr (T::bytes < T::numbers && T::group % lanes == 0 && !requires { T::spread; })
            if (const InDigits left = in_digits(p.left, p.inner, T::group); !left.groups.empty())
                return each_block<T>(p, [&](const Lanes& block, Index k, RowSums<across>& sums) HWY_ATTR {
                    add_bytes<Type>(block, k, left, std::make_integer_sequence<int, T::numbers / T::group>(), sums[0]);
                });
#endif
        const std::vector<float> of_left = sums_of_left<T>(p);
        each_block<T>(p, [&](const Lanes& block, Index k, RowSums<across>& sums) HWY_ATTR {
            add_groups<T>(block, p.left + k,
                          of_left.empty() ? nullptr : &of_left[static_cast<std::size_t>(k / T::group)], sums[0]);
        });
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
