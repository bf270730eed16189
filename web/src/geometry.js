// Decoded groups to three's geometry.
import * as THREE from 'three';

const normalised = (array, size) => new THREE.BufferAttribute(array, size, true);
const zeros = (n) => new Uint8Array(n);

export function metres(group) {
  const out = new Float32Array(group.codes.length);
  for (let a = 0; a < 3; a++) {
    const low = group.low[a], step = (group.high[a] - low) / 65535;
    for (let i = a; i < out.length; i += 3) out[i] = low + step * group.codes[i];
  }
  return out;
}

export function pointGeometry(group, channel) {
  const g = new THREE.BufferGeometry();
  const radius = group.channels.find((c) => c.name === 'radius');
  g.setAttribute('position', normalised(group.codes, 3));
  g.setAttribute('code', normalised(channel?.codes ?? zeros(group.count), 1));
  g.setAttribute('sizeCode', normalised(radius?.codes ?? zeros(group.count), 1));
  return g;
}

/// Directions along the lines, as signed bytes.
function tangents(group) {
  const p = metres(group), out = new Int8Array(p.length);
  for (let s = 0; s + 1 < group.start.length; s++) {
    const begin = group.start[s], end = group.start[s + 1];
    for (let i = begin; i < end; i++) {
      const a = 3 * Math.max(begin, i - 1), b = 3 * Math.min(end - 1, i + 1);
      const x = p[b] - p[a], y = p[b + 1] - p[a + 1], z = p[b + 2] - p[a + 2];
      const scale = 127 / (Math.hypot(x, y, z) || 1);
      out[3 * i] = x * scale;
      out[3 * i + 1] = y * scale;
      out[3 * i + 2] = z * scale;
    }
  }
  return out;
}

export function lineGeometry(group, channel) {
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', normalised(group.codes, 3));
  g.setAttribute('code', normalised(channel?.codes ?? zeros(group.count), 1));
  g.setAttribute('tangent', normalised(tangents(group), 3));
  const index = new Uint32Array(2 * Math.max(0, group.count - group.lines));
  let k = 0;
  for (let s = 0; s + 1 < group.start.length; s++)
    for (let i = group.start[s]; i + 1 < group.start[s + 1]; i++) {
      index[k++] = i;
      index[k++] = i + 1;
    }
  g.setIndex(new THREE.BufferAttribute(index.subarray(0, k), 1));
  return g;
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
