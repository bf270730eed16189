// Buttons, time line, tabs and keys.

const icons = {
  first: 'M5 4h2v12H5zM16 4v12L8 10z', previous: 'M13 4v12l-8-6z', play: 'M6 3l11 7-11 7z',
  pause: 'M5 4h4v12H5zM11 4h4v12h-4z', next: 'M7 4l8 6-8 6z', last: 'M13 4h2v12h-2zM4 4l8 6-8 6z',
};
const statusWords = {running: 'running', finished: 'finished', interrupted: 'interrupted', failed: 'failed', stalled: 'no sign of life', unknown: 'unknown'};
const $ = (id) => document.getElementById(id);

function setIcon(button, name) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.innerHTML = `<svg viewBox="0 0 20 20"><path d="${icons[name]}"/></svg>`;
}

export function bindControls(player, stage, openTab) {
  const damaged = new Set();
  let tab = 'plots';

  for (const name of ['first', 'previous', 'next', 'last']) setIcon($(name), name);
  $('first').onclick = () => player.step(-Infinity);
  $('last').onclick = () => player.step(Infinity);
  $('previous').onclick = () => player.step(-1);
  $('next').onclick = () => player.step(1);
  $('play').onclick = () => player.toggle();
  $('fit').onclick = () => stage.fit();
  $('help').onclick = () => ($('keys').hidden = !$('keys').hidden);
  $('keys').onclick = () => ($('keys').hidden = true);
  $('loop').onclick = () => toggleLoop();
  $('live').onclick = () => player.follow(!player.live);
  $('speed').onchange = (e) => {
    player.speed = Number(e.target.value);
    e.target.blur();
  };
  $('timeline').oninput = (e) => player.step(Number(e.target.value) - player.index);

  function toggleLoop() {
    player.loop = !player.loop;
    update();
  }

  function select(name) {
    tab = name;
    for (const b of document.querySelectorAll('[role=tab]')) {
      b.setAttribute('aria-selected', String(b.dataset.tab === name));
      $(b.dataset.tab).hidden = b.dataset.tab !== name;
    }
    openTab(name);
  }
  for (const b of document.querySelectorAll('[role=tab]')) b.onclick = () => select(b.dataset.tab);

  const keys = {
    ' ': () => player.toggle(),
    ArrowLeft: (e) => player.step(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => player.step(e.shiftKey ? 10 : 1),
    Home: () => player.step(-Infinity),
    End: () => player.step(Infinity),
    f: () => stage.fit(),
    l: () => player.follow(!player.live),
    r: toggleLoop,
    p: () => document.body.classList.toggle('wide'),
    '?': () => $('help').click(),
    Escape: () => ($('keys').hidden = true),
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLSelectElement) return;
    const action = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action(e);
  });

  let lastPage = null;
  function update(page = lastPage) {
    lastPage = page;
    const n = player.rows.length, row = player.rows[player.index];
    const line = $('timeline');
    line.max = String(Math.max(0, n - 1));
    line.value = String(Math.max(0, player.index));
    line.style.setProperty('--part', `${n > 1 ? (100 * player.index) / (n - 1) : 0}%`);
    setIcon($('play'), player.playing ? 'pause' : 'play');
    $('play').title = player.playing ? 'Pause (Space)' : 'Play (Space)';
    $('loop').setAttribute('aria-pressed', String(player.loop));
    $('live').setAttribute('aria-pressed', String(player.live));
    $('clock').firstChild.textContent = row ? `${row[1].toFixed(3)} s` : '–';
    $('clock').lastChild.textContent = row ? `frame ${row[0]} of ${player.rows.at(-1)[0]}` : '';
    document.body.dataset.playing = String(player.playing);
    document.body.dataset.frames = String(n);
    if (!page?.run) return;
    $('folder').textContent = page.run.folder;
    $('status').textContent = statusWords[page.status] ?? page.status;
    $('status').dataset.status = page.status;
    $('live').disabled = page.status !== 'running' && !player.live;
    const r = page.record, parts = [];
    if (r.last_frame > 0 && page.status === 'running') parts.push(`frame ${r.frames} of ${r.last_frame}`);
    if (r.particles_max > 0) parts.push(`${r.particles_max.toLocaleString('en').replaceAll(',', '\u202f')} particles`);
    if (r.vertices > 0) parts.push(`${r.vertices.toLocaleString('en').replaceAll(',', '\u202f')} strand vertices`);
    $('numbers').textContent = parts.join('  ·  ');
    drawMarks(n);
  }

  function drawMarks(n) {
    const text = [...damaged].join();
    if ($('marks').dataset.of === `${text}|${n}`) return;
    $('marks').dataset.of = `${text}|${n}`;
    $('marks').replaceChildren(...[...damaged].filter((k) => k < n).map((k) => {
      const mark = document.createElement('i');
      mark.style.left = `${n > 1 ? (100 * k) / (n - 1) : 0}%`;
      return mark;
    }));
  }

  return {update, tab: () => tab, markDamaged: (k) => damaged.add(k)};
}
