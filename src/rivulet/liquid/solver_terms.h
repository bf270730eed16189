#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/linear/deflation.h>
#include <rivulet/liquid/pressure_term.h>

namespace rivulet::liquid {

/// The extra terms of a pressure system as a solver sees them: by its own entries.
class SolverTerms {
 public:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// entry_of(cell of the grid): entry of the solver, kNone for cells without a pressure.
    template <class EntryOf>
    void gather(std::span<const PressureTerm* const> terms, EntryOf&& entry_of) {
        terms_.assign(terms.begin(), terms.end());
        entry_.clear();
        first_.assign(1, 0);
        for (const PressureTerm* term : terms_) {
            for (const std::size_t cell : term->cells()) entry_.push_back(entry_of(cell));
            first_.push_back(entry_.size());
        }
        in_.resize(entry_.size());
        out_.resize(entry_.size());
    }
    bool empty() const { return terms_.empty(); }

    /// y ← y + Σ T x.
    void add(std::span<const double> x, std::span<double> y) {
        for (std::size_t t = 0; t < terms_.size(); ++t) {
            const std::size_t begin = first_[t], n = first_[t + 1] - begin;
            for (std::size_t i = begin; i < begin + n; ++i) in_[i] = entry_[i] == kNone ? 0 : x[entry_[i]];
            const std::span<double> out(out_.data() + begin, n);
            terms_[t]->product(std::span<const double>(in_.data() + begin, n), out);
            for (std::size_t i = 0; i < n; ++i)
                if (entry_[begin + i] != kNone) y[entry_[begin + i]] += out[i];
        }
    }
    /// visit(entry) for the entries that terms with a level touch.
    template <class F>
    void for_levels(F&& visit) const {
        for (std::size_t t = 0; t < terms_.size(); ++t)
            for (std::size_t i = first_[t]; i < first_[t + 1] && terms_[t]->fixes_level(); ++i)
                if (entry_[i] != kNone) visit(entry_[i]);
    }
    /// visit(vector) for the terms' modes, each over all `entries`.
    template <class F>
    void for_modes(std::size_t entries, F&& visit) {
        for (std::size_t t = 0; t < terms_.size(); ++t)
            for (std::size_t m = 0; m < terms_[t]->modes(); ++m) {
                const std::size_t begin = first_[t], n = first_[t + 1] - begin;
                const std::span<double> out(out_.data() + begin, n);
                terms_[t]->mode(m, out);
                mode_.assign(entries, 0.0);
                for (std::size_t i = 0; i < n; ++i)
                    if (entry_[begin + i] != kNone) mode_[entry_[begin + i]] = out[i];
                visit(std::span<double>(mode_));
            }
    }

 private:
    std::vector<const PressureTerm*> terms_;
    std::vector<std::size_t> first_{0}, entry_;  // of each term's cells
    std::vector<double> in_, out_, mode_;
};

}  // namespace rivulet::liquid
