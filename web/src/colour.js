import * as THREE from 'three';

// Anchors of the palettes, dark to bright; sequential ones rise evenly in lightness.
const anchors = {
  sea: ['#16365c', '#1d5a8a', '#2384a8', '#3fb0b5', '#86d4b4', '#dcf2c0'],
  heat: ['#2b1a4d', '#6a1f6e', '#ab3262', '#e0594a', '#f6974b', '#fbe08a'],
  wet: ['#c9b28c', '#9cb09c', '#5fa3b4', '#2f86c4', '#2460b8', '#1d3a8f'],
  split: ['#3f7fd0', '#7fb2e0', '#c9d6de', '#e6e3de', '#e8c9ae', '#e0904f', '#c9552a'],
};
export const categories = ['#4ea1e0', '#e3a547', '#63b873', '#d4638a', '#9a7fd6', '#5bbfc2', '#c8c46a', '#d77b4e'];

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function ramp(colours) {
  const data = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const x = (i / 255) * (colours.length - 1), k = Math.min(Math.floor(x), colours.length - 2), f = x - k;
    const a = rgb(colours[k]), b = rgb(colours[k + 1]);
    for (let c = 0; c < 3; c++) data[4 * i + c] = Math.round(a[c] + (b[c] - a[c]) * f);
    data[4 * i + 3] = 255;
  }
  return data;
}

function texture(data) {
  const t = new THREE.DataTexture(data, 256, 1);
  t.colorSpace = THREE.NoColorSpace;
  t.magFilter = t.minFilter = THREE.NearestFilter;
  t.needsUpdate = true;
  return t;
}

const made = new Map();
export function palette(name) {
  if (!made.has(name)) {
    const data = ramp(anchors[name]);
    made.set(name, {name, data, texture: texture(data)});
  }
  return made.get(name);
}

/// One colour per small integer, e.g. per liquid; linear colours of the scene where they are known.
export function categoryPalette(colours) {
  const name = `category ${JSON.stringify(colours)}`;
  if (made.has(name)) return made.get(name);
  const data = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const known = colours[i] && colours[i].every((c) => c !== null);
    const c = known ? colours[i].map((v) => Math.round(255 * Math.min(1, Math.max(0, v)) ** (1 / 2.2)))
                    : rgb(categories[i % categories.length]);
    data.set([...c, 255], 4 * i);
  }
  made.set(name, {name, data, texture: texture(data)});
  return made.get(name);
}

export function cssGradient(p) {
  const stops = [];
  for (let i = 0; i <= 16; i++) {
    const k = 4 * Math.round((i / 16) * 255);
    stops.push(`rgb(${p.data[k]},${p.data[k + 1]},${p.data[k + 2]})`);
  }
  return `linear-gradient(90deg,${stops.join(',')})`;
}

/// 0.00123 -> "1.2e-3", 12.34 -> "12.3".
export function shortNumber(v) {
  if (v === 0 || !Number.isFinite(v)) return v === 0 ? '0' : '–';
  const a = Math.abs(v);
  if (a >= 1e5 || a < 1e-3) return v.toExponential(1).replace('e+', 'e');
  return String(Number(v.toPrecision(3)));
}
