// The page of `rivulet view` in Chromium. Each case is a function; the first failure of each is printed.
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import path from 'node:path';
import {difference, share} from './png.mjs';
import {frameOf, keepPicture, launch, open, options, pause, picture, sample, serve, start, waitFor, waitForFrame} from './harness.mjs';

const browser = await launch();
const background = [0x1b, 0x1d, 0x20];
const drawn = (r, g, b) => Math.max(Math.abs(r - background[0]), Math.abs(g - background[1]), Math.abs(b - background[2])) > 45;

/// Opens a run in the browser for the time of `work`; a console that is not free of errors fails.
async function viewing(folder, work) {
  const server = await serve(folder);
  const page = await open(browser, server.address);
  try {
    await work(page, server.address);
    assert.deepEqual(page.complaints, []);
  } finally {
    await page.close();
    await server.close();
  }
}

/// Shows the first frame, plays to the end and compares the two pictures.
async function playThrough(folder, name, last, [least, most]) {
  await viewing(folder, async (page) => {
    await waitForFrame(page, 0);
    const first = await picture(page), area = share(first, drawn);
    assert.ok(area > least && area < most, `${name}: drawn area ${area}`);
    await page.click('#loop');
    await page.keyboard.press(' ');
    await waitForFrame(page, last);
    await waitFor(page, () => document.body.dataset.playing === 'false');
    const changed = difference(first, await picture(page));
    assert.ok(changed > 0.003, `${name}: the picture does not change (${changed})`);
    await keepPicture(page, `page_${name}`);
    console.log(`  ${name}: drawn ${area.toFixed(3)}, changed ${changed.toFixed(3)}`);
  });
}

/// Frames of every kind a run can have. Least and most part of the view covered, container and grid included.
async function families() {
  const ranges = {liquid: [0.1, 0.8], strands: [0.03, 0.6], fabric: [0.05, 0.7], bodies: [0.02, 0.6], everything: [0.15, 0.85]};
  for (const [family, range] of Object.entries(ranges))
    await playThrough(sample(`sample_${family}`, family, 12), family, 11, range);
}

/// One short run of each folder of shipped scenes.
async function scenes() {
  const frames = 8;
  for (const entry of readdirSync(options.scenes, {withFileTypes: true})) {
    const scene = entry.isDirectory() && readdirSync(path.join(options.scenes, entry.name)).filter((f) => f.endsWith('.toml')).sort()[0];
    if (!scene) continue;
    const out = path.join(options.work, `scene_${entry.name}`);
    rmSync(out, {recursive: true, force: true});
    const run = start('run', path.join(options.scenes, entry.name, scene), '-o', out, '--quiet', '--frames', String(frames), '--set', 'detail=0.4');
    assert.equal(await run.ended, 0, `${scene}: ${run.text}`);
    await playThrough(out, `scene_${entry.name}`, frames, [0.005, 0.9]);
  }
}

async function playing() {
  await viewing(sample('sample_play', 'liquid', 30, 5000), async (page) => {
    await waitForFrame(page, 0);
    await page.keyboard.press(' ');
    await waitFor(page, () => Number(document.body.dataset.frame) >= 4);
    await page.keyboard.press(' ');
    await waitFor(page, () => document.body.dataset.playing === 'false');
    const at = await frameOf(page);
    await pause(500);
    assert.equal(await frameOf(page), at, 'a pause holds the frame');
    await page.keyboard.press('ArrowRight');
    await waitForFrame(page, at + 1);
    await page.keyboard.press('ArrowLeft');
    await waitForFrame(page, at);
    await page.keyboard.press('End');
    await waitForFrame(page, 29);
    await page.click('#play');
    await waitFor(page, () => Number(document.body.dataset.frame) < 29);
    await page.click('#play');
  });
}

