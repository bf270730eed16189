// Reads exported .usda files with three's loader, which shares nothing with our writer:
//   node read_usda.mjs EXPORT_FILES_PROGRAM THREE_FOLDER
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [program, three] = process.argv.slice(2);
const parser = path.join(three, 'examples/jsm/loaders/usd/USDAParser.js');
if (!existsSync(parser)) {
  console.log(`skipped: no ${parser} (the page's npm packages are not there)`);
  process.exit(77);
}
const load = (file) => import(pathToFileURL(path.join(three, file)));
const {USDAParser} = await load('examples/jsm/loaders/usd/USDAParser.js');
const {USDLoader} = await load('examples/jsm/loaders/USDLoader.js');

const folder = mkdtempSync(path.join(tmpdir(), 'rivulet-usda-'));
const text = (name) => readFileSync(path.join(folder, name), 'utf8');
const parsed = (name) => new USDAParser().parseText(text(name));
/// "[(0, 1, 2), (3, 4, 5)]" -> [0, 1, 2, 3, 4, 5]; every entry must be a number.
const numbers = (value) => value.replace(/[[\]()\s]/g, '').split(',').filter((v) => v !== '').map((v) => {
  assert.ok(Number.isFinite(Number(v)), `"${v}" is no number`);
  return Number(v);
});
const single = (values) => values.map(Math.fround);

const kinds = {liquid: 'Points', surface: 'Mesh', cloth_1: 'Mesh', strands: 'BasisCurves'};
const expected = {
  liquid: {'point3f[] points': [0, 0, 0, 1, 2, 3, -0.5, 1e-7, 1e6], 'int64[] ids': [5, 2 ** 40, 7], 'float[] widths': [0.2, 0.4, 0.6],
           'vector3f[] velocities': [1, 0, 0, 0, 1, 0, 0, 0, -1]},
  surface: {'int[] faceVertexCounts': [3, 3, 3, 3], 'int[] faceVertexIndices': [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2],
            'vector3f[] velocities': [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], 'int[] primvars:material': [0, 1, 1, 0],
            'float[] primvars:weight_milk': [0, 0.75, 1, 0.5]},
  cloth_1: {'float[] primvars:saturation': [0, 0.5, 1]},
  strands: {'int[] curveVertexCounts': [2, 3], 'int64[] primvars:id': [11, 12], 'float[] primvars:film_area': [0, 1e-6, 2e-6, 0, 0],
    'float[] primvars:film_velocity': [0.5, -0.5, 0.25, 0, 0], 'float[] primvars:film_share_milk': [0, 0.25, 1, 0, 0],
            'float[] widths': [0.02, 0.04, 0.06, 0.08, 0.1], 'point3f[] points': [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 2, 0]},
};

function checkClip(name, time) {
  const prims = parsed(name)['over "Rivulet"'];
  for (const [prim, attributes] of Object.entries(expected)) {
    const found = prims[`over "${prim}"`];
    assert.ok(found, `${name}: ${prim}`);
    for (const [attribute, values] of Object.entries(attributes)) {
      const samples = found[`${attribute}.timeSamples`];
      const later = attribute === 'point3f[] points' ? [String(Number(time) + 1)] : [];
      assert.deepEqual(Object.keys(samples), [time, ...later], `${name}: ${prim} ${attribute}`);
      assert.deepEqual(single(numbers(samples[time])), single(values), `${name}: ${prim} ${attribute}`);
    }
  }
}

/// The top layer names the clips and the manifest, which are there, and declares what they fill without a value.
function checkTop() {
  const root = parsed('run.usda'), rivulet = root['def Xform "Rivulet"'];
  assert.equal(root['#usda 1.0'].defaultPrim, '"Rivulet"');
  const clips = rivulet.clips['dictionary default'];
  assert.deepEqual(numbers(clips['double2[] active']), [1004, 0, 1005, 1]);
  assert.deepEqual(numbers(clips['double2[] times']), [1004, 1004, 1005, 1005, 1006, 1006]);
  assert.equal(clips['string primPath'], '"/Rivulet"');
  const found = `${clips['asset[] assetPaths']} ${clips['asset manifestAssetPath']}`.match(/@[^@]+@/g).map((a) => a.slice(1, -1));
  assert.deepEqual(found, ['./clip.1004.usda', './clip.1005.usda', './manifest.usda']);
  for (const file of found) assert.ok(existsSync(path.join(folder, file)), file);
  for (const [prim, kind] of Object.entries(kinds)) {
    const declared = rivulet[`def ${kind} "${prim}"`];
    assert.ok(declared, `def ${kind} "${prim}"`);
    for (const attribute of Object.keys(expected[prim]))
      assert.notEqual(typeof declared[attribute], 'string', `${prim} ${attribute} has a value stronger than the clips`);
    if (prim === 'surface')
      for (const liquid of ['honey', 'milk']) {
        assert.equal(declared[`def GeomSubset "${liquid}"`]['rel material:binding'], `</Rivulet/Materials/${liquid}>`);
        assert.ok(rivulet['def Scope "Materials"'][`def Material "${liquid}"`]);
      }
    if (kind === 'BasisCurves') assert.equal(declared['uniform token type'], '"linear"');
  }
}

/// A clip at its time as one layer, as a reader of value clips composes it, through the whole loader.
function checkMeshes() {
  let layer = text('clip.1004.usda').replace('over "Rivulet"', 'def Xform "Rivulet"');
  for (const [prim, kind] of Object.entries(kinds)) layer = layer.replace(`over "${prim}"`, `def ${kind} "${prim}"`);
  layer = layer.replace(/\.timeSamples = \{\s*1004: (\[.*\]),(?:\s*1005: \[.*\],)?\s*\}/g, ' = $1');
  const meshes = {};
  new USDLoader().parse(layer).traverse((o) => {
    if (o.isMesh) meshes[o.name] = o.geometry;
  });
  assert.deepEqual(Object.keys(meshes).sort(), ['cloth_1', 'surface']);
  const triangles = (g) => (g.index ?? g.getAttribute('position')).count / 3;
  assert.equal(triangles(meshes.surface), 4);
  assert.equal(triangles(meshes.cloth_1), 1);
  meshes.surface.computeBoundingBox();
  assert.deepEqual(meshes.surface.boundingBox.max.toArray(), [1, 1, 1]);
}

try {
  assert.equal(spawnSync(program, [folder], {stdio: 'inherit'}).status, 0);
  checkClip('clip.1004.usda', '1004');
  checkClip('clip.1005.usda', '1005');
  checkTop();
  checkMeshes();
  console.log("read by three's USDLoader");
} finally {
  rmSync(folder, {recursive: true, force: true});
}
