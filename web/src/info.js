// The Info tab: what run.json says, and everything that could not be shown.

const kKnownFormat = 1;
const kStale = 120;  // s without a heartbeat

export function duration(s) {
  if (!Number.isFinite(s)) return '–';
  if (s < 60) return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}

export function bytes(b) {
  if (!Number.isFinite(b)) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let k = 0;
  while (b >= 1000 && k < 4) (b /= 1000), k++;
  return `${b < 10 && k ? b.toFixed(1) : Math.round(b)} ${units[k]}`;
}

const grouped = (n) => (Number.isFinite(n) ? Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f') : '–');

/// run.json as an object, with what is wrong about it.
export function readRecord(run) {
  const problems = [];
  let record = null;
  if (run.record_error) problems.push(run.record_error);
  if (run.record !== null) {
    try {
      record = JSON.parse(run.record);
    } catch (e) {
      problems.push(`run.json is damaged: ${e.message}`);
    }
  }
  if (record === null || typeof record !== 'object') record = {};
  if (record.format > kKnownFormat)
    problems.push(`This run is of format ${record.format}; this viewer knows ${kKnownFormat}. What it does not know is not shown.`);
  if (run.damaged_rows) problems.push(`frames.csv: ${run.damaged_rows} damaged rows are left out`);
  if (run.list_error) problems.push(run.list_error);
  let status = record.status ?? 'unknown';
  if (status === 'running' && run.now - record.heartbeat > kStale) {
    status = 'stalled';
    problems.push(`The run says it is running, but gave no sign of life for ${duration(run.now - record.heartbeat)}. Continue it with: rivulet resume ${run.folder}`);
  }
  return {record, status, problems};
}

function table(rows) {
  const t = document.createElement('table');
  for (const [name, value] of rows) {
    if (value === undefined || value === null) continue;
    const row = t.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  return t;
}

function heading(text) {
  const h = document.createElement('h2');
  h.textContent = text;
  return h;
}

function list(items, kind) {
  const ul = document.createElement('ul');
  ul.className = kind;
  for (const item of items) {
    const li = document.createElement('li');
    li.textContent = item;
    ul.append(li);
  }
  return ul;
}

/// How much there is that a person should read.
export const countProblems = ({record, problems, frame}) =>
  problems.length + (record.error ? 1 : 0) + (frame?.error ? 1 : 0) + (frame?.messages?.length ?? 0);

export function showInfo(element, {run, record, status, problems, frame}) {
  const parts = [];
  if (record.error) {
    const e = record.error;
    parts.push(heading('Why it failed'), list([`${e.stage}: ${e.entity}: ${e.message} (in frame ${e.frame})`], 'bad'));
  }
  if (frame?.error) parts.push(heading(`Frame ${frame.number}`), list([frame.error], 'bad'));
  if (problems.length) parts.push(heading('What cannot be shown'), list(problems, 'bad'));
  if (frame?.messages?.length) parts.push(heading(`Notes on frame ${frame.number}`), list(frame.messages, 'note'));
  if (record.warnings?.length) parts.push(heading('Warnings'), list(record.warnings, 'note'));
  if (frame?.groups) {
    parts.push(heading('In this frame'));
    parts.push(table(frame.groups.map((g) => [g.name, g.kind === 'mesh' ? `${grouped(g.triangles)} triangles, ${grouped(g.count)} of ${grouped(g.total)} vertices drawn`
      : g.kind === 'lines' ? `${grouped(g.lines)} of ${grouped(g.total_lines)} strands, ${grouped(g.count)} of ${grouped(g.total)} vertices drawn`
      : `${grouped(g.count)} of ${grouped(g.total)} drawn`])));
  }
  parts.push(heading('Run'), table([
    ['status', status], ['folder', run.folder], ['scene', record.scene], ['version', record.version],
    ['simulated', duration(record.simulated_seconds)], ['wall time', duration(record.wall_seconds)],
    ['frames', record.last_frame ? `${grouped(record.frames)} of ${grouped(record.last_frame)}` : grouped(run.frames)], ['steps', grouped(record.steps)],
    ['memory', bytes(record.peak_memory_bytes)], ['threads', record.threads], ['host', record.host],
    ['particles at most', grouped(record.particles_max)], ['strand vertices', record.vertices ? grouped(record.vertices) : undefined],
    ['grid cells at most', grouped(record.grid_cells_max)], ['seed', record.seed],
  ]));
  const stages = Object.entries(record.stages ?? {}).filter(([, s]) => s?.seconds > 0).sort((a, b) => b[1].seconds - a[1].seconds);
  if (stages.length) {
    const total = stages.reduce((a, [, s]) => a + s.seconds, 0);
    parts.push(heading('Time by stage'), table(stages.map(([n, s]) => [n.replaceAll('_', ' '), `${duration(s.seconds)}, ${Math.round((100 * s.seconds) / total)} %`])));
  }
  const at = element.scrollTop;
  element.replaceChildren(...parts);
  element.scrollTop = at;
}
