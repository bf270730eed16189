// Shaders for quantised points and strands: positions in [0, 1] of a box, one coded channel through a palette. What can
// be worked out at the vertices is: without a graphics card the pixels are what takes the time.
import * as THREE from 'three';

const channelChunk = /* glsl */ `
  attribute float code;
  uniform vec2 channel;   // low, high of the codes
  uniform vec2 shown;     // low, high of the palette
  uniform float exact, usePalette;
  uniform sampler2D palette;
  uniform vec3 plain;
  varying vec3 colour;
  vec3 colourOf(float part) {
    if (usePalette < 0.5) return plain;
    float value = mix(channel.x, channel.y, part);
    float shade = exact > 0.5 ? (part * 255.0 + 0.5) / 256.0
                              : clamp((value - shown.x) / max(shown.y - shown.x, 1e-30), 0.0, 1.0);
    return texture2D(palette, vec2(shade, 0.5)).rgb;
  }`;

/// Directions as packing.js codes them.
const directionChunk = /* glsl */ `
  vec3 direction(float extra) {
    float code = floor(extra * 65535.0 + 0.5);
    vec2 e = vec2(floor(code / 256.0) / 127.5, floor(mod(code, 256.0) / 2.0) / 63.5) - 1.0;
    vec3 d = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    if (d.z < 0.0) d.xy = (1.0 - abs(d.yx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.y < 0.0 ? -1.0 : 1.0);
    return normalize(d);
  }
  bool strandEnds(float extra) {
    return mod(floor(extra * 65535.0 + 0.5), 2.0) > 0.5;
  }`;

const lightChunk = /* glsl */ `
  const vec3 kLight = vec3(-0.398, 0.697, 0.597);`;

function uniforms(plain) {
  return {
    low: {value: new THREE.Vector3()}, extent: {value: new THREE.Vector3(1, 1, 1)},
    channel: {value: new THREE.Vector2(0, 1)}, shown: {value: new THREE.Vector2(0, 1)}, exact: {value: 0},
    palette: {value: null}, usePalette: {value: 0}, plain: {value: new THREE.Vector3(...plain)},
  };
}

/// Balls, or plain squares: the pixels of a square need not be looked at one by one.
export function pointMaterial(round = true) {
  return new THREE.ShaderMaterial({
    defines: round ? {ROUND: 1} : {},
    uniforms: {...uniforms([0.33, 0.6, 0.85]), size: {value: new THREE.Vector2(0.01, 0.01)}, perPixel: {value: 1},
               least: {value: 1.5}, grow: {value: 1}},
    vertexShader: /* glsl */ `
      attribute vec4 place;   // in the box, code of the radius
      uniform vec3 low, extent;
      uniform vec2 size;      // radius for code 0 and 1
      uniform float grow;
      uniform float perPixel; // pixels for one metre at distance one
      uniform float least;
      ${channelChunk}
      void main() {
        vec4 eye = modelViewMatrix * vec4(low + extent * place.xyz, 1.0);
        gl_Position = projectionMatrix * eye;
        float radius = grow * mix(size.x, size.y, place.w);
        gl_PointSize = clamp(2.0 * radius * perPixel / max(-eye.z, 1e-6), least, 256.0);
        colour = colourOf(code);
      }`,
    // The light falls off from a spot up and to the left of the middle, much as on a ball.
    fragmentShader: /* glsl */ `
      varying vec3 colour;
      void main() {
        #ifdef ROUND
          vec2 at = gl_PointCoord - 0.5, spot = gl_PointCoord - vec2(0.38, 0.3);
          if (dot(at, at) > 0.25) discard;
          gl_FragColor = vec4(colour * (1.0 - 0.9 * dot(spot, spot)), 1.0);
        #else
          gl_FragColor = vec4(colour * (1.0 - 0.3 * gl_PointCoord.y), 1.0);
        #endif
      }`,
  });
}

