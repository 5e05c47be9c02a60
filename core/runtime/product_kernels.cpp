// The product of matrices, compiled once for each instruction set; the best that the machine has is chosen at the first
// call.
#include <algorithm>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/runtime/product_kernels.cpp"
// The first compiles this file again for each set, and must come before the others.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/runtime/row_sums-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

static_assert(panel_columns % lanes == 0);

// A tile's results stay in registers: 32 of them with AVX-512 and NEON, else 16.
constexpr bool avx512 = lanes == 16;
constexpr int tile_rows = avx512 ? 12 : 6;
constexpr int tile_vectors = HWY_ARCH_ARM_A64 ? 4 : 2;
constexpr Index deep = 256;  // of the inner dimension at once, so that a tile's right side stays in the first cache

HWY_INLINE const float* right_at(const Right& right, Index column, Index row) {
    const float* const line = right.data + (row - right.first_row) * right.row_step;
    if (right.panel_step == 0) return line + column;
    return line + column / panel_columns * right.panel_step + column % panel_columns;
}

// Rows [row, row + rows) and `vectors` vectors of columns, over [from, to) of the inner dimension. `later` is the first
// of as many lines, row_step apart, that other tiles read.
template <int rows, int vectors>
HWY_INLINE void tile(const Product& p, Index row, Index column, Index from, Index to, const float* later) {
    const Wide d;
    Vector sums[rows][vectors];
    const float* right[vectors];
    HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) {
        const Index at = column + v * lanes;
        right[v] = right_at(p.right, at, from);
        HWY_UNROLL(12) for (int r = 0; r < rows; ++r) {
            if (from > 0) {
                sums[r][v] = load_some(p.out + (row + r) * p.out_step + at, p.columns - at);
            } else {
                sums[r][v] = p.bias ? hn::LoadU(d, p.bias + at) : hn::Zero(d);
                if (p.out_is_far) __builtin_prefetch(p.out + (row + r) * p.out_step + at, 1);
            }
        }
    }
    const float* left = p.left + row * p.left_step;
    const Index right_step = p.right.row_step, left_step = p.left_step;
    Index right_place = 0;
    for (Index k = from; k < to; ++k, right_place += right_step) {
        Vector values[vectors];
        __builtin_prefetch(later + right_place, 0, 2);  // into the second cache: the first is full
        HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) values[v] = hn::LoadU(d, right[v] + right_place);
        HWY_UNROLL(12) for (int r = 0; r < rows; ++r) {
            const Vector factor = hn::Set(d, left[r * left_step + k]);
            HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
        }
    }
    HWY_UNROLL(12) for (int r = 0; r < rows; ++r) HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) {
        const Index at = column + v * lanes;
        if (to == p.inner && p.factor != 1) sums[r][v] = hn::Mul(sums[r][v], hn::Set(d, p.factor));
        store_some(sums[r][v], p.out + (row + r) * p.out_step + at, p.columns - at);
    }
}

// Weights come from far, and all rows' tiles of some columns read the same: the first few fetch what the next columns'
// read, or at their end what the next piece of the inner dimension does, one vector of each row a tile.
template <int vectors>
HWY_INLINE const float* read_later(const Product& p, Index number, Index column, Index from, Index to) {
    const Index behind = column + (vectors + number) * lanes;
    if (number < vectors && behind + lanes <= p.columns) return right_at(p.right, behind, from);
    if (number < vectors && to < p.inner) return right_at(p.right, number * lanes, to);
    return right_at(p.right, column, from);  // nothing new
}

template <int rows, int vectors>
HWY_INLINE Index tiles_of(const Product& p, Index row, Index column, Index from, Index to) {
    for (; row + rows <= p.rows; row += rows)
        tile<rows, vectors>(p, row, column, from, to, read_later<vectors>(p, row / rows, column, from, to));
    return row;
}

template <int vectors>
void all_rows(const Product& p, Index column, Index from, Index to) {
    Index row = tiles_of<tile_rows, vectors>(p, 0, column, from, to);
    row = tiles_of<4, vectors>(p, row, column, from, to);
    row = tiles_of<2, vectors>(p, row, column, from, to);
    tiles_of<1, vectors>(p, row, column, from, to);
}

// One row, `across` vectors of columns, which are side by side: in no more than one panel.
template <int across>
HWY_INLINE void one_row(const Product& p, Index column) {
    const Wide d;
    RowSums<across> sums;
    start<across>(p, column, sums);
    const float *left = p.left, *right = right_at(p.right, column, 0);
    const auto add = [&](Vector(&sum)[across]) HWY_ATTR {
        const Vector factor = hn::Set(d, *left++);
        HWY_UNROLL(16)
        for (int v = 0; v < across; ++v) sum[v] = hn::MulAdd(factor, hn::LoadU(d, right + v * lanes), sum[v]);
        right += p.right.row_step;
    };
    Index k = apart<across>;
    for (; k <= p.inner; k += apart<across>) HWY_UNROLL(4) for (int s = 0; s < apart<across>; ++s) add(sums[s]);
    for (k -= apart<across>; k < p.inner; ++k) add(sums[0]);
    finish<across>(p, column, sums);
}

void multiply_row(const Product& p) {
    Index column = 0;
    if (p.right.panel_step != 0) {  // panel by panel, so that memory is read from front to back
        for (; column < p.columns; column += panel_columns) one_row<panel_columns / lanes>(p, column);
        return;
    }
    for (; column + 2 * lanes <= p.columns; column += 2 * lanes) one_row<2>(p, column);
    for (; column < p.columns; column += lanes) one_row<1>(p, column);
}

// A piece of the inner dimension after the other.
void multiply_piece(const Product& p, Index from, Index to) {
    Index column = 0;
    for (; column + tile_vectors * lanes <= p.columns; column += tile_vectors * lanes)
        all_rows<tile_vectors>(p, column, from, to);
    for (; column < p.columns; column += lanes) all_rows<1>(p, column, from, to);
}

// Of blocks, those that some tiles read are restored for them.
void multiply_blocks(const Product& p, Index from, Index to) {
    constexpr Index panels = std::max<Index>(1, tile_vectors * lanes / panel_columns), size = deep * panel_columns;
    HWY_ALIGN float restored[panels * size];
    for (Index column = 0; column < p.columns; column += panels * panel_columns) {
        Product q = p;
        q.columns = std::min(p.columns - column, panels * panel_columns);
        q.out += column;
        if (q.bias) q.bias += column;
        q.right = {.data = restored, .row_step = panel_columns, .panel_step = size, .first_row = from};
        for (Index i = 0; i * panel_columns < q.columns; ++i)
            p.right.form->restore_panel(p.right.blocks + (column / panel_columns + i) * p.right.panel_step, from, to,
                                        restored + i * size);
        multiply_piece(q, from, to);
    }
}

void multiply_rows(const Product& p) {
    for (Index from = 0; from < p.inner || from == 0; from += deep)
        (p.right.form ? multiply_blocks : multiply_piece)(p, from, std::min(from + deep, p.inner));
}

void multiply(const Product& p) {
    if (p.rows != 1) return multiply_rows(p);
    p.right.form ? p.right.form->multiply_row(p) : multiply_row(p);
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headcount::kernels {

HWY_EXPORT(multiply);

std::string_view instruction_set() {
    const std::int64_t best = hwy::SupportedTargets() & HWY_TARGETS;
    return hwy::TargetName(best & -best);  // the lowest bit is the best set
}
void multiply(const Product& product) { HWY_DYNAMIC_DISPATCH(multiply)(product); }

}  // namespace headcount::kernels
#endif
