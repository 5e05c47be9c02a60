// A student's answer drawn to scale beside what is right, without saying what that is.
#pragma once

#include "app/views/worksheet/view.hpp"

namespace headcount {

// The tensor that a blank asks for the shape of; null for other questions.
const Tensor* asked_tensor(const SheetView& view, const Blank& blank);

// Symbols and values, one a line, `width` wide. Returns the height.
inline constexpr float known_line = 26;
float draw_known(SheetView& view, const Blank& blank, ImVec2 at, float width);

// Whether nothing of it is left to find: it is right, or was shown.
bool is_told(const SheetView& view, const Blank& blank);

// "100 × ?": the sides of a tensor that were found, or are no part of the question.
std::string known_shape(const SheetView& view, const Tensor& tensor);

// What was given as numbers, where it could be read.
struct GivenShape {
    std::int64_t rows = 0, columns = 0;
};
std::optional<GivenShape> given_shape(const SheetView& view, const Blank& blank);

// At the cursor, at the available width. Nothing is drawn to compare with before something wrong was given.
void draw_shape_answer(SheetView& view, const Blank& blank);
void draw_number_answer(SheetView& view, const Blank& blank);

// One head's own columns of a weight matrix, what is known, and the answer as columns of the product. False, having
// drawn nothing, where the blank is no such product.
bool draw_head_answer(SheetView& view, const Blank& blank);
// "Q_i = X_n · W_q, of which this head uses its own columns"; empty for what is no such product.
std::string head_equation(const SheetView& view, const Blank& blank);

}  // namespace headcount
