#include <iterator>

#include <rivulet/verify/case.h>

namespace rivulet::verify {

std::vector<Case> contact_bridge_cases();
std::vector<Case> contact_bundles_cases();
std::vector<Case> contact_capstan_cases();
std::vector<Case> contact_cohesion_cases();
std::vector<Case> contact_cone_cases();
std::vector<Case> contact_cream_cases();
std::vector<Case> contact_crossing_cases();
std::vector<Case> contact_energy_cases();
std::vector<Case> contact_friction_cases();
std::vector<Case> contact_peel_cases();
std::vector<Case> contact_rod_cases();

std::vector<Case> contact_cases() {
    std::vector<Case> all;
    for (auto more :
         {contact_cone_cases(), contact_friction_cases(), contact_capstan_cases(), contact_crossing_cases(),
          contact_energy_cases(), contact_rod_cases(), contact_bridge_cases(), contact_cohesion_cases(),
          contact_cream_cases(), contact_bundles_cases(), contact_peel_cases()})
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return all;
}

}  // namespace rivulet::verify
