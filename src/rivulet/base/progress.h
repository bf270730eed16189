#pragma once

#include <functional>

namespace rivulet {

/// Told now and then how far a long piece of work has come; done in [0, total].
using Progress = std::function<void(double done, double total)>;

}  // namespace rivulet
