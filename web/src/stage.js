// The 3-D view: camera, lights, ground grid, and one object per group of the frame that is shown.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {paletteFor} from './layers.js';
import {shortNumber} from './colour.js';
import {lineMaterial, pointMaterial, setBox, setChannel} from './materials.js';
import {lineGeometry, meshGeometry, pointGeometry, vertexColours} from './geometry.js';

const plainMesh = {surface: 0x4f9bd0, fabric: 0xc9b79a, bodies: 0xb8826a};

export class Stage {
  constructor(canvas, layers) {
    this.canvas = canvas;
    this.layers = layers;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setClearColor(0x1b1d20);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => (this.dirty = true));
    this.addLights();
    this.content = new THREE.Group();
    this.obstacles = new THREE.Group();
    this.highlight = new THREE.Group();
    this.scene.add(this.content, this.obstacles, this.highlight);
    this.obstacleMeshes = new Map();
    this.dirty = true;
    this.fitted = false;
    this.frame = null;
    this.part = 1;       // of points and strands drawn while the picture changes
    this.drawnAt = 0;    // ms, last picture
    this.complete = true;
    this.tickedAt = 0;   // ms, last look
    this.wasMoving = false;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
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
    const geometry = meshGeometry(mesh);
    const material = new THREE.MeshLambertMaterial({flatShading: mesh.triangles < 500, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
    mesh.size = Math.hypot(...mesh.high.map((h, a) => h - mesh.low[a]));
    group.add(new THREE.Mesh(geometry, material));
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
    material.color.setRGB(...colour);
    material.transparent = clear;
    material.opacity = clear ? 0.28 : 1;
    material.depthWrite = !clear;
    material.side = mesh.inside ? THREE.BackSide : THREE.DoubleSide;
    material.needsUpdate = true;
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
    if (!this.fitted && (frame.groups.length || frame.obstacles.length)) this.fit();
  }

  rebuild() {
    for (const child of this.content.children) {
      child.geometry.dispose();
      child.material.dispose();
    }
    this.content.clear();
    this.dirty = true;
    if (!this.frame) return;
    this.obstacles.visible = this.layers.layer('obstacles').visible;
    for (const group of this.obstacles.children) this.styleObstacle(group);
    for (const group of this.frame.groups) {
      const layer = this.layers.layer(group.name);
      if (!layer.visible || group.count === 0) continue;
      const channel = group.channels.find((c) => c.name === layer.channel);
      const range = channel && this.layers.range(group.name, channel.name);
      const palette = channel && paletteFor(group.name, channel, this.layers.liquidColours);
      this[group.kind](group, channel, range, palette);
    }
  }

  points(group, channel, range, palette) {
    const material = pointMaterial();
    setBox(material, group);
    setChannel(material, channel, range, palette);
    const radius = group.channels.find((c) => c.name === 'radius');
    const fallback = Math.hypot(...group.high.map((h, a) => h - group.low[a])) / 200 || 0.01;
    // Fewer particles than there are stand for the rest: drawn larger, so that the liquid stays closed.
    const grow = Math.cbrt(group.total / Math.max(group.count, 1));
    material.uniforms.size.value.set((radius?.low ?? fallback) * grow, (radius?.high ?? fallback) * grow);
    const object = new THREE.Points(pointGeometry(group, channel), material);
    object.frustumCulled = false;
    object.userData.thinned = (part) => Math.ceil(part * group.count);
    this.content.add(object);
  }

  lines(group, channel, range, palette) {
    const material = lineMaterial();
    setBox(material, group);
    setChannel(material, channel, range, palette);
    const object = new THREE.LineSegments(lineGeometry(group, channel), material);
    object.frustumCulled = false;
    // Segments of the first lines: vertices less one for each line.
    object.userData.thinned = (part) => {
      const lines = Math.ceil(part * group.lines);
      return 2 * (group.start[lines] - lines);
    };
    this.content.add(object);
  }

  mesh(group, channel, range, palette) {
    const geometry = meshGeometry(group);
    const water = group.name === 'surface';
    const material = new THREE.MeshPhongMaterial({
      color: channel ? 0xffffff : plainMesh[group.name] ?? 0xaab2ba, side: THREE.DoubleSide,
      vertexColors: Boolean(channel), shininess: water ? 90 : 12, specular: water ? 0x9fb4c4 : 0x222222,
      transparent: water && !channel, opacity: water && !channel ? 0.82 : 1,
    });
    if (channel) geometry.setAttribute('color', new THREE.BufferAttribute(vertexColours(channel, range, palette), 3));
    if (group.triangles) this.content.add(new THREE.Mesh(geometry, material));
    if (!group.segments) return;
    const wires = new THREE.BufferGeometry();
    wires.setAttribute('position', geometry.getAttribute('position'));
    if (channel) wires.setAttribute('color', geometry.getAttribute('color'));
    wires.setIndex(new THREE.BufferAttribute(group.segment, 1));
    this.content.add(new THREE.LineSegments(
        wires, new THREE.LineBasicMaterial({color: channel ? 0xffffff : plainMesh[group.name], vertexColors: Boolean(channel)})));
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

  /// What the camera should see: the groups, and obstacles that are not much larger.
  bounds() {
    const box = new THREE.Box3();
    for (const g of this.frame?.groups ?? []) {
      if (g.count === 0) continue;
      box.expandByPoint(new THREE.Vector3(...g.low)).expandByPoint(new THREE.Vector3(...g.high));
    }
    const core = this.coreSize();
    for (const group of this.obstacles.children) {
      if (!group.visible) continue;
      group.updateMatrixWorld();
      const size = new THREE.Box3().setFromObject(group);
      if (core === 0 || size.getSize(new THREE.Vector3()).length() < 5 * core) box.union(size);
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    return box;
  }

  fit() {
    const box = this.bounds(), sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = this.fitted
        ? this.camera.position.clone().sub(this.controls.target).normalize()
        : new THREE.Vector3(0.55, 0.42, 1).normalize();
    const radius = Math.max(sphere.radius, 1e-6), distance = Math.max(this.distanceFor(box, sphere.center, direction), radius);
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
    this.camera.near = distance / 300;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = distance / 100;
    this.controls.maxDistance = distance * 20;
    this.controls.update();
    this.placeGrid(box, radius);
    this.fitted = true;
    this.dirty = true;
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
  /// While pictures follow each other, `part` adapts to the machine; a still picture is drawn completely.
  render(now = performance.now()) {
    this.controls.update();
    const moving = this.dirty, gap = now - this.tickedAt;
    this.tickedAt = now;
    // Only the time between two pictures in a row tells how long one takes.
    if (moving && this.wasMoving) this.part = Math.min(1, Math.max(0.02, this.part * (gap > 100 ? 0.4 : gap > 36 ? 0.75 : gap < 24 ? 1.15 : 1)));
    this.wasMoving = moving;
    if (!moving && (this.complete || now - this.drawnAt < 300)) return;
    this.dirty = false;
    this.drawnAt = now;
    this.complete = !moving || this.part === 1;
    this.draw(this.complete ? 1 : this.part);
  }

  draw(part) {
    const pixels = this.canvas.height / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    for (const child of this.content.children) {
      const thinned = child.userData.thinned;
      if (thinned) child.geometry.setDrawRange(0, thinned(part));
      if (!child.isPoints) continue;
      child.material.uniforms.perPixel.value = pixels / Math.cbrt(part);
      child.material.uniforms.least.value = 1.5 * this.renderer.getPixelRatio();
    }
    this.renderer.render(this.scene, this.camera);
  }
}