async function scrubbing() {
  await viewing(sample('sample_scrub', 'strands', 40), async (page) => {
    await waitForFrame(page, 0);
    const box = await page.locator('#timeline').boundingBox();
    await page.mouse.move(box.x + 7, box.y + box.height / 2);
    await page.mouse.down();
    for (let k = 1; k <= 10; k++) await page.mouse.move(box.x + 7 + ((box.width - 14) * k) / 20, box.y + box.height / 2);
    await page.mouse.up();
    await waitFor(page, () => Math.abs(Number(document.body.dataset.frame) - 20) <= 2);
    // A click in a plot goes to that time.
    const plot = await page.locator('[data-plot=dt] .u-over').boundingBox();
    await page.mouse.click(plot.x + plot.width - 2, plot.y + plot.height / 2);
    await waitFor(page, () => Number(document.body.dataset.frame) >= 38);
    // Turning the view changes the picture.
    const before = await picture(page), view = await page.locator('#view').boundingBox();
    await page.mouse.move(view.x + 500, view.y + 400);
    await page.mouse.down();
    await page.mouse.move(view.x + 650, view.y + 420, {steps: 5});
    await page.mouse.up();
    await pause(600);
    assert.ok(difference(before, await picture(page)) > 0.02, 'dragging turns the view');
  });
}

async function colours() {
  await viewing(sample('sample_colours', 'everything', 3), async (page) => {
    await waitForFrame(page, 0);
    const names = await page.locator('#layers .layer').evaluateAll((rows) => rows.map((r) => r.dataset.layer));
    assert.deepEqual(names, ['surface', 'liquid', 'strands', 'fabric', 'bodies', 'obstacles']);
    const channels = await page.locator('[data-layer=strands] .channel option').evaluateAll((o) => o.map((x) => x.value));
    for (const c of ['film_area', 'speed', 'twist', 'strain']) assert.ok(channels.includes(c), `strands by ${c}`);
    const film = await picture(page);
    await page.selectOption('[data-layer=strands] .channel', 'twist');
    assert.ok(difference(film, await picture(page)) > 0.01, 'strands change their colour');
    const lines = await picture(page);
    assert.equal(await page.inputValue('[data-layer=strands] .style'), 'lines', 'hair is drawn as lines');
    await page.selectOption('[data-layer=strands] .style', 'tubes');
    assert.ok(difference(lines, await picture(page)) > 0.01, 'tubes look different from lines');
    await page.locator('[data-layer=surface] input').uncheck();
    await page.locator('[data-layer=liquid] input').check();
    await page.selectOption('[data-layer=liquid] select', 'material');
    await pause(300);
    assert.equal(await page.locator('[data-layer=liquid] .swatches span').count(), 2);
    await keepPicture(page, 'page_colours');
  });
}

async function damage() {
  const out = sample('sample_damaged', 'liquid', 6, 3000);
  truncateSync(path.join(out, 'frames', '000002.npz'), 500);
  rmSync(path.join(out, 'frames', '000004.npz'));
  await viewing(out, async (page) => {
    await waitForFrame(page, 0);
    await page.keyboard.press('ArrowRight');
    await waitForFrame(page, 1);
    await page.keyboard.press('ArrowRight');
    await waitForFrame(page, 2);
    assert.match(await page.textContent('#alert'), /Frame 2 cannot be shown: .*000002\.npz/);
    await page.keyboard.press('ArrowRight');
    await waitForFrame(page, 3);
    assert.equal(await page.locator('#alert').isHidden(), true, 'the next frame is shown again');
    await page.keyboard.press('ArrowRight');
    await waitForFrame(page, 4);
    assert.match(await page.textContent('#alert'), /000004\.npz is not there/);
    // The browser itself notes answers 404 and 422.
    page.complaints = page.complaints.filter((c) => !/status of (404|422)/.test(c));
  });
}

