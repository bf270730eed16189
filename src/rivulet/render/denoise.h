#pragma once

#include <vector>

#include <rivulet/render/image.h>

namespace rivulet::render {

/// A noisy picture with what the filter needs to tell noise from edges.
struct NoisyPicture {
    Image colour;
    Image albedo, normal;         // of the first scattering surface, averaged over the pixel
    std::vector<float> variance;  // of the luminance of `colour`, per pixel
};

/// Edge-stopping à-trous wavelet filter (Dammertz et al. 2010) that smooths no further than the noise of a
/// pixel explains; lighting is filtered apart from albedo.
Image denoise(const NoisyPicture& noisy);

}  // namespace rivulet::render
