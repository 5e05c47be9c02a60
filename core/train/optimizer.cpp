// The optimizers' steps, as their papers and PyTorch have them.
#include "core/train/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include "core/runtime/kernels.hpp"

namespace headcount {
namespace {

// a · b, (rows, inner) · (inner, columns).
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::int64_t rows,
                           std::int64_t inner, std::int64_t columns) {
    std::vector<float> right(b);
    right.resize(right.size() + panel_columns);  // the kernel reads behind the last row
    std::vector<float> out(static_cast<std::size_t>(rows * columns));
    kernels::multiply({.left = a.data(),
                       .left_step = inner,
                       .right = {right.data(), columns, 0},
                       .out = out.data(),
                       .out_step = columns,
                       .rows = rows,
                       .inner = inner,
                       .columns = columns});
    return out;
}

std::vector<float> transposed(const std::vector<float>& a, std::int64_t rows, std::int64_t columns) {
    std::vector<float> out(a.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            out[static_cast<std::size_t>(j * rows + i)] = a[static_cast<std::size_t>(i * columns + j)];
    return out;
}

// The nearest matrix whose singular values are about 1: five steps of Newton and Schulz with Jordan's coefficients.
std::vector<float> orthogonal(std::vector<float> x, std::int64_t rows, std::int64_t columns) {
    const bool tall = rows > columns;
    if (tall) x = transposed(x, rows, columns), std::swap(rows, columns);
    double squares = 0;
    for (const float each : x) squares += static_cast<double>(each) * static_cast<double>(each);
    const auto shrink = static_cast<float>(1 / (std::sqrt(squares) + 1e-7));
    for (float& each : x) each *= shrink;
    constexpr float a = 3.4445f, b = -4.7750f, c = 2.0315f;
    for (int i = 0; i < 5; ++i) {
        const std::vector<float> square = product(x, transposed(x, rows, columns), rows, columns, rows);
        std::vector<float> mixed = product(square, square, rows, rows, rows);
        for (std::size_t j = 0; j < mixed.size(); ++j) mixed[j] = b * square[j] + c * mixed[j];
        const std::vector<float> turned = product(mixed, x, rows, rows, columns);
        for (std::size_t j = 0; j < x.size(); ++j) x[j] = a * x[j] + turned[j];
    }
    return tall ? transposed(x, rows, columns) : x;
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
    first_.resize(static_cast<std::size_t>(parameters.trained()));
    second_.resize(static_cast<std::size_t>(second));
}

std::int64_t Descent::bytes() const {
    return (std::ssize(first_) + std::ssize(second_)) * std::int64_t{sizeof(float)};
}

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
    std::vector<float> ahead(static_cast<std::size_t>(piece.floats));
    for (std::int64_t i = 0; i < piece.floats; ++i) {
        float& first = first_[static_cast<std::size_t>(piece.offset + i)];
        const float slope = share * gradients[static_cast<std::size_t>(piece.offset + i)];
        first = momentum * first + (1 - momentum) * slope;
        ahead[static_cast<std::size_t>(i)] = momentum * first + (1 - momentum) * slope;
    }
    const std::vector<float> turned = orthogonal(std::move(ahead), piece.rows, piece.columns);
    // As long as AdamW's steps are (Liu et al. 2025), so that both take one learning rate.
    const auto step =
        static_cast<float>(0.2 * rate * std::sqrt(static_cast<double>(std::max(piece.rows, piece.columns))));
    const auto kept = static_cast<float>(1 - rate * settings_.weight_decay);
    for (std::int64_t i = 0; i < piece.floats; ++i) {
        float& weight = weights[static_cast<std::size_t>(piece.offset + i)];
        weight = kept * weight - step * turned[static_cast<std::size_t>(i)];
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
