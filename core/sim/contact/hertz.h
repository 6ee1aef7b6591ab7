// Hertz contact of two elastic bodies (thesis 3.2, equations 3.29–3.42), as a pulse of force in time.
//
//   n₁ = (M₁ + M₂)/(M₁ M₂)                      δ_i = (1 − σ_i²)/(π E_i)
//   n_z = (4/3) q_k(A/B) / ((δ₁ + δ₂) √(A + B))
//   α_m = (5/4 · v₀² / (n₁ n_z))^(2/5)          T_max = π α_m/(1.068 v₀)
//   F(t) = F_max sin(π t/T_max), 0 ≤ t ≤ T_max
//
//   M    kg     mass (∞ for what does not move: n₁ is then 1/M of the other)     v₀   m/s   speed of approach
//   E    Pa     Young's modulus                  σ     –      Poisson's ratio
//   A, B 1/m    half the sum of the curvatures of the two surfaces in the principal planes, A ≤ B
//   q_k  –      table over A/B, 0.318 = 1/π for a round contact
//   α_m  m      greatest approach                T_max s      how long they touch
//   F_max N     peak of the force
//
// Departure from the thesis: its F_max = 1.140 v₀²/(n₁ α_m) delivers the impulse 2.135 v₀/n₁, a restitution of 1.135: the
// pair would gain energy. Here the sine is scaled so that its impulse is exactly (1 + e) v₀/n₁, e the restitution:
// F_max = π/2 · (1 + e) v₀/(n₁ T_max). The exact Hertz peak 1.25 v₀²/(n₁ α_m) is kept as a read-out.
// The pulse is integrated analytically over any interval, so that a contact of microseconds gives its whole impulse
// within one step and a soft one spreads it over many, at any step.
#pragma once

namespace hazumi {

struct HertzCurvature {
  double a = 0, b = 0;  ///< A, B, 1/m
};
HertzCurvature sphere_on_plane(double radius);
HertzCurvature sphere_on_sphere(double radius_1, double radius_2);
HertzCurvature crossed_cylinders(double radius_1, double radius_2);
HertzCurvature sphere_on_cylinder(double sphere_radius, double cylinder_radius);

double hertz_q(double ratio);                      ///< q_k(A/B), table interpolated linearly in log(A/B)
double hertz_delta(double young, double poisson);  ///< δ, 1/Pa
double hertz_stiffness(double delta_1, double delta_2, const HertzCurvature& curvature);  ///< n_z, N/m^1.5

struct HertzPulse {
  double approach = 0;       ///< α_m, m
  double duration = 0;       ///< T_max, s
  double impulse = 0;        ///< (1 + e) v₀/n₁, N s
  double peak = 0;           ///< F_max of the sine that has this impulse, N
  double physical_peak = 0;  ///< exact Hertz peak, N
};

/// n1 > 0 in 1/kg, stiffness n_z > 0, speed > 0.
HertzPulse hertz_pulse(double n1, double stiffness, double speed, double restitution);

/// α_m, m, of a pulse that began with v₀ and lasts T_max.
double hertz_squash(double speed, double duration);

/// ∫ F dt over the part of [from, to] (s, since the start of the pulse) that lies in [0, duration].
double pulse_impulse(double impulse, double duration, double from, double to);
/// ∫ t F dt / ∫ F dt over the same part: the moment at which one kick would move the bodies as far as the pulse does.
double pulse_centroid(double duration, double from, double to);

}  // namespace hazumi
