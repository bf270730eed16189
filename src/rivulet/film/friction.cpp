#include <rivulet/film/friction.h>

#include <array>
#include <limits>
#include <numbers>

#include <rivulet/base/elementary.h>

namespace rivulet::film {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTiny = 1e-290;  // stands for 0 inside logarithms
constexpr double kRest = 1e-60;   // m/s: what is slower rests; squares of smaller numbers would underflow
constexpr int kIterations = 60;

struct GaussPoint {
    double at, weight;
};
// Gauss-Legendre on 0..1.
constexpr std::array<GaussPoint, 8> kGauss{{
    {0.01985507175123188416, 0.05061426814518812958},
    {0.10166676129318663020, 0.11119051722668723527},
    {0.23723379504183550709, 0.15685332293894364367},
    {0.40828267875217509753, 0.18134189168918099148},
    {0.59171732124782490247, 0.18134189168918099148},
    {0.76276620495816449291, 0.15685332293894364367},
    {0.89833323870681336980, 0.11119051722668723527},
    {0.98014492824876811584, 0.05061426814518812958},
}};

/// Herschel-Bulkley film on a fibre: mean speed and its slope by the wall stress.
///
/// With lengths in a and d = r/a - 1 the stress above yield is tau_w (d_y - d)(d + d_y + 2 + Y q)/(q (1 +
/// d)), Y = tau_y/tau_w, d_y where the liquid no longer yields: nothing cancels, however thin the film or
/// however near to rest it is. Points are spread between wall and d_y as their logarithms would be, by a
/// rational map.
struct AnnularFlow {
    Pack radius, q, yield, power, log_consistency;

