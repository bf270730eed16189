import 'uplot/dist/uPlot.min.css';
import './style.css';
import {getJson, getPacket, getText} from './api.js';
import {loadObstacles} from './frames.js';
import {countProblems, readRecord, showInfo} from './info.js';
import {Layers} from './layers.js';
import {Player} from './player.js';
import {Plots} from './plots.js';
import {Stage} from './stage.js';
import {bindControls} from './controls.js';
import {Cameras} from './cameras.js';
import {SurfaceButtons} from './surfaces.js';

const $ = (id) => document.getElementById(id);
const page = {run: null, record: {}, status: 'unknown', problems: [], frame: null, seen: {}, marked: ''};

const layers = new Layers($('layers'), () => {
  stage.rebuild();
  if (page.frame?.groups) layers.show(page.frame);
});
const stage = new Stage($('view'), layers);
const player = new Player(showFrame, updateControls);
const plots = new Plots($('plots'), (time) => player.seekTime(time));
const controls = bindControls(player, stage, refreshTab);
const cameras = new Cameras($('camera'), stage);
const surfaces = new SurfaceButtons($('surfaces'), () => player.rows[player.index]?.[0], () => player.reload());

function showFrame(row, frame) {
  page.frame = frame;
  document.body.dataset.frame = String(row[0]);
  document.body.dataset.frameError = frame.error ? 'yes' : '';
  if (!frame.error) {
    layers.learn(frame);
    layers.show(frame);
    stage.show(frame);
  } else {
    controls.markDamaged(player.shown);
  }
  surfaces.show(frame);
  plots.setNow(row[1]);
  $('caption').textContent = stage.gridText ?? '';
  updateAlert();
  updateInfo();
  updateControls();
  markFailure(row);
}

function updateAlert() {
  const text = page.frame?.error ? `Frame ${page.frame.number} cannot be shown: ${page.frame.error}`
      : page.offline ? page.offline
      : page.record.error && player.shown === player.rows.length - 1
        ? `The run failed in frame ${page.record.error.frame}, ${page.record.error.stage}, ${page.record.error.entity}: ${page.record.error.message}`
      : player.rows.length === 0 && page.run ? 'No frame yet.' : '';
  $('alert').textContent = text;
  $('alert').hidden = text === '';
}

/// The entity of a failed step is marked in the last frame before it.
async function markFailure(row) {
  const error = page.record.error;
  const wanted = error && player.shown === player.rows.length - 1 && !page.frame.error ? `${row[0]}|${error.entity}` : '';
  if (wanted === page.marked) return;
  page.marked = wanted;
  if (!wanted) return stage.mark([]);
  try {
    const {points} = await getJson(`locate?frame=${row[0]}&entity=${encodeURIComponent(String(error.entity).slice(0, 200))}`);
    if (page.marked === wanted) stage.mark(points);
  } catch {
    stage.mark([]);
  }
}

function updateInfo() {
  if (!page.run) return;
  const count = countProblems(page);
  $('info-count').textContent = count ? String(count) : '';
  if (!$('info').hidden) showInfo($('info'), page);
}

function updateControls() {
  controls?.update(page);
}

async function refreshTab(name) {
  if (name === 'info') updateInfo();
  if (name === 'plots') plots.resize();
  try {
    if (name === 'scene' && !page.seen.scene) {
      $('scene').firstChild.textContent = await getText('scene');
      page.seen.scene = true;
    }
    if (name === 'log' && page.seen.log !== page.run?.log_bytes) {
      page.seen.log = page.run?.log_bytes;
      const box = $('log'), atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 20;
      box.firstChild.textContent = (await getText('log')) || 'Nothing was logged.';
      if (atEnd) box.scrollTop = box.scrollHeight;
    }
  } catch (e) {
    $(name).firstChild.textContent = e.message;
  }
}

async function refreshRows(run, first) {
  if (first) return player.setRows(first, false);
  const rows = player.rows, last = rows.at(-1);
  if (run.frames === rows.length && (!last || last[0] === run.last)) return;
  let more = await getJson(`frames?from=${Math.max(0, rows.length - 1)}`);
  let same = rows.length === 0 || (more.length > 0 && more[0][0] === last[0] && more[0][2] === last[2]);
  if (same && rows.length > 0) more = [...rows.slice(0, -1), last, ...more.slice(1)];
  if (!same) more = await getJson('frames?from=0');
  player.setRows(more, same);
}

async function refreshTables(run) {
  const stamp = `${run.metrics_bytes}|${run.timings_bytes}`;
  if (page.seen.tables === stamp) return;
  const [metrics, timings] = await Promise.all([getPacket('table/metrics'), getPacket('table/timings')]);
  page.seen.tables = stamp;
  plots.update(metrics, timings);
}

async function refresh() {
  try {
    const opening = page.seen.first === undefined;
    // Everything the first picture needs is asked for at once.
    if (opening) player.ready = refreshObstacles();
    const [run, rows] = await Promise.all([getJson('run'), opening ? getJson('frames?from=0') : null]);
    page.offline = '';
    page.run = run;
    Object.assign(page, readRecord(run));
    if (page.staticError) page.problems.push(page.staticError);
    if (page.record.fps > 0) player.fps = page.record.fps;
    if (opening) {
      page.seen.first = true;
      cameras.load();
      surfaces.look();
      player.live = page.status === 'running';
    }
    await refreshRows(run, rows);
    if (player.shown >= 0 || player.rows.length === 0) await refreshTables(run);
    await refreshTab(controls.tab());
  } catch (e) {
    page.offline = e.message;
  }
  document.body.dataset.status = page.status;
  updateAlert();
  updateInfo();
  updateControls();
  if (player.shown >= 0 && page.frame) markFailure(player.rows[player.shown] ?? []);
}

async function refreshObstacles() {
  try {
    const loaded = await loadObstacles();
    stage.setObstacles(loaded);
    layers.materials = loaded.materials;
  } catch (e) {
    page.staticError = `static.npz: ${e.message}`;
  }
}

function draw(now) {
  player.tick(now);
  stage.render(now, player.rest(now));
  requestAnimationFrame(draw);
}

async function poll() {
  await refresh();
  const waiting = player.shown < 0 && player.rows.length > 0;
  setTimeout(poll, waiting ? 100 : page.status === 'running' ? 600 : 2500);
}

requestAnimationFrame(draw);
poll();
