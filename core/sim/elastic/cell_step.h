// One step of a body of cells: the numbers that its parts share. Equations and symbols are in cell_settle.cpp; all vectors
// and rotations here are in the axes of the frame at the start of the step, velocities less that of the centre of mass.
#pragma once

#include "core/sim/elastic/cell_body.h"

namespace hazumi::cell_body {

struct Body::Step {
  Step(const Body& of, int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
       ElasticWorkspace& workspace);

  void predict();  ///< w ← the start value
  bool iterate();  ///< w ← the solution; false: it did not settle, w is the best of what was met
  bool place();    ///< positions and turns at the end; false: not finite
  bool conserve();
  void hold_momenta();
  bool hold_energy();  ///< after place(): takes out of the vibration what w gains; false: that holds not so much
  bool close_energy(bool last);  ///< closes the account exactly; false: that would change too much, nothing is done
  bool relax();  ///< the step in which cells keep their turns, momenta and energy held; false: that would gain
  bool freeze(bool turning);  ///< w of a step in which the cells stay as they are and half of the vibration is lost
  bool finish(std::span<double> state) const;
  void keep(bool settled, std::vector<double>& found) const;
  bool exact() const { return bent_ == 0; }          ///< every cell had a force with its energy
  bool many() const { return matrix && n > kMany; }  ///< springs: their equations are solved as far as is seen
  bool eased() const { return eased_; }              ///< cells with turns: the same, where nothing touches
  bool loose() const { return matrix && !body.stepped().whole(); }

  const Body& body;
  const std::shared_ptr<const Cells> kept_cells;
  const Cells& cells;
  const std::size_t n;
  const double h;
  const SparseFactor& factor;
  std::optional<SpringMatrix> matrix;                        // of cells that are springs
  Vec3 centre;                                               // c
  Quat frame;                                                // Q
  Mat3 attitude;                                             // of Q
  Vec3 centre_velocity = Vec3::Zero(), fall = Vec3::Zero();  // m/s, world; h g, of a pinned body in `push`
  const double* cell_turns;                                  // M of the cells at the start, of the state
  double *p, *u, *push, *coast;                              // p⁻; u⁻; h f/m; the way without w
  double *w, *moved, *pull, *strain, *rate, *best;
  double *from, *to;     // D of the nodes at the start and the end, 4n
  double* turns;         // M of the cells at the end, 4 × cells
  double* of_cells;      // of each node of each cell with a turn, Body::slots_ of three numbers
  double* scratch;       // of solves and of the mixing
  double tolerance = 0;  // m/s, in the mean over the mass
  Mat3 fit_before = Mat3::Zero();
  Vec3 shift = Vec3::Zero();     // mean of the way
  Quat turn = Quat::Identity();  // T
  int* passes;
  Executor* const executor;

 private:
  Vec3 way(std::size_t i) const { return at(coast, i) + 0.5 * h * at(w, i); }
  Vec3 point(std::size_t i, double share) const { return at(p, i) + share * at(moved, i); }
  struct Account {
    double gain = 0, vibration = 0, motion = 0;  // J
  };
  Account account(bool damped);
  void scale_vibration(double kept);
  double dissipated(const double* y) const;
  void add_pull(const double* x, double stiff, double drag, bool arms, double* out) const;
  void cell_forces();                                                                 ///< pull ← −f of the cells
  void put_force(const Cell& cell, std::size_t k, std::size_t slot, const Vec3& f) {  ///< −f of its k-th node
    put(of_cells, body.slots_ * (cell.first + k) + slot, f);
  }
  double elastic_energy(const double* places, const double* of_turns) const;
  void pair_force(const Cell& cell, std::size_t e);
  bool shape_force(const Cell& cell, std::size_t e);
  bool strain_force(const Cell& cell, std::size_t e);
  double balance();
  double solve();
  void warped_solve(double* x);  ///< x ← D⁺ A⁻¹ D̄⁻¹ x
  double norm(const double* x) const;

  const bool eased_;
  bool factored_ = false;    // `matrix`, for the next pass
  bool has_factor_ = false;  // of this step, or of the one before that it repeats
  std::size_t bent_ = 0;     // cells that turned too far, or are too flat, for an exact force
};

}  // namespace hazumi::cell_body
