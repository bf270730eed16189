#pragma once

#include <rivulet/base/pack.h>
#include <rivulet/film/liquid.h>

namespace rivulet::film {

/// What the wall does to a film that slides along a round strand.
enum class FrictionLaw {
    annular,   // exact: shear through the annulus of the film, Herschel-Bulkley, no slip
    fei_2019,  // Fei 2019 eq. 4 to 6: a flat layer of an effective viscosity, with slip
};

struct FrictionOptions {
    FrictionLaw law = FrictionLaw::annular;
    double slip_length = 0;  // b, m; of fei_2019 only
};

/// A film of cross-section A [m^2] on a strand of radius a [m] that moves along it with mean speed u [m/s],
/// relative to the strand. The wall holds it by 2 pi a tau_w [N] per length. All laws are odd in the speed:
/// they take magnitudes.
///
/// `annular`: what drives the film drives all of its cross-section alike (weight, pressure), so that with
/// outer radius R, R^2 = a^2 + A/pi, the stress is tau(r) = tau_w (a/r) (R^2 - r^2)/(R^2 - a^2), and
///     u = 1/(R^2 - a^2) * integral over a..R of rate(tau(r)) (R^2 - r^2) dr.
/// Newtonian: u = tau_w a / (4 mu (R^2 - a^2)^2) [4 R^4 ln(R/a) - (3 R^2 - a^2)(R^2 - a^2)], that is
/// Q = (pi rho g / 8 mu) [...] for a film that its weight drives, rho g A = 2 pi a tau_w. Otherwise by 8
/// points of Gauss between the wall and where the liquid no longer yields: within 4e-5 for flow indices from
/// 0.3 to 1, 4e-4 from 0.2 to 1.5, for any thickness up to R = 20 a. At rest while tau_w <= tau_y.
///
/// `fei_2019`: force per length C u, C = pi (h + 2a)/(b + h/3) * viscosity (eq. 6) with eq. 5,
/// viscosity = sqrt(2) tau_y / (u/h) + K (u/h)^(n-1) in rheometer values (sqrt(2/3) tau_Y = sqrt(2) tau_y).

/// Mean speed [m/s] at this wall stress [Pa]; 0 up to the yield stress.
double mean_speed(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                  double wall_stress);

/// Wall stress [Pa] at this mean speed [m/s], 0 at rest.
double wall_stress(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                   double speed);

/// How fast friction takes speed, 2 pi a tau_w / (rho A |u|) [1/s]. Infinite where there is no film, and at
/// rest where the force does not vanish with the speed as fast as the speed (yield stress, or flow index
/// below 1).
double friction_rate(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                     double speed);

/// Speed at the end of a step and the rate at which friction took it.
struct Slide {
    double speed = 0;  // u' [m/s]
    double rate = 0;  // k [1/s] with u' (1 + step k) = u + step drive; infinite where the film sticks, u' = 0
};

/// A step of u' = u + step (drive - 2 pi a tau_w(u') / (rho A)): friction at the end of the step, against the
/// speed, to 1e-6 of the law. It sticks if it can come to rest. `drive` [m/s^2] has all other forces per
/// mass.
Slide slide(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area, double speed,
            double drive, double step);

/// Four films side by side; a lane's bits do not depend on the others.
struct FilmPack {
    Pack radius, area;  // a [m], A [m^2]
    Pack yield_stress, consistency, flow_index;
};

struct SlidePack {
    Pack speed;        // u' [m/s], not negative
    Pack wall_stress;  // tau_w [Pa]; where the film sticks, what it can take
    Pack resistance;   // tau_w / u' [Pa s/m]; infinite where the film sticks
    Pack log_excess;   // log(tau_w - tau_y), to start the next search from
    Mask stuck;
};

/// u' + loss * tau_w(u') = aim for u' >= 0: `aim` [m/s], not negative, is the speed without friction, `loss`
/// [m^2 s/kg] what a stress on the wall takes of it, step * 2 pi a / (rho A) for a film by itself. With a
/// guess of log(tau_w - tau_y) near the root it is found sooner. Lanes without film stick, and so do those
/// slower than 1e-60 m/s unless they are Newtonian.
SlidePack slide(const FrictionOptions& options, const FilmPack& film, const Pack& aim, const Pack& loss,
                const Pack* guess = nullptr);

/// 4/(q^3) [(1/2)(1+q)^2 ln(1+q) - q/2 - 3/4 q^2] for q = (R^2 - a^2)/a^2 = A/(pi a^2), in which the flow of
/// a Newtonian film is u = tau_w a q factor / (4 mu): 2/3 where the film is thin, u = tau_w h / (3 mu).
/// Within some units of round-off for every q >= 0.
Pack annular_flow_factor(const Pack& q);
double annular_flow_factor(double q);

}  // namespace rivulet::film