    struct Value {
        Pack speed, slope;  // m/s, m/(s Pa)
    };
    Value operator()(const Pack& excess) const {
        const Pack stress = yield + excess, part = yield / stress;
        const Pack b = 2.0 + part * q, c = q * excess / stress;
        const Pack end = 2.0 * c / (b + sqrt(b * b + 4.0 * c));
        const Pack stretch = sqrt(1.0 + end), more = end / (stretch + 1.0);
        const Pack scale = power * (fast_log(stress / q) - log_consistency);
        const Pack far = end + b, held = part * q, pace = end * stretch;
        // NOTE: in three loops, so that logarithms and exponentials of several points are under way at once.
        std::array<Pack, kGauss.size()> rate, weigh, by_stress;
        for (std::size_t i = 0; i < kGauss.size(); ++i) {
            const auto [at, weight] = kGauss[i];
            // With the map's denominator m: m d, m r/a, m^2 and m^2 times stress above yield and stress.
            const Pack m = multiply_add(more, at, 1.0), d = end * (1 - at), round = m + d;
            const Pack rise = pace * at * multiply_add(far, m, d), both = m * round;
            const Pack all = multiply_add(held, both, rise);
            const Pack inverse = 1.0 / (rise * both), near = inverse * rise * round, square = near * near;
            rate[i] = rise * rise * inverse;
            weigh[i] = all * square * square * weight;
            by_stress[i] = all * both * inverse;
        }
        for (Pack& one : rate) one = multiply_add(power, fast_log(one), scale);
        Pack flow = 0.0, slope = 0.0;
        for (std::size_t i = 0; i < kGauss.size(); ++i) {
            const Pack some = fast_exp(rate[i]) * weigh[i];
            flow += some;
            slope = multiply_add(some, by_stress[i], slope);
        }
        const Pack front = radius * pace / q;
        return {front * flow, front * power * slope / stress};
    }
};

Pack safe_log(const Pack& x) {
    return fast_log(max(x, kTiny));
}

Pack thickness_of(const Pack& a, const Pack& area) {
    const Pack c = area * (1 / kPi);
    return c / (a + sqrt(a * a + c));
}

/// A start for the search: the thin film (VALIDATION, "Herschel-Bulkley film, thin") where the excess is far
/// below or far above yield; whichever is larger is at most a factor below.
Pack thin_film_guess(const AnnularFlow& flow, const Pack& thickness, const Pack& index, const Pack& log_aim) {
    const Pack reach = log_aim - fast_log(thickness) + flow.power * flow.log_consistency;
    const Pack low = (reach + safe_log(flow.yield) - fast_log(index / (index + 1.0))) / (flow.power + 1.0);
    const Pack high = (reach - fast_log(index / (2.0 * index + 1.0))) / flow.power;
    return max(low, high);
}

/// speed(e) + loss e = aim for the excess e = tau_w - tau_y of lanes that flow. Newton's method for log e on
/// the logarithm of the left side, whose slope lies between 1 and 1 + 1/n and hardly changes; kept between
/// bounds that close in.
SlidePack flow_annulus(const AnnularFlow& flow, const Pack& start, const Pack& aim, const Pack& loss) {
    const Pack log_aim = fast_log(aim), no_flow = log_aim - safe_log(loss);
    Pack low = -230.0, high = min(no_flow, 230.0), y = max(min(start, high), low);
    SlidePack out;
    Mask open = aim > Pack(0.0);
    for (int iteration = 0; iteration < kIterations && any(open); ++iteration) {
        const Pack excess = fast_exp(y);
        const auto [speed, slope] = flow(excess);
        const Pack lost = loss * excess, sum = speed + lost;
        const Pack residual = fast_log(sum) - log_aim;
        const Pack fall = residual * sum / multiply_add(slope, excess, lost);
        low = select(residual < Pack(0.0), y, low);
        high = select(residual > Pack(0.0), y, high);
        Pack next = y - fall;
        next = select(next > high, 0.5 * (y + high), next);
        next = select(next < low, 0.5 * (y + low), next);
        // One more step is exact to 1e-8: its exponentials are series. Speed and loss then add up to the aim.
        const Mask close = abs(residual) < Pack(1e-4);
        const Pack rises = 1.0 - slope * excess * fall / speed, kept = 1.0 - fall;
        const Pack scale = aim / (speed * rises + lost * kept);
        out.speed = select(open, speed * rises * scale, out.speed);
        out.wall_stress = select(open, multiply_add(excess * kept, scale, flow.yield), out.wall_stress);
        out.log_excess = select(open, next, out.log_excess);
        open = open & !close;
        y = next;
    }
    return out;
}

SlidePack slide_annular(const FilmPack& film, const Pack& aim, const Pack& loss, const Pack* guess) {
    const Pack zero = 0.0, one = 1.0;
    const Mask dry = !(film.area > zero);
    const Pack q = select(dry, one, film.area / (kPi * film.radius * film.radius));
    const Mask newtonian = (film.yield_stress == zero) & (film.flow_index == one);
    const Mask inviscid = !(film.consistency > zero);
    const Pack rest = aim - loss * film.yield_stress;
    const Mask simple = newtonian | inviscid, stuck = dry | !(newtonian | (rest > Pack(kRest)));
    const Mask search = !(simple | stuck);

    SlidePack out;
    out.stuck = stuck;
    if (any(search)) {
        AnnularFlow flow{film.radius, q, film.yield_stress, one / film.flow_index,
                         fast_log(select(inviscid, one, film.consistency))};
        const Pack target = select(search, rest, one), log_target = fast_log(target);
        const Pack start = guess
                               ? *guess
                               : thin_film_guess(flow, thickness_of(film.radius, select(dry, one, film.area)),
                                                 film.flow_index, log_target);
        out = flow_annulus(flow, start, target, loss);
        out.stuck = stuck;
    }
    const Pack resistance = 4.0 * film.consistency / (film.radius * q * annular_flow_factor(q));
    const Pack free_speed = select(newtonian, aim / (one + loss * resistance), max(rest, zero));
    out.speed = select(simple, free_speed, out.speed);
    out.wall_stress =
        select(simple, select(newtonian, resistance * free_speed, film.yield_stress), out.wall_stress);
    out.speed = select(stuck, zero, out.speed);
    out.wall_stress = select(stuck, select(dry, zero, film.yield_stress), out.wall_stress);
    out.resistance = select(stuck, kInfinity, select(newtonian, resistance, out.wall_stress / out.speed));
    return out;
}

/// Fei 2019 eq. 5 and 6 as a stress on the wall: tau_w = threshold + factor * u^n.
struct FlatLayer {
    Pack threshold, factor;
    FlatLayer(const FilmPack& film, double slip_length) {
        const Pack h = thickness_of(film.radius, film.area);
        // C u = 2 pi a tau_w.
        const Pack shape = (h + 2.0 * film.radius) * h / (2.0 * film.radius * (slip_length + h * (1.0 / 3)));
        threshold = shape * std::numbers::sqrt2 * film.yield_stress;
        factor = shape * film.consistency * fast_exp(-film.flow_index * safe_log(h));
    }
};

/// x + c x^n = aim. The logarithm of the left side is convex in log x: from where the larger term alone makes
/// the aim, Newton's method falls to the root.
Pack solve_power_sum(const Pack& c, const Pack& n, const Pack& aim, Mask open) {
    const Pack log_aim = fast_log(aim), log_c = safe_log(c);
    Pack y = min(log_aim, (log_aim - log_c) / n), x = fast_exp(y);
    for (int iteration = 0; iteration < kIterations && any(open); ++iteration) {
        const Pack here = fast_exp(y), power = fast_exp(multiply_add(n, y, log_c));
        const Pack sum = here + power, residual = fast_log(sum) - log_aim;
        const Pack fall = residual * sum / multiply_add(n, power, here);
        const Mask close = abs(residual) < Pack(1e-6);
        x = select(open, here * (1.0 - fall + 0.5 * fall * fall), x);
        open = open & !close;
        y -= fall;
    }
    return x;
}

SlidePack slide_flat(const FilmPack& film, double slip_length, const Pack& aim, const Pack& loss) {
    const Pack zero = 0.0, one = 1.0;
    const Mask dry = !(film.area > zero);
    FilmPack wet = film;
    wet.area = select(dry, one, film.area);
    const FlatLayer layer(wet, slip_length);
    const Pack rest = aim - loss * layer.threshold;
    const Mask linear = (film.yield_stress == zero) & (film.flow_index == one);
    SlidePack out;
    out.stuck = dry | !(linear | (rest > Pack(kRest)));
    const Pack target = select(rest > Pack(kRest), rest, one);
    const Pack bent = solve_power_sum(loss * layer.factor, film.flow_index, target, !(out.stuck | linear));
    out.speed = select(linear, aim / (one + loss * layer.factor), bent);
    const Pack power = select(linear, out.speed, fast_exp(film.flow_index * safe_log(out.speed)));
    out.speed = select(out.stuck, zero, out.speed);
    out.wall_stress = select(dry, zero, layer.threshold + select(out.stuck, zero, layer.factor * power));
    out.resistance = select(out.stuck, kInfinity, select(linear, layer.factor, out.wall_stress / out.speed));
    return out;
}

FilmPack film_pack(const FilmLiquid& liquid, double a, double area) {
    return {a, area, liquid.yield_stress, liquid.consistency, liquid.flow_index};
}

/// The rate where nothing moves: what friction_rate tends to.
double rate_at_rest(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area) {
    if (!(area > 0) || liquid.yield_stress > 0) return kInfinity;
    if (!(liquid.consistency > 0) || liquid.flow_index > 1) return 0;
    if (liquid.flow_index < 1) return kInfinity;
    return friction_rate(options, liquid, a, area, 1);
}

}  // namespace

