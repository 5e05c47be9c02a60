// What a model reads in the place of tokens: images and sound, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace headcount {

// An image cut into patches, which a matrix makes into the rows that layers read, in the place of tokens (Dosovitskiy
// et al. 2020). Before them stand trained rows: class tokens, which have positions, and registers behind these, which
// have none (Darcet et al. 2023). Sound as a picture of frequencies is such an image (Gong et al. 2021).
struct Patches {
    std::int64_t height = 224, width = 224;  // pixels
    std::int64_t size = 16;                  // pixels on either side
    std::optional<std::int64_t> stride;      // pixels from one to the next; absent: the size
    std::int64_t channels = 3;
    bool bias = true;
    std::int64_t class_tokens = 1;
    std::int64_t registers = 0;

    bool operator==(const Patches&) const = default;
};

// One of the convolutions over time that make sound into rows: of `kernel` moments each row of `columns` numbers, and
// the next one of those `stride` moments later. `of_dim`: so many times the width of the model.
struct Convolution {
    std::int64_t columns = 512, kernel = 3, stride = 1;
    bool of_dim = false;

    bool operator==(const Convolution&) const = default;
};

// Norms behind those convolutions.
enum class ConvolutionNorms {
    none,
    first,        // behind the first, of each column over time
    each,         // behind each, of each row
    first_whole,  // behind the first, which has no bias, and its tanh, of all rows and columns together (Moonshine)
};

// Sound as rows of numbers, one a moment: frequencies (Radford et al. 2022), or a single one of the wave (Baevski et
// al. 2020). Convolutions make it into what the first layers read, in the place of tokens.
struct Sound {
    std::int64_t channels = 80;  // numbers of a moment
    // The last one's columns are those of the embedding, whatever stands here. None: what the family's models have
    // besides makes the rows.
    std::vector<Convolution> convolutions{{512, 3, 1}, {512, 3, 2}};
    bool bias = true;
    bool padded = true;  // by zeros on both sides, so that a stride of 1 keeps the number of rows
    ConvolutionNorms norms = ConvolutionNorms::none;
    // Of a convolution in the place of positions, which reads so many rows around each; 0: there is none.
    std::int64_t position_kernel = 0;
    std::int64_t position_groups = 16;  // of its columns, each by themselves
    std::int64_t position_layers = 1;   // one behind the other

    bool operator==(const Sound&) const = default;
};

}  // namespace headcount
