// The 3-D view: camera, lights, ground grid, and one object per group of the frame that is shown.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {paletteFor} from './layers.js';
import {shortNumber} from './colour.js';
import {meshGeometry} from './geometry.js';
import {obstacleMaterial} from './materials.js';
import {Lines, Particles, Surface, Tubes} from './objects.js';

const kFov = 40;  // degrees, vertical

/// True when no graphics card stands behind WebGL: then edges are not smoothed, and moving pictures are coarser.
function drawnBySoftware() {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  const told = gl?.getExtension('WEBGL_debug_renderer_info');
  return Boolean(told) && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(gl.getParameter(told.UNMASKED_RENDERER_WEBGL));
}

export class Stage {
  constructor(canvas, layers) {
    this.canvas = canvas;
    this.layers = layers;
    const software = drawnBySoftware();
    // three itself would ask for a translucent picture, under which the browser draws the page as well.
    const context = canvas.getContext('webgl2', {alpha: false, antialias: !software, powerPreference: 'high-performance'});
    this.renderer = new THREE.WebGLRenderer({canvas, context});
    this.renderer.debug.checkShaderErrors = false;
    // Pixels per CSS pixel of a picture at rest and of one that moves.
    this.sharp = Math.min(devicePixelRatio, 2);
    this.swift = software ? 0.5 * this.sharp : this.sharp;
    this.renderer.setPixelRatio(this.sharp);
    this.renderer.setClearColor(0x1b1d20);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(kFov, 1, 0.01, 100);
    this.makeControls();
    this.addLights();
    this.content = new THREE.Group();
    this.obstacles = new THREE.Group();
    this.highlight = new THREE.Group();
    this.scene.add(this.content, this.obstacles, this.highlight);
    this.obstacleMeshes = new Map();
    this.dirty = true;
    this.fitted = false;
    this.touched = false;  // the camera, by hand
    this.frame = null;
    this.part = software ? 0.08 : 1;  // of points and strands drawn while the picture changes
    this.objects = new Map();         // "group kind" -> what stands for it
    this.drawnAt = 0;    // ms, last picture
    this.complete = true;
    this.tickedAt = 0;   // ms, last look
    this.wasMoving = false;
    this.pace = 30;      // ms from picture to picture, averaged
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  makeControls() {
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.controls.addEventListener('start', () => {
      this.touched = true;
      this.moved?.();
    });
  }

  addLights() {
    this.scene.add(new THREE.HemisphereLight(0xdfe8f2, 0x4a443c, 1.9));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(-0.5, 1, 0.7);
    this.scene.add(sun);
  }

  resize() {
    const {clientWidth: w, clientHeight: h} = this.canvas.parentElement;
    if (!w || !h) return;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
    this.render();
  }

  setObstacles({meshes}) {
    for (const mesh of meshes) {
      const group = new THREE.Group();
      group.name = mesh.name;
      group.userData = mesh;
      this.fillObstacle(group, mesh);
      this.obstacleMeshes.set(mesh.name, group);
      this.obstacles.add(group);
    }
    this.dirty = true;
  }

  fillObstacle(group, mesh) {
    for (const child of group.children) child.geometry.dispose();
    group.clear();
    let geometry = meshGeometry(mesh);
    if (mesh.triangles < 500) {
      geometry = geometry.toNonIndexed();
      geometry.computeVertexNormals();
    }
    mesh.size = Math.hypot(...mesh.high.map((h, a) => h - mesh.low[a]));
    group.add(new THREE.Mesh(geometry, obstacleMaterial()));
    if (mesh.triangles < 20000) {
      const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 35),
                                           new THREE.LineBasicMaterial({color: 0x9aa4ad, transparent: true, opacity: 0.45}));
      group.add(edges);
    }
    this.styleObstacle(group);
  }

  /// Size of what is simulated, without obstacles.
  coreSize() {
    const box = new THREE.Box3();
    for (const g of this.frame?.groups ?? [])
      if (g.count > 0) box.expandByPoint(new THREE.Vector3(...g.low)).expandByPoint(new THREE.Vector3(...g.high));
    return box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
  }

  /// Containers show their far walls only, so that what is inside stays visible; floors and walls much larger
  /// than the rest stay in the dark behind it.
  styleObstacle(group) {
    const mesh = group.userData, style = this.layers.layer('obstacles').channel ?? 'auto';
    const clear = style === 'clear' || (style === 'auto' && mesh.inside);
    const material = group.children[0].material;
    const core = this.coreSize(), scenery = style === 'auto' && !mesh.inside && core > 0 && mesh.size > 5 * core;
    const colour = (mesh.color ?? [0.6, 0.62, 0.65]).map((c) => (c ?? 0.6) * (scenery ? 0.035 : 1));
    const side = mesh.inside ? THREE.BackSide : THREE.DoubleSide;
    material.uniforms.colour.value.setRGB(...colour);
    material.uniforms.opacity.value = clear ? 0.28 : 1;
    material.uniforms.turned.value = mesh.inside ? -1 : 1;
    material.transparent = clear;
    material.depthWrite = !clear;
    if (material.side !== side) material.needsUpdate = true;
    material.side = side;
    if (group.children[1]) group.children[1].visible = !scenery;
    group.visible = mesh.visible !== false;
  }

  placeObstacles(list) {
    for (const o of list) {
      let group = this.obstacleMeshes.get(o.name);
      if (o.transform) {
        if (!group) continue;
        group.matrixAutoUpdate = false;
        group.matrix.set(...o.transform);
        group.matrixWorldNeedsUpdate = true;
      } else {
        if (!group) {
          group = new THREE.Group();
          this.obstacleMeshes.set(o.name, group);
          this.obstacles.add(group);
        }
        group.userData = {...group.userData, ...o};
        this.fillObstacle(group, group.userData);
      }
    }
  }

  show(frame) {
    this.frame = frame;
    this.placeObstacles(frame.obstacles);
    this.rebuild();
    if (this.fitted ? this.outgrown() : frame.groups.length || frame.obstacles.length) this.fit();
  }

  rebuild() {
    this.dirty = true;
    if (!this.frame) return;
    this.obstacles.visible = this.layers.layer('obstacles').visible;
    for (const group of this.obstacles.children) this.styleObstacle(group);
    const shown = new Set();
    for (const group of this.frame.groups) {
      const layer = this.layers.layer(group.name);
      if (!layer.visible || group.count === 0) continue;
      const channel = group.channels.find((c) => c.name === layer.channel);
      const range = channel && this.layers.range(group.name, channel.name);
      const palette = channel && paletteFor(channel, this.layers.materialsOf(group));
      const plain = this.layers.plainColour(group);
      shown.add(this.objectFor(group, layer).show(group, {channel, range, palette, plain}));
    }
    for (const o of this.objects.values()) o.object.visible = shown.has(o);
  }

  objectFor(group, layer) {
    const kind = group.kind === 'lines' && layer.style === 'tubes' ? 'tubes' : group.kind, key = `${group.name} ${kind}`;
    if (!this.objects.has(key)) {
      const made = new {points: Particles, lines: Lines, tubes: Tubes, mesh: Surface}[kind](group);
      this.objects.set(key, made);
      this.content.add(made.object);
    }
    return this.objects.get(key);
  }

  /// Marks the points an error names; an empty list takes the mark away.
  mark(points) {
    for (const child of this.highlight.children) child.geometry.dispose();
    this.highlight.clear();
    this.dirty = true;
    if (points.length === 0) return;
    const geometry = new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(...p)));
    const style = {color: 0xff5148, depthTest: false, transparent: true};
    this.highlight.add(new THREE.Points(geometry, new THREE.PointsMaterial({...style, size: 7, sizeAttenuation: false})));
    if (points.length > 1) this.highlight.add(new THREE.Line(geometry, new THREE.LineBasicMaterial(style)));
    this.highlight.renderOrder = 10;
  }

  /// What the camera should see: the groups, and obstacles that are not much larger. A container counts even when it is
  /// not drawn: the liquid will spread in it.
  bounds() {
    const box = new THREE.Box3();
    for (const g of this.frame?.groups ?? []) {
      if (g.count === 0) continue;
      box.expandByPoint(new THREE.Vector3(...g.low)).expandByPoint(new THREE.Vector3(...g.high));
    }
    const core = this.coreSize();
    for (const group of this.obstacles.children) {
      if (!group.visible && !group.userData.inside) continue;
      group.updateMatrixWorld();
      const size = new THREE.Box3().setFromObject(group);
      if (core === 0 || size.getSize(new THREE.Vector3()).length() < 5 * core) box.union(size);
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    return box;
  }

  /// True when the liquid has spread well beyond what a camera that nobody has moved yet shows; but no stray drop makes
  /// everything else small.
  outgrown() {
    if (this.touched) return false;
    const size = (box) => box.getSize(new THREE.Vector3()).length(), box = this.bounds(), margin = 0.12 * size(this.shownBox);
    return size(box) < 4 * this.firstSize && !this.shownBox.clone().expandByScalar(margin).containsBox(box);
  }

  /// Everything in view, from where the camera is or from the usual side, under the usual angle.
  fit() {
    if (this.camera.fov !== kFov || this.camera.up.y !== 1) {
      this.camera.fov = kFov;
      this.setUp(new THREE.Vector3(0, 1, 0));
    }
    const box = this.bounds(), sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = this.fitted
        ? this.camera.position.clone().sub(this.controls.target).normalize()
        : new THREE.Vector3(0.55, 0.42, 1).normalize();
    const radius = Math.max(sphere.radius, 1e-6), distance = Math.max(this.distanceFor(box, sphere.center, direction), radius);
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
    this.setDepth(distance);
    this.controls.minDistance = distance / 100;
    this.controls.maxDistance = distance * 20;
    this.controls.update();
    this.placeGrid(box, radius);
    this.shownBox = box;
    this.firstSize ??= 2 * radius;
    this.fitted = true;
    this.dirty = true;
  }

  /// A camera of the scene: [m], field of view vertical [rad].
  lookThrough({position, target, up, fov}) {
    const place = new THREE.Vector3(...position), aim = new THREE.Vector3(...target), distance = Math.max(place.distanceTo(aim), 1e-6);
    if (!this.fitted) this.fit();
    this.setUp(new THREE.Vector3(...up).normalize());
    this.camera.fov = (fov * 180) / Math.PI;
    this.camera.position.copy(place);
    this.controls.target.copy(aim);
    this.controls.minDistance = Math.min(this.controls.minDistance, distance / 100);
    this.controls.maxDistance = Math.max(this.controls.maxDistance, distance * 20);
    this.setDepth(Math.max(distance, place.distanceTo(this.shownBox.getCenter(new THREE.Vector3()))));
    this.touched = true;
    this.controls.update();
    this.dirty = true;
  }

  /// The way up that turning keeps.
  setUp(up) {
    this.camera.up.copy(up);
    // OrbitControls takes the way up when it is made.
    const {target, minDistance, maxDistance} = this.controls;
    this.controls.dispose();
    this.makeControls();
    this.controls.target.copy(target);
    Object.assign(this.controls, {minDistance, maxDistance});
  }

  setDepth(distance) {
    this.camera.near = distance / 300;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
  }

  /// How far from `centre` the camera sees all corners of the box, with a margin.
  distanceFor(box, centre, direction) {
    const right = new THREE.Vector3(0, 1, 0).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const tall = 0.9 * Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(centre);
      const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
      distance = Math.max(distance, across + corner.dot(direction));
    }
    return distance;
  }

  placeGrid(box, radius) {
    const cell = 10 ** Math.round(Math.log10(radius / 2.5));
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    this.grid = new THREE.GridHelper(40 * cell, 40, 0x4a5057, 0x33373c);
    const middle = box.getCenter(new THREE.Vector3());
    this.grid.position.set(Math.round(middle.x / cell) * cell, box.min.y + 0.002 * radius, Math.round(middle.z / cell) * cell);
    this.scene.add(this.grid);
    this.gridText = `grid ${shortNumber(cell >= 1 ? cell : cell >= 0.01 ? cell * 100 : cell * 1000)} ${cell >= 1 ? 'm' : cell >= 0.01 ? 'cm' : 'mm'}`;
  }

  /// Points and strands come in a random order, so a beginning of them is a thinner version of the whole.
  /// While pictures follow each other, `part` adapts to the machine; a still picture is drawn completely, unless another
  /// frame is to come within `rest` ms, which it could make late.
  render(now = performance.now(), rest = Infinity) {
    this.controls.update();
    const moving = this.dirty;
    // Only the time between two pictures in a row tells how long one takes.
    if (moving && this.wasMoving && this.frame) this.adapt(now - this.tickedAt);
    this.tickedAt = now;
    this.wasMoving = moving;
    if (!moving && (this.complete || now - this.drawnAt < 300 || rest < 500)) return;
    this.dirty = false;
    this.drawnAt = now;
    this.complete = !moving || (this.part === 1 && this.swift === this.sharp);
    this.draw(this.complete ? 1 : this.part, this.complete ? this.sharp : this.swift);
  }

  /// Towards 35 to 40 pictures per second; single late ones do not count for much.
  adapt(gap) {
    this.pace += 0.2 * (Math.min(gap, 150) - this.pace);
    const change = this.pace > 60 ? 0.6 : this.pace > 29 ? 0.92 : this.pace < 25 ? 1.05 : 1;
    this.part = Math.min(1, Math.max(0.01, this.part * change));
  }

  draw(part, pixelRatio) {
    if (this.renderer.getPixelRatio() !== pixelRatio) this.renderer.setPixelRatio(pixelRatio);
    const pixels = this.canvas.height / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    for (const o of this.objects.values()) {
      if (!o.object.visible) continue;
      o.thin(part, pixelRatio < this.sharp);
      const uniforms = o.object.material?.uniforms;
      if (!uniforms?.perPixel) continue;
      uniforms.perPixel.value = pixels;
      uniforms.least.value = 1.5 * pixelRatio;
    }
    this.renderer.render(this.scene, this.camera);
  }
}
