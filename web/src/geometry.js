// Decoded meshes to three's geometry.
import * as THREE from 'three';

export function metres(group) {
  const out = new Float32Array(group.codes.length);
  for (let a = 0; a < 3; a++) {
    const low = group.low[a], step = (group.high[a] - low) / 65535;
    for (let i = a; i < out.length; i += 3) out[i] = low + step * group.codes[i];
  }
  return out;
}

export function meshGeometry(group) {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.BufferAttribute(metres(group), 3));
  g.setIndex(new THREE.BufferAttribute(group.triangle, 1));
  g.computeVertexNormals();
  return g;
}

/// Vertex colours from a channel through a palette, in three's linear space.
export function vertexColours(channel, range, palette) {
  const out = new Float32Array(3 * channel.codes.length);
  const linear = new Float32Array(256);
  for (let i = 0; i < 256; i++) linear[i] = (i / 255) ** 2.2;
  const step = (channel.high - channel.low) / 255, width = range.high - range.low || 1;
  for (let i = 0; i < channel.codes.length; i++) {
    const code = channel.codes[i];
    const t = channel.exact ? code / 255 : (channel.low + step * code - range.low) / width;
    const k = 4 * Math.round(255 * Math.min(1, Math.max(0, t)));
    for (let c = 0; c < 3; c++) out[3 * i + c] = linear[palette.data[k + c]];
  }
  return out;
}
