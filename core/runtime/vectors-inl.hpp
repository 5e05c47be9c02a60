// A vector of floats of the set that is being compiled, and its way to and from memory. Included anew for each set,
// hence no #pragma once.
#if defined(HEADCOUNT_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_VECTORS_INL
#undef HEADCOUNT_VECTORS_INL
#else
#define HEADCOUNT_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<float>;
using Vector = hn::Vec<Wide>;
using Index = std::int64_t;

constexpr Index lanes = HWY_LANES(float);

// Whether the set can leave out lanes: then nothing behind the last is touched.
constexpr bool masks = HWY_ARCH_X86 && lanes >= 8;  // AVX2 and up

HWY_INLINE Vector load_some(const float* from, Index count) {
    const Wide d;
    if (count >= lanes) return hn::LoadU(d, from);
    if constexpr (masks) return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
    HWY_ALIGN float all[lanes] = {};
    std::memcpy(all, from, static_cast<std::size_t>(count) * sizeof(float));
    return hn::Load(d, all);
}

HWY_INLINE void store_some(Vector values, float* to, Index count) {
    const Wide d;
    if (count >= lanes) return hn::StoreU(values, d, to);
    if constexpr (masks) return hn::BlendedStore(values, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
    HWY_ALIGN float all[lanes];
    hn::Store(values, d, all);
    std::memcpy(to, all, static_cast<std::size_t>(count) * sizeof(float));
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
