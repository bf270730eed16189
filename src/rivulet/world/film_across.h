#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/contact/state.h>
#include <rivulet/film/state.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// Liquid that living bridges lead from strand to strand (film/across.h), with its momentum. Holds scratch
/// memory only.
class FilmAcross {
 public:
    explicit FilmAcross(const Model& model) : model_(model) {}

    void run(film::FilmState& film, strand::StrandState& strands, const contact::ContactState& contacts,
             const StepView& view);

 private:
    void find_pairs(const contact::ContactState& contacts, const strand::StrandState& strands);
    void exchange(film::FilmState& film, strand::StrandState& strands, std::size_t first, std::size_t second,
                  double dt);
    void pass_on(film::FilmState& film, strand::StrandState& strands, std::size_t from, std::size_t to,
                 double volume);

    const Model& model_;
    std::vector<std::uint32_t> strand_of_;                        // per vertex
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // of vertices, the smaller first, sorted
};

}  // namespace rivulet::world
