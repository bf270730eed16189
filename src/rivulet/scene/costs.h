#pragma once

namespace rivulet::scene {

/// What a run costs, for estimates and for refusing what does not fit. Measured over the shipped scenes on
/// x86-64 with 2 cores: `rivulet run SCENE --set detail=0.5`, then `rivulet info`; memory of large ones by
/// `rivulet run scenes/liquid/drop_into_pool.toml --set detail=2 --frames 1`.

/// Memory of the bulk liquid, roll-back copy and grid included [B]: 551 with 107 000 particles, 443 with
/// 860 000.
inline constexpr double kBytesPerParticle = 550;
/// Of each cell of the grid beyond one to a particle, where liquid is scattered [B].
inline constexpr double kBytesPerCell = 350;
/// More for each cell, where a liquid is much thicker than water [B].
inline constexpr double kBytesPerThickCell = 600;
/// Of strands, scratch of their solve included [B].
inline constexpr double kBytesPerVertex = 1500;
/// Of contacts between strands and of bridges [B]: 735 of their cones, and what is detected and kept.
inline constexpr double kBytesPerContact = 1200;
/// Of the program itself [B].
inline constexpr double kBytesAtLeast = 4.5e7;

/// Core seconds for each particle, cell or vertex, and step.
inline constexpr double kSecondsPerParticleStep = 0.7e-6;
inline constexpr double kSecondsPerCellStep = 0.36e-6;
inline constexpr double kSecondsPerThickCellStep = 1e-6;  // more, where a liquid is much thicker than water
inline constexpr double kSecondsPerVertexStep = 0.95e-6;
/// For each step in which anything touches, more for each vertex, and for each contact or row of a bridge: 3
/// us of two strands, 4 to 20 us of many.
inline constexpr double kSecondsPerTouchingStep = 5e-5, kSecondsPerTouchingVertexStep = 2.5e-6,
                        kSecondsPerContactStep = 8e-6, kSecondsPerStrandOfContactStep = 1.5e-6;
/// For each step, whatever its size; more where there is liquid.
inline constexpr double kSecondsPerStep = 1e-4, kSecondsPerLiquidStep = 1.5e-3;
/// The part of the work that threads share.
inline constexpr double kSharedWork = 0.85;

/// Of a frame on disk, in single precision, not compressed [B].
inline constexpr double kFrameBytesPerParticle = 50;
inline constexpr double kFrameBytesPerVertex = 29;
/// Of a checkpoint, whose numbers are doubles [B].
inline constexpr double kCheckpointBytesPerParticle = 150;
inline constexpr double kCheckpointBytesPerVertex = 180;

}  // namespace rivulet::scene