export function lineMaterial() {
  return new THREE.ShaderMaterial({
    uniforms: uniforms([0.78, 0.66, 0.5]),
    vertexShader: /* glsl */ `
      attribute vec4 place;   // in the box, direction
      uniform vec3 low, extent;
      ${channelChunk}
      ${directionChunk}
      ${lightChunk}
      void main() {
        vec4 eye = modelViewMatrix * vec4(low + extent * place.xyz, 1.0);
        gl_Position = projectionMatrix * eye;
        float across = dot(mat3(modelViewMatrix) * direction(place.w), kLight);
        colour = colourOf(code) * (0.5 + 0.5 * sqrt(max(1.0 - across * across, 0.0)));
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 colour;
      void main() {
        gl_FragColor = vec4(colour, 1.0);
      }`,
  });
}

export function tubeMaterial() {
  return new THREE.ShaderMaterial({
    side: THREE.DoubleSide,
    uniforms: {...uniforms([0.78, 0.66, 0.5]), size: {value: new THREE.Vector2()}, perPixel: {value: 1}, least: {value: 1.5}},
    vertexShader: /* glsl */ `
      attribute vec2 corner;  // 0 or 1 along, -1 or 1 across
      attribute vec4 place, nextPlace;  // in the box, direction
      attribute float nextCode, radiusHere, radiusNext;
      uniform vec3 low, extent;
      uniform vec2 size;      // radius for code 0 and 1
      uniform float perPixel, least;
      varying vec3 side, facing;
      varying float across;
      ${channelChunk}
      ${directionChunk}
      void main() {
        float end = corner.x;
        vec4 eye = modelViewMatrix * vec4(low + extent * mix(place.xyz, nextPlace.xyz, end), 1.0);
        vec3 along = mat3(modelViewMatrix) * direction(end > 0.5 ? nextPlace.w : place.w);
        facing = normalize(-eye.xyz);
        side = normalize(cross(along, facing) + vec3(1e-6));
        float thinnest = 0.5 * least * max(-eye.z, 1e-6) / perPixel;
        float radius = max(mix(size.x, size.y, mix(radiusHere, radiusNext, end)), thinnest);
        across = corner.y;
        eye.xyz += side * radius * across;
        gl_Position = strandEnds(place.w) ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * eye;
        colour = colourOf(mix(code, nextCode, end));
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 side, facing;
      varying float across;
      varying vec3 colour;
      ${lightChunk}
      void main() {
        vec3 normal = normalize(side * across + facing * sqrt(max(1.0 - across * across, 0.0)));
        float light = 0.45 + 0.55 * max(dot(normal, kLight), 0.0);
        gl_FragColor = vec4(colour * light, 1.0);
      }`,
  });
}

/// Obstacles: lit at their vertices by a sky, a ground and a sun.
export function obstacleMaterial() {
  return new THREE.ShaderMaterial({
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    uniforms: {colour: {value: new THREE.Color()}, opacity: {value: 1}, turned: {value: 1}},
    vertexShader: /* glsl */ `
      uniform vec3 colour;
      uniform float turned;   // -1 when the inner side is seen
      varying vec3 lit;
      void main() {
        vec4 eye = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * eye;
        vec3 facing = turned * normalMatrix * normal;
        vec3 up = normalize((viewMatrix * vec4(mat3(modelMatrix) * normal * turned, 0.0)).xyz);
        if (turned > 0.0 && dot(facing, eye.xyz) > 0.0) up = -up;
        vec3 sun = normalize((viewMatrix * vec4(-0.5, 1.0, 0.7, 0.0)).xyz), sky = (viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz;
        vec3 light = mix(vec3(0.21, 0.19, 0.17), vec3(0.52, 0.55, 0.58), 0.5 + 0.5 * dot(up, sky)) + 0.5 * max(dot(up, sun), 0.0);
        lit = pow(min(colour * light, 1.0), vec3(1.0 / 2.2));
      }`,
    fragmentShader: /* glsl */ `
      uniform float opacity;
      varying vec3 lit;
      void main() {
        gl_FragColor = vec4(lit, opacity);
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
