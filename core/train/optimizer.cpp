// The optimizers' steps, as their papers and PyTorch have them.
#include "core/train/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include "core/runtime/kernels.hpp"

namespace headcount {
namespace {

constexpr std::int64_t read_behind = panel_columns;  // floats that a kernel may read behind the last

// out (rows, columns) = a · b, (rows, inner) · (inner, columns).
void multiply(const float* a, const float* b, float* out, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
    kernels::multiply({.left = a,
                       .left_step = inner,
                       .right = {b, columns, 0},
                       .out = out,
                       .out_step = columns,
                       .rows = rows,
                       .inner = inner,
                       .columns = columns});
}

void transpose(const float* from, float* to, std::int64_t rows, std::int64_t columns) {
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
}

// Makes of x (rows, columns), rows <= columns, the nearest matrix whose singular values are about 1: five steps of
// Newton and Schulz with Jordan's coefficients. `room` is for as many floats again, and two squares of the rows.
void make_orthogonal(float* x, float* room, std::int64_t rows, std::int64_t columns) {
    const std::int64_t floats = rows * columns, squares = rows * rows;
    float *const turned = room, *const square = turned + floats, *const mixed = square + squares;
    double length = 0;
    for (std::int64_t i = 0; i < floats; ++i) length += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    const auto shrink = static_cast<float>(1 / (std::sqrt(length) + 1e-7));
    for (std::int64_t i = 0; i < floats; ++i) x[i] *= shrink;
    constexpr float a = 3.4445f, b = -4.7750f, c = 2.0315f;
    for (int i = 0; i < 5; ++i) {
        transpose(x, turned, rows, columns);
        multiply(x, turned, square, rows, columns, rows);
        multiply(square, square, mixed, rows, rows, rows);
        for (std::int64_t j = 0; j < squares; ++j) mixed[j] = b * square[j] + c * mixed[j];
        multiply(mixed, x, turned, rows, rows, columns);
        for (std::int64_t j = 0; j < floats; ++j) x[j] = a * x[j] + turned[j];
    }
}

}  // namespace

Descent::Descent(const ParameterLayout& parameters, const OptimizerSettings& settings) : settings_(settings) {
    std::int64_t second = 0;
    for (const ParameterCopy& each : parameters.copies()) {
        if (!parameters.is_trained(each.tensor)) continue;
        Piece piece{.offset = each.offset, .floats = each.floats(), .rows = each.rows, .columns = each.columns};
        piece.decays = each.matrix;
        piece.orthogonal = settings.kind == OptimizerKind::muon && each.matrix && each.of_layer;
        piece.second = second;
        if (settings.kind != OptimizerKind::sgd && !piece.orthogonal) second += piece.floats;
        Piece* const last = pieces_.empty() ? nullptr : &pieces_.back();
        if (last && !last->orthogonal && !piece.orthogonal && last->decays == piece.decays)
            last->floats += piece.floats;
        else
            pieces_.push_back(piece);
    }
    std::int64_t room = 0;
    for (const Piece& each : pieces_) {
        const std::int64_t side = std::min(each.rows, each.columns);
        if (each.orthogonal) room = std::max(room, 2 * each.floats + 2 * side * side + read_behind);
    }
    room_.resize(static_cast<std::size_t>(room));
    first_.resize(static_cast<std::size_t>(parameters.trained()));
    second_.resize(static_cast<std::size_t>(second));
}

std::int64_t Descent::bytes() const { return (std::ssize(first_) + std::ssize(second_)) * std::int64_t{sizeof(float)}; }

std::int64_t Descent::working_bytes() const { return std::ssize(room_) * std::int64_t{sizeof(float)}; }

void Descent::adamw(const Piece& piece, std::int64_t number, double rate, float share, std::span<float> weights,
                    std::span<const float> gradients, Pool& pool) {
    const double count = static_cast<double>(number + 1);
    const auto step = static_cast<float>(rate / (1 - std::pow(settings_.beta1, count)));
    const auto root = static_cast<float>(1 / std::sqrt(1 - std::pow(settings_.beta2, count)));
    const auto kept = static_cast<float>(piece.decays ? 1 - rate * settings_.weight_decay : 1);
    const auto beta1 = static_cast<float>(settings_.beta1), beta2 = static_cast<float>(settings_.beta2);
    const auto new1 = static_cast<float>(1 - settings_.beta1), new2 = static_cast<float>(1 - settings_.beta2);
    const auto epsilon = static_cast<float>(settings_.epsilon);
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        float* const weight = weights.data() + piece.offset;
        const float* const gradient = gradients.data() + piece.offset;
        float* const first = first_.data() + piece.offset;
        float* const second = second_.data() + piece.second;
        for (std::int64_t i = begin; i < end; ++i) {
            const float slope = share * gradient[i];
            first[i] = beta1 * first[i] + new1 * slope;
            second[i] = beta2 * second[i] + new2 * slope * slope;
            weight[i] = kept * weight[i] - step * first[i] / (std::sqrt(second[i]) * root + epsilon);
        }
    };
    constexpr std::int64_t worth_sharing = 1 << 15;
    if (piece.floats < worth_sharing) return part(0, piece.floats);
    pool.split(piece.floats, panel_columns, part);
}

