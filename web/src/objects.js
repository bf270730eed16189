// What stands for a group of the frame on the stage. An object is made once and takes the following frames in: its
// buffers grow when they must, its shader stays.
import * as THREE from 'three';
import {meshGeometry, vertexColours} from './geometry.js';
import {isSurface} from './groups.js';
import {lineMaterial, pointMaterial, setBox, setChannel, tubeMaterial} from './materials.js';

// However slow the machine: fewer would save next to nothing, since the page itself takes its time.
const kFewestPoints = 4000, kFewestStrands = 200;
const thinned = (part, all, fewest) => Math.min(all, Math.max(Math.ceil(part * all), fewest));

// Of meshes by what they are made of, where the run does not say.
const plainMesh = {liquid: 0x4f9bd0, fabric: 0xc9b79a, body: 0xb8826a};

/// A buffer that takes arrays of changing length; `renew(capacity)` is called when it has to be a larger one. Only as much
/// as is drawn goes to the graphics card: a picture that moves is thinned, the rest follows for the one at rest.
class Buffer {
  constructor(type, perItem, renew) {
    this.type = type;
    this.perItem = perItem;
    this.renew = renew;
    this.items = -1;
    this.values = null;
    this.sent = 0;
  }

  /// One item more than there are is always there: the end of a tube reads it.
  set(values) {
    if (values === this.values) return;
    const needed = values.length / this.perItem + 1;
    if (needed > this.items) {
      this.items = Math.ceil(1.2 * needed);
      this.store = this.renew(new this.type(this.items * this.perItem));
      this.store.setUsage(THREE.DynamicDrawUsage);
    }
    this.values = values;
    this.sent = 0;
    this.store.clearUpdateRanges();
  }

  /// Sends the first `items` of the values that are not there yet.
  send(items) {
    const end = Math.min(items * this.perItem, this.values.length);
    if (end <= this.sent) return;
    this.store.array.set(this.values.subarray(this.sent, end), this.sent);
    this.store.addUpdateRange(this.sent, end - this.sent);
    this.store.needsUpdate = true;
    this.sent = end;
  }
}

const view = (store, size, offset) => new THREE.InterleavedBufferAttribute(store, size, offset, true);

class Cloud {
  constructor(object) {
    this.object = object;
    this.object.frustumCulled = false;
    const geometry = object.geometry;
    this.places = new Buffer(Uint16Array, 4, (array) => {
      geometry.dispose();
      return this.bindPlaces(geometry, array);
    });
    this.codes = new Buffer(Uint8Array, 1, (array) => {
      geometry.dispose();
      return this.bindCodes(geometry, array);
    });
  }

  bindPlaces(geometry, array) {
    const store = new THREE.InterleavedBuffer(array, 4);
    geometry.setAttribute('place', view(store, 4, 0));
    geometry.setAttribute('position', geometry.getAttribute('place'));  // by which three counts
    return store;
  }

  bindCodes(geometry, array) {
    const store = new THREE.BufferAttribute(array, 1, true);
    geometry.setAttribute('code', store);
    return store;
  }

  show(group, {channel, range, palette, plain}) {
    this.places.set(group.packed);
    if (channel) this.codes.set(channel.codes);
    else if (this.codes.items < group.count) this.codes.set(new Uint8Array(group.count));
    this.group = group;
    setBox(this.object.material, group);
    setChannel(this.object.material, channel, range, palette);
    if (plain) this.object.material.uniforms.plain.value.set(...plain.map((c) => Math.min(1, Math.max(0, c)) ** (1 / 2.2)));
    return this;
  }

  send(vertices) {
    this.places.send(vertices);
    this.codes.send(vertices);
  }
}

export class Particles extends Cloud {
  constructor() {
    super(new THREE.Points(new THREE.BufferGeometry(), pointMaterial()));
    this.round = this.object.material;
    this.square = pointMaterial(false);
    this.square.uniforms = this.round.uniforms;
  }

  show(group, look) {
    super.show(group, look);
    const radius = group.channels.find((c) => c.name === 'radius');
    const fallback = Math.hypot(...group.high.map((h, a) => h - group.low[a])) / 200 || 0.01;
    // Fewer particles than there are stand for the rest: drawn larger, so that the liquid stays closed.
    const grow = Math.cbrt(group.total / Math.max(group.count, 1));
    this.object.material.uniforms.size.value.set((radius?.low ?? fallback) * grow, (radius?.high ?? fallback) * grow);
    return this;
  }

  /// Those at the surface of the liquid come first and hide the others, so they are what is thinned.
  thin(part, rough) {
    this.object.material = rough ? this.square : this.round;
    const count = thinned(part, this.group.count, kFewestPoints), outer = this.group.outer ?? this.group.count;
    this.send(count);
    this.object.geometry.setDrawRange(0, count);
    this.object.material.uniforms.grow.value = Math.min(2, Math.sqrt(Math.max(1, outer / Math.max(count, 1))));
  }
}

