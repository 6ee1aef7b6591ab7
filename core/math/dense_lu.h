// L U of a small dense matrix by elimination with row pivots, by columns: what has some hundred rows and no zeros to speak of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hazumi {

/// In place: `a` holds `columns` ≥ n columns of n numbers each; of the first n there are L (below its diagonal of ones) and U after it, with
/// rows exchanged, the others are L⁻¹ of what they were with the rows of L. `pivots`, where given: n numbers, row k was exchanged with pivots[k],
/// k = 0, 1, … in turn. False: singular, or not finite. Four columns at a time, so that what is right of them is read and written a quarter as often.
bool dense_lu(double* a, std::size_t n, std::size_t columns, std::uint32_t* pivots = nullptr);

/// x ← U⁻¹ x.
void dense_back(const double* a, std::size_t n, double* x);

/// x ← A⁻¹ x.
void dense_solve(const double* a, std::size_t n, const std::uint32_t* pivots, double* x);

}  // namespace hazumi
