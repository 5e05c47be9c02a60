// Writing an animated GIF: the only place that knows giflib, which packs it.
#include "app/gl/gif.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/gl/few_colours.hpp"
#include "core/base/write_file.hpp"

#if HEADCOUNT_GIF
#include <gif_lib.h>

namespace headcount {
namespace {

constexpr int colours = 256, stays = colours - 1;  // the last one is seen through
constexpr int longest_side = 65'535, longest_delay = 65'535;

Colour colour_at(const Pixels& pixels, std::size_t pixel) {
    const std::uint8_t* const rgba = &pixels.rgba[4 * pixel];
    return static_cast<Colour>(rgba[0] << 16 | rgba[1] << 8 | rgba[2]);
}

// Of the picture, in pixels.
struct Stretch {
    int left = 0, top = 0, right = 0, bottom = 0;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
};

struct FreeMap {
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

}  // namespace

struct GifFile::Writer {
    explicit Writer(OutputFile&& out) : file(std::move(out)) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        if (gif) EGifCloseFile(gif, nullptr);
    }

    static int append(GifFileType* gif, const GifByteType* bytes, int size) {
        static_cast<OutputFile*>(gif->UserData)
            ->write({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
        return size;
    }

    bool begin(const Pixels& pixels) {
        constexpr std::array<GifByteType, 3> again_and_again{1, 0, 0};
        gif = EGifOpen(&file, append, nullptr);
        if (!gif) return false;
        EGifSetGifVersion(gif, true);
        return EGifPutScreenDesc(gif, pixels.width, pixels.height, 8, 0, nullptr) == GIF_OK &&
               EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
               EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
               EGifPutExtensionBlock(gif, again_and_again.size(), again_and_again.data()) == GIF_OK &&
               EGifPutExtensionTrailer(gif) == GIF_OK;
    }

    bool is_new(const Pixels& pixels, std::size_t pixel) const {
        return last.rgba.empty() || colour_at(pixels, pixel) != colour_at(last, pixel);
    }

    // Around what has become another; a pixel where nothing has, so that there is something to be seen for so long.
    Stretch stretch_of(const Pixels& pixels) const {
        Stretch part{pixels.width, pixels.height, 0, 0};
        std::size_t pixel = 0;
        for (int y = 0; y < pixels.height; ++y)
            for (int x = 0; x < pixels.width; ++x)
                if (is_new(pixels, pixel++))
                    part = {std::min(part.left, x), std::min(part.top, y), std::max(part.right, x + 1),
                            std::max(part.bottom, y + 1)};
        return part.right == 0 ? Stretch{0, 0, 1, 1} : part;
    }

    bool write(const Pixels& pixels, int delay) {
        const Stretch part = stretch_of(pixels);
        const auto pixel_at = [&](int x, int y) {
            return static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) + static_cast<std::size_t>(x);
        };
        std::vector<Colour> fresh;
        for (int y = part.top; y < part.bottom; ++y)
            for (int x = part.left; x < part.right; ++x)
                if (const std::size_t pixel = pixel_at(x, y); is_new(pixels, pixel))
                    fresh.push_back(colour_at(pixels, pixel));
        const FewColours few = few_colours(fresh, stays);
        std::array<GifColorType, colours> palette{};
        for (std::size_t i = 0; i < few.palette.size(); ++i)
            palette[i] = {static_cast<GifByteType>(few.palette[i] >> 16), static_cast<GifByteType>(few.palette[i] >> 8),
                          static_cast<GifByteType>(few.palette[i])};
        const std::unique_ptr<ColorMapObject, FreeMap> map(GifMakeMapObject(colours, palette.data()));
        const GraphicsControlBlock control{DISPOSE_DO_NOT, false, delay, stays};
        std::array<GifByteType, 4> said{};
        const auto length = static_cast<int>(EGifGCBToExtension(&control, said.data()));
        if (!map || EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, length, said.data()) != GIF_OK ||
            EGifPutImageDesc(gif, part.left, part.top, part.width(), part.height(), false, map.get()) != GIF_OK)
            return false;
        std::vector<GifPixelType> line(static_cast<std::size_t>(part.width()));
        std::pair<Colour, GifPixelType> known{~Colour{0}, 0};  // most pixels are as the one before
        for (int y = part.top; y < part.bottom; ++y) {
            for (int x = part.left; x < part.right; ++x) {
                const std::size_t pixel = pixel_at(x, y);
                GifPixelType& index = line[static_cast<std::size_t>(x - part.left)];
                index = stays;
                if (!is_new(pixels, pixel)) continue;
                if (const Colour colour = colour_at(pixels, pixel); colour != known.first)
                    known = {colour, few.index.at(colour)};
                index = known.second;
            }
            if (EGifPutLine(gif, line.data(), part.width()) != GIF_OK) return false;
        }
        return true;
    }

    OutputFile file;
    GifFileType* gif = nullptr;
    Pixels last;
    double seconds = 0;           // of all frames
    std::int64_t hundredths = 0;  // the same, as they were written
};

Result<GifFile> GifFile::open(const std::filesystem::path& file) {
    Result<OutputFile> out = OutputFile::open(file);
    if (!out) return out.error();
    return GifFile(std::make_unique<Writer>(*std::move(out)));
}

std::optional<Error> GifFile::add(const Pixels& pixels, double seconds) {
    Writer& writer = *writer_;
    const Error refused{"the picture cannot be packed as a GIF", "", "make it smaller"};
    if (std::max(pixels.width, pixels.height) > longest_side) return refused;
    if (!writer.gif && !writer.begin(pixels)) return refused;
    assert(writer.last.rgba.empty() || writer.last.rgba.size() == pixels.rgba.size());
    // What is rounded away of one is the next one's.
    writer.seconds += seconds;
    const std::int64_t until = std::llround(writer.seconds * 100);
    const auto delay = static_cast<int>(std::clamp<std::int64_t>(until - writer.hundredths, 0, longest_delay));
    if (!writer.write(pixels, delay)) return refused;
    writer.hundredths += delay;
    writer.last = pixels;
    return std::nullopt;
}

std::optional<Error> GifFile::finish() {
    if (writer_->gif && EGifCloseFile(std::exchange(writer_->gif, nullptr), nullptr) != GIF_OK)
        return Error{"the picture cannot be packed as a GIF", "", "make it smaller"};
    return writer_->file.finish();
}

}  // namespace headcount

#else

namespace headcount {

struct GifFile::Writer {};

Result<GifFile> GifFile::open(const std::filesystem::path& file) {
    return Error{"this build writes no GIF, since giflib was not there", file.string(),
                 "name a folder for its frames, of which ffmpeg makes one"};
}

std::optional<Error> GifFile::add(const Pixels&, double) { return std::nullopt; }

std::optional<Error> GifFile::finish() { return std::nullopt; }

}  // namespace headcount

#endif

namespace headcount {

GifFile::GifFile(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
GifFile::GifFile(GifFile&&) noexcept = default;
GifFile& GifFile::operator=(GifFile&&) noexcept = default;
GifFile::~GifFile() = default;

}  // namespace headcount