export class Lines extends Cloud {
  constructor() {
    super(new THREE.LineSegments(new THREE.BufferGeometry(), lineMaterial()));
  }

  show(group, look) {
    const before = this.group?.start;
    super.show(group, look);
    if (before && before.length === group.start.length && before.every((v, i) => v === group.start[i])) return this;
    const index = new Uint32Array(2 * Math.max(0, group.count - group.lines));
    let k = 0;
    for (let s = 0; s + 1 < group.start.length; s++)
      for (let i = group.start[s]; i + 1 < group.start[s + 1]; i++) {
        index[k++] = i;
        index[k++] = i + 1;
      }
    this.object.geometry.dispose();
    this.object.geometry.setIndex(new THREE.BufferAttribute(index.subarray(0, k), 1));
    return this;
  }

  thin(part) {
    const lines = thinned(part, this.group.lines, kFewestStrands), vertices = this.group.start[lines];
    this.send(vertices);
    this.object.geometry.setDrawRange(0, 2 * (vertices - lines));
  }
}

/// Ribbons that face the camera, shaded as cylinders: one instance for each vertex and the one after it.
export class Tubes extends Cloud {
  constructor() {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute('corner', new THREE.BufferAttribute(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    super(new THREE.Mesh(geometry, tubeMaterial()));
    this.radii = new Buffer(Uint8Array, 1, (array) => {
      geometry.dispose();
      return this.bindPair(array, 'radiusHere', 'radiusNext');
    });
  }

  bindPlaces(geometry, array) {
    const store = new THREE.InstancedInterleavedBuffer(array, 4);
    geometry.setAttribute('place', view(store, 4, 0));
    geometry.setAttribute('nextPlace', view(store, 4, 4));
    return store;
  }

  bindCodes(geometry, array) {
    return this.bindPair(array, 'code', 'nextCode');
  }

  bindPair(array, here, next) {
    const store = new THREE.InstancedInterleavedBuffer(array, 1);
    this.object.geometry.setAttribute(here, view(store, 1, 0));
    this.object.geometry.setAttribute(next, view(store, 1, 1));
    return store;
  }

  show(group, look) {
    const fresh = this.group !== group;
    super.show(group, look);
    const radius = group.channels.find((c) => c.name === 'radius');
    this.object.material.uniforms.size.value.set(radius?.low ?? 0, radius?.high ?? 0);
    if (fresh) this.radii.set(radius?.codes ?? new Uint8Array(group.count));
    return this;
  }

  send(vertices) {
    super.send(vertices);
    this.radii.send(vertices);
  }

  thin(part) {
    const vertices = this.group.start[thinned(part, this.group.lines, kFewestStrands)];
    this.send(vertices);
    this.object.geometry.instanceCount = Math.max(0, vertices - 1);
  }
}

/// Triangles, and the segments of yarn. Its geometry is made anew for each frame.
export class Surface {
  constructor(group) {
    this.plain = plainMesh[group.materials] ?? 0xaab2ba;
    this.water = isSurface(group);
    this.object = new THREE.Group();
    this.faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshPhongMaterial({
      side: THREE.DoubleSide, shininess: this.water ? 90 : 12, specular: this.water ? 0x9fb4c4 : 0x222222}));
    this.wires = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial());
    this.object.add(this.faces, this.wires);
  }

  show(group, {channel, range, palette, plain}) {
    this.faces.geometry.dispose();
    this.wires.geometry.dispose();
    const geometry = (this.faces.geometry = meshGeometry(group)), wires = (this.wires.geometry = new THREE.BufferGeometry());
    wires.setAttribute('position', geometry.getAttribute('position'));
    if (channel) {
      geometry.setAttribute('color', new THREE.BufferAttribute(vertexColours(channel, range, palette), 3));
      wires.setAttribute('color', geometry.getAttribute('color'));
    }
    if (group.segments) wires.setIndex(new THREE.BufferAttribute(group.segment, 1));
    this.faces.visible = group.triangles > 0;
    this.wires.visible = group.segments > 0;
    for (const {material} of [this.faces, this.wires]) {
      if (material.vertexColors !== Boolean(channel)) material.needsUpdate = true;
      material.vertexColors = Boolean(channel);
      if (plain && !channel) material.color.setRGB(...plain);
      else material.color.set(channel ? 0xffffff : this.plain);
    }
    this.faces.material.transparent = this.water && !channel;
    this.faces.material.opacity = this.faces.material.transparent ? 0.82 : 1;
    return this;
  }

  thin() {}
}