async function brokenRuns() {
  await viewing(sample('sample_failed', 'failed', 10), async (page) => {
    await waitForFrame(page, 0);
    const before = await picture(page);
    assert.ok(share(before, (r, g, b) => r > 220 && g < 120 && b < 110) < 1e-4);
    await page.keyboard.press('End');
    await waitForFrame(page, 9);
    assert.match(await page.textContent('#alert'), /failed in frame 10, predict_solids, strand 17: Newton does not converge/);
    await pause(1000);
    const red = share(await picture(page), (r, g, b) => r > 220 && g < 120 && b < 110);
    assert.ok(red > 5e-4, `the strand is marked (${red})`);
  });
  const newer = sample('sample_newer', 'newer', 3, 3000);
  await viewing(newer, async (page) => {
    await waitForFrame(page, 0);
    await page.click('[data-tab=info]');
    const text = await page.textContent('#info');
    assert.match(text, /format 99/);
    assert.match(text, /weather cannot be shown/);
  });
  writeFileSync(path.join(newer, 'run.json'), '{"format": ');
  writeFileSync(path.join(newer, 'static.npz'), 'rubbish');
  await viewing(newer, async (page) => {
    await waitForFrame(page, 0);
    await page.click('[data-tab=info]');
    assert.match(await page.textContent('#info'), /run\.json is damaged/);
    page.complaints = page.complaints.filter((c) => !/status of 422/.test(c));
  });
}

/// A bare request with any header fields; gives the status.
function bare(url, headers = {}) {
  return new Promise((done, fail) => request(url, {headers}, (r) => (r.resume(), done(r.statusCode))).on('error', fail).end());
}

async function doors() {
  await viewing(sample('sample_doors', 'bodies', 2), async (page, address) => {
    await waitForFrame(page, 0);
    const {origin, port} = new URL(address);
    assert.equal(await bare(address), 200);
    assert.equal(await bare(origin + '/'), 403);
    assert.equal(await bare(origin + '/api/run'), 403);
    assert.equal(await bare(address + 'api/run', {Host: `evil:${port}`}), 403);
    assert.equal(await bare(address + 'api/run', {Origin: 'http://evil'}), 403);
    assert.equal(await bare(address + 'run.json'), 404);
    const stranger = await browser.newPage();
    const answer = await stranger.goto(origin + '/');
    assert.equal(answer.status(), 403);
    assert.doesNotMatch(await stranger.content(), /app\.js/);
    await stranger.close();
  });
}

async function live() {
  const out = path.join(options.work, 'live');
  rmSync(out, {recursive: true, force: true});
  const run = start('run', path.join(options.scenes, 'shell', 'drops.toml'), '-o', out, '--quiet', '--threads', '1');
  try {
    for (let i = 0; i < 600; i++) {
      try {
        if (readFileSync(path.join(out, 'frames.csv'), 'utf8').split('\n').length > 2) break;
      } catch {
        // not there yet
      }
      await pause(100);
    }
    await viewing(out, async (page) => {
      await waitFor(page, () => Number(document.body.dataset.frame) >= 0 && document.querySelector('#plots').dataset.rows, null, 60000);
      assert.equal(await page.getAttribute('#live', 'aria-pressed'), 'true', 'a running run is followed');
      const before = await page.evaluate(() => [Number(document.body.dataset.frame), Number(document.querySelector('#plots').dataset.rows)]);
      await waitFor(page, ([f, r]) => Number(document.body.dataset.frame) > f && Number(document.querySelector('#plots').dataset.rows) > r, before, 120000);
      await page.click('[data-tab=scene]');
      await waitFor(page, () => document.querySelector('#scene').textContent.includes('['));
      await page.click('[data-tab=plots]');
      // Stepping back stops following while the run goes on.
      await page.keyboard.press('Home');
      assert.equal(await page.getAttribute('#live', 'aria-pressed'), 'false');
      await keepPicture(page, 'page_live');
    });
  } finally {
    run.kill('SIGINT');
    await run.ended;
  }
}

/// A short run of two liquids, with a camera and without surfaces.
async function twoLiquids(name, detail) {
  const out = path.join(options.work, name);
  rmSync(out, {recursive: true, force: true});
  const run = start('run', path.join(options.scenes, 'liquid', 'two_jets.toml'), '-o', out, '--quiet', '--frames', '12', '--set', `detail=${detail}`);
  assert.equal(await run.ended, 0, run.text);
  return out;
}

