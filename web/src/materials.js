// Shaders for quantised points and strands: positions in [0, 1] of a box, one coded channel through a palette.
import * as THREE from 'three';

const channelChunk = /* glsl */ `
  attribute float code;
  uniform vec2 channel;   // low, high of the codes
  uniform vec2 shown;     // low, high of the palette
  uniform float exact;
  varying float shade;
  float paletteCoordinate() {
    float value = mix(channel.x, channel.y, code);
    return exact > 0.5 ? (code * 255.0 + 0.5) / 256.0
                       : clamp((value - shown.x) / max(shown.y - shown.x, 1e-30), 0.0, 1.0);
  }`;

const colourChunk = /* glsl */ `
  uniform sampler2D palette;
  uniform vec3 plain;
  uniform float usePalette;
  varying float shade;
  vec3 baseColour() {
    return usePalette > 0.5 ? texture2D(palette, vec2(shade, 0.5)).rgb : plain;
  }`;

function uniforms(plain) {
  return {
    low: {value: new THREE.Vector3()}, extent: {value: new THREE.Vector3(1, 1, 1)},
    channel: {value: new THREE.Vector2(0, 1)}, shown: {value: new THREE.Vector2(0, 1)}, exact: {value: 0},
    palette: {value: null}, usePalette: {value: 0}, plain: {value: new THREE.Vector3(...plain)},
  };
}

export function pointMaterial() {
  return new THREE.ShaderMaterial({
    uniforms: {...uniforms([0.33, 0.6, 0.85]), size: {value: new THREE.Vector2(0.01, 0.01)}, perPixel: {value: 1},
               least: {value: 1.5}},
    vertexShader: /* glsl */ `
      attribute float sizeCode;
      uniform vec3 low, extent;
      uniform vec2 size;      // radius for code 0 and 1
      uniform float perPixel; // pixels for one metre at distance one
      uniform float least;
      ${channelChunk}
      void main() {
        vec4 eye = modelViewMatrix * vec4(low + extent * position, 1.0);
        gl_Position = projectionMatrix * eye;
        float radius = mix(size.x, size.y, sizeCode);
        gl_PointSize = clamp(2.0 * radius * perPixel / max(-eye.z, 1e-6), least, 256.0);
        shade = paletteCoordinate();
      }`,
    fragmentShader: /* glsl */ `
      ${colourChunk}
      void main() {
        vec2 at = 2.0 * gl_PointCoord - 1.0;
        float r = dot(at, at);
        if (r > 1.0) discard;
        vec3 normal = vec3(at.x, -at.y, sqrt(1.0 - r));
        float light = 0.55 + 0.45 * max(dot(normal, normalize(vec3(-0.4, 0.7, 0.6))), 0.0);
        gl_FragColor = vec4(baseColour() * light, 1.0);
      }`,
  });
}

export function lineMaterial() {
  return new THREE.ShaderMaterial({
    uniforms: uniforms([0.78, 0.66, 0.5]),
    vertexShader: /* glsl */ `
      attribute vec3 tangent;
      uniform vec3 low, extent;
      varying float light;
      ${channelChunk}
      void main() {
        vec4 eye = modelViewMatrix * vec4(low + extent * position, 1.0);
        gl_Position = projectionMatrix * eye;
        vec3 along = normalize(mat3(modelViewMatrix) * tangent + vec3(1e-6));
        float across = dot(along, normalize(vec3(-0.4, 0.7, 0.6)));
        light = 0.5 + 0.5 * sqrt(max(1.0 - across * across, 0.0));
        shade = paletteCoordinate();
      }`,
    fragmentShader: /* glsl */ `
      varying float light;
      ${colourChunk}
      void main() {
        gl_FragColor = vec4(baseColour() * light, 1.0);
      }`,
  });
}

/// Matrix from codes in [0, 1] to metres, as uniforms.
export function setBox(material, group) {
  const {low, extent} = material.uniforms;
  low.value.fromArray(group.low);
  extent.value.fromArray(group.high).sub(low.value);
}

export function setChannel(material, channel, range, palette) {
  const u = material.uniforms;
  u.usePalette.value = channel ? 1 : 0;
  if (!channel) return;
  u.channel.value.set(channel.low, channel.high);
  u.shown.value.set(range.low, range.high);
  u.exact.value = channel.exact ? 1 : 0;
  u.palette.value = palette.texture;
}