Pack annular_flow_factor(const Pack& q) {
    // NOTE: the closed form loses 3/q^2 units of round-off; thin films take the series in y = q/(2 + q), in
    // which ln(1 + q) = 2 artanh y: factor = (1 - y)/2 sum of y^2j [1/(2j+3) + 1/(2j+1) + 2y/(2j+3)].
    const Pack y = min(q / (2.0 + q), 0.21), z = y * y;
    Pack even = 0.0, odd = 0.0;
    for (int j = 11; j >= 0; --j) {
        even = multiply_add(even, z, 1.0 / (2 * j + 3) + 1.0 / (2 * j + 1));
        odd = multiply_add(odd, z, 2.0 / (2 * j + 3));
    }
    const Pack series = 0.5 * (1.0 - y) * multiply_add(odd, y, even);
    const Pack wide = max(q, 0.5), s = 1.0 + wide;
    const Pack closed = (2.0 * s * s * fast_log(s) - wide * (2.0 + 3.0 * wide)) / (wide * wide * wide);
    return select(q < Pack(0.5), series, closed);
}

double annular_flow_factor(double q) {
    return annular_flow_factor(Pack(q))[0];
}

SlidePack slide(const FrictionOptions& options, const FilmPack& film, const Pack& aim, const Pack& loss,
                const Pack* guess) {
    return options.law == FrictionLaw::annular ? slide_annular(film, aim, loss, guess)
                                               : slide_flat(film, options.slip_length, aim, loss);
}

double mean_speed(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                  double stress) {
    if (!(area > 0)) return 0;
    const FilmPack film = film_pack(liquid, a, area);
    if (options.law == FrictionLaw::fei_2019) {
        const FlatLayer layer(film, options.slip_length);
        const double excess = stress - layer.threshold[0];
        return excess > 0 ? std::pow(excess / layer.factor[0], 1 / liquid.flow_index) : 0;
    }
    const double q = area / (kPi * a * a), excess = stress - liquid.yield_stress;
    if (!(excess > 0)) return 0;
    if (liquid.newtonian()) return stress * a * q * annular_flow_factor(q) / (4 * liquid.consistency);
    return AnnularFlow{a, q, liquid.yield_stress, 1 / liquid.flow_index, std::log(liquid.consistency)}(excess)
        .speed[0];
}

double wall_stress(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                   double speed) {
    // Without loss the search is for the stress alone.
    if (speed == 0) return 0;
    return slide(options, film_pack(liquid, a, area), std::abs(speed), 0.0).wall_stress[0];
}

double friction_rate(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area,
                     double speed) {
    if (!(area > 0) || speed == 0) return rate_at_rest(options, liquid, a, area);
    return 2 * kPi * a * wall_stress(options, liquid, a, area, speed) /
           (liquid.density * area * std::abs(speed));
}

Slide slide(const FrictionOptions& options, const FilmLiquid& liquid, double a, double area, double speed,
            double drive, double step) {
    const double aim = speed + step * drive;
    if (!(area > 0) || aim == 0) return {0, rate_at_rest(options, liquid, a, area)};
    const double per_stress = 2 * kPi * a / (liquid.density * area);
    const SlidePack out = slide(options, film_pack(liquid, a, area), std::abs(aim), step * per_stress);
    return {std::copysign(out.speed[0], aim), per_stress * out.resistance[0]};
}

}  // namespace rivulet::film