/// The button has the surface of the shown frame made, then of all, and the page shows them by material.
async function surfaces() {
  const out = await twoLiquids('run_surfaces', 0.5), folder = path.join(out, 'surface');
  const files = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.npz')).sort() : []);
  await viewing(out, async (page) => {
    await waitForFrame(page, 0);
    await page.keyboard.press('End');
    await waitForFrame(page, 12);
    assert.equal(await page.locator('[data-layer=surface]').count(), 0);
    await page.click('#surfaces [data-action=one]');
    await waitFor(page, () => document.querySelector('[data-layer=surface]'));
    assert.deepEqual(files(), ['000012.npz']);
    assert.equal(await page.inputValue('[data-layer=surface] .channel'), 'material');
    const names = await page.locator('[data-layer=surface] .swatches span').allTextContents();
    assert.deepEqual(names, ['water', 'olive_oil']);
    assert.ok(!(await page.locator('[data-layer=liquid] input').isChecked()), 'the surface stands for the particles');
    assert.ok(await page.locator('#surfaces [data-action=one]').isHidden(), 'it is there');
    await page.click('#surfaces [data-action=all]');
    await waitFor(page, () => document.getElementById('surfaces').dataset.running === 'true');
    assert.ok(await page.locator('#surfaces progress').isVisible());
    await waitFor(page, () => document.getElementById('surfaces').dataset.running === 'false');
    assert.equal(files().length, 13);
    await keepPicture(page, 'page_surfaces');
  });
}

/// What goes wrong is said; a second job is refused while one runs.
async function surfaceErrors() {
  const out = await twoLiquids('run_surface_errors', 1);
  truncateSync(path.join(out, 'frames', '000012.npz'), 500);
  await viewing(out, async (page, address) => {
    await waitForFrame(page, 0);
    for (let k = 1; k <= 6; k++) await page.keyboard.press('ArrowRight');
    await waitForFrame(page, 6);
    await page.click('#surfaces [data-action=all]');
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${address}api/surface?frame=all`, {method: 'POST'})));
    assert.ok(answers.every((a) => a.status === 409), answers.map((a) => a.status).join());
    await page.click('#surfaces [data-action=stop]');
    await waitFor(page, () => document.getElementById('surfaces').dataset.running === 'false');
    assert.ok(await page.locator('#surfaces p').isHidden(), 'to stop is no error');
    await page.click('#surfaces [data-action=all]');
    await waitFor(page, () => !document.querySelector('#surfaces p').hidden);
    assert.match(await page.textContent('#surfaces p'), /frame 12/);
  });
}

async function cameras() {
  const out = await twoLiquids('run_cameras', 0.5);
  await viewing(out, async (page) => {
    await waitForFrame(page, 0);
    await waitFor(page, () => !document.getElementById('camera').hidden);
    const free = await picture(page);
    assert.deepEqual(await page.locator('#camera option').allTextContents(), ['free', 'main']);
    await page.selectOption('#camera', {label: 'main'});
    const seen = await picture(page);
    assert.ok(difference(free, seen) > 0.02, 'the camera looks from elsewhere');
    await page.click('#fit');
    assert.equal(await page.inputValue('#camera'), '');
  });
}

async function crosshair() {
  await viewing(sample('sample_crosshair', 'everything', 5), async (page) => {
    await waitForFrame(page, 0);
    await waitFor(page, () => document.querySelector('[data-plot=energy] .u-over'));
    const plot = await page.locator('[data-plot=energy] .u-over').boundingBox();
    await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height / 2);
    const values = (name) => page.locator(`[data-plot=${name}] output`).allTextContents();
    await waitFor(page, () => document.querySelector('[data-plot=energy] time').textContent.endsWith(' s'));
    for (const v of await values('energy')) assert.match(v, /^-?[0-9.]+(e-?[0-9]+)?$/);
    // The other plots show the same time.
    assert.match((await values('dt'))[0], /[0-9]/);
    await keepPicture(page, 'page_crosshair');
    await page.mouse.move(5, 5);
    await waitFor(page, () => document.querySelector('[data-plot=energy] time').textContent === '');
  });
}

const cases = {surfaces, surfaceErrors, cameras, crosshair, families, scenes, playing, scrubbing, colours, damage, brokenRuns, doors, live};
let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  if (options.only && !options.only.split(',').includes(name)) continue;
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAILED ${name}: ${e.stack ?? e}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
