// Points and strand vertices as the graphics card takes them: four 16-bit numbers each, made once per frame.

/// x, y, z in the group's box and the code of the radius.
export function packPoints(codes, radius) {
  const n = codes.length / 3, out = new Uint16Array(4 * n);
  for (let i = 0; i < n; i++) {
    out[4 * i] = codes[3 * i];
    out[4 * i + 1] = codes[3 * i + 1];
    out[4 * i + 2] = codes[3 * i + 2];
    out[4 * i + 3] = radius ? 257 * radius[i] : 0;
  }
  return out;
}

/// A direction on an octahedron unfolded to a square: 8 bits for one side, 7 for the other; the lowest bit says that
/// the strand ends here.
function directionCode(x, y, z, last) {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
  let u = x / sum, v = y / sum;
  if (z < 0) {
    const folded = (1 - Math.abs(v)) * (u < 0 ? -1 : 1);
    v = (1 - Math.abs(u)) * (v < 0 ? -1 : 1);
    u = folded;
  }
  return (Math.round(127.5 * (u + 1)) << 8) | (Math.round(63.5 * (v + 1)) << 1) | (last ? 1 : 0);
}

/// x, y, z in the group's box and the direction of the strand there.
export function packLines(codes, start, low, high) {
  const out = new Uint16Array(4 * (codes.length / 3));
  const sx = high[0] - low[0], sy = high[1] - low[1], sz = high[2] - low[2];
  for (let s = 0; s + 1 < start.length; s++) {
    const begin = start[s], end = start[s + 1];
    for (let i = begin; i < end; i++) {
      const a = 3 * (i > begin ? i - 1 : i), b = 3 * (i + 1 < end ? i + 1 : i);
      out[4 * i] = codes[3 * i];
      out[4 * i + 1] = codes[3 * i + 1];
      out[4 * i + 2] = codes[3 * i + 2];
      out[4 * i + 3] = directionCode((codes[b] - codes[a]) * sx, (codes[b + 1] - codes[a + 1]) * sy,
                                     (codes[b + 2] - codes[a + 2]) * sz, i + 1 === end);
    }
  }
  return out;
}
