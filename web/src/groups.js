// What the groups of a frame are, by their shape, materials and channels: names mean nothing.

/// The surface of liquid, and liquid in bulk.
export const isSurface = (g) => g.kind === 'mesh' && g.materials === 'liquid';
export const isBulk = (g) => g.kind === 'points' && g.materials === 'liquid';
export const hasChannel = (g, name) => g.channels.some((c) => c.name === name);
/// It can have a surface: liquid in bulk, or as a film on lines.
export const isWet = (g) => isBulk(g) || (g.kind === 'lines' && hasChannel(g, 'film_area'));

/// What a list of layers calls it.
export const titleOf = (g) => isBulk(g) ? 'Particles' : g.name.charAt(0).toUpperCase() + g.name.slice(1).replaceAll('_', ' ');

/// Place in the list of layers: liquid, lines, what soaks, other meshes, other points.
export const rank = (g) => isSurface(g) ? 0 : isBulk(g) ? 1 : g.kind === 'lines' ? 2 : g.kind === 'points' ? 5
  : hasChannel(g, 'saturation') ? 3 : 4;

/// Channels that colour it at first, the best of those that vary.
export const favourites = (g) => isSurface(g) ? ['material'] : g.kind === 'points' ? ['speed']
  : g.kind === 'lines' ? ['film_area', 'speed'] : hasChannel(g, 'saturation') ? ['saturation', 'speed'] : [];
