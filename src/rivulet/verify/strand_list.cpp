#include <iterator>

#include <rivulet/verify/case.h>
#include <rivulet/verify/strand_rig.h>

namespace rivulet::verify {

std::vector<Case> strand_cases() {
    std::vector<Case> all = strand_static_cases();
    for (auto more : {strand_buckling_cases(), strand_motion_cases()})
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return all;
}

}  // namespace rivulet::verify