void Descent::muon(const Piece& piece, double rate, float share, std::span<float> weights,
                   std::span<const float> gradients) {
    const auto momentum = static_cast<float>(settings_.momentum);
    const bool tall = piece.rows > piece.columns;
    const std::int64_t rows = tall ? piece.columns : piece.rows, columns = tall ? piece.rows : piece.columns;
    float *const x = room_.data(), *const behind = x + piece.floats;
    float* const ahead = tall ? behind : x;
    for (std::int64_t i = 0; i < piece.floats; ++i) {
        float& first = first_[static_cast<std::size_t>(piece.offset + i)];
        const float slope = share * gradients[static_cast<std::size_t>(piece.offset + i)];
        first = momentum * first + (1 - momentum) * slope;
        ahead[i] = momentum * first + (1 - momentum) * slope;
    }
    if (tall) transpose(ahead, x, piece.rows, piece.columns);
    make_orthogonal(x, behind, rows, columns);
    if (tall) transpose(x, ahead, rows, columns);
    // As long as AdamW's steps are (Liu et al. 2025), so that both take one learning rate.
    const auto step =
        static_cast<float>(0.2 * rate * std::sqrt(static_cast<double>(std::max(piece.rows, piece.columns))));
    const auto kept = static_cast<float>(1 - rate * settings_.weight_decay);
    for (std::int64_t i = 0; i < piece.floats; ++i) {
        float& weight = weights[static_cast<std::size_t>(piece.offset + i)];
        weight = kept * weight - step * ahead[i];
    }
}

void Descent::step(std::int64_t number, double learning_rate, double share, std::span<float> weights,
                   std::span<const float> gradients, Pool& pool) {
    const auto factor = static_cast<float>(share);
    for (const Piece& piece : pieces_) {
        if (piece.orthogonal) {
            muon(piece, learning_rate, factor, weights, gradients);
        } else if (settings_.kind != OptimizerKind::sgd) {
            adamw(piece, number, learning_rate, factor, weights, gradients, pool);
        } else {
            const auto decay = static_cast<float>(piece.decays ? settings_.weight_decay : 0);
            const auto momentum = static_cast<float>(settings_.momentum), rate = static_cast<float>(learning_rate);
            for (std::int64_t i = piece.offset; i < piece.offset + piece.floats; ++i) {
                const auto at = static_cast<std::size_t>(i);
                first_[at] = momentum * first_[at] + factor * gradients[at] + decay * weights[at];
                weights[at] -= rate * first_[at];
            }
        }
    }
}

}  // namespace headcount
