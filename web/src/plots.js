// Plots over time with uPlot: one card per question, the current frame as a line, click to go there.
import uPlot from 'uplot';
import {categories, shortNumber} from './colour.js';

const columnsOf = (table) => {
  const {columns, rows, values} = table.header;
  const all = table.f32(values, rows * columns.length), out = {};
  columns.forEach((name, c) => {
    const column = new Float64Array(rows);
    for (let r = 0; r < rows; r++) column[r] = all[r * columns.length + c];
    out[name] = column;
  });
  return out;
};

const litres = (most) => (most >= 1e-3 ? [1e3, 'L'] : most >= 1e-6 ? [1e6, 'mL'] : [1e9, 'µL']);
const seconds = (most) => (most >= 1 ? [1, 's'] : most >= 1e-3 ? [1e3, 'ms'] : [1e6, 'µs']);
const joules = (most) => (most >= 1 ? [1, 'J'] : most >= 1e-3 ? [1e3, 'mJ'] : [1e6, 'µJ']);
const count = () => [1, ''];

const questions = [
  {id: 'volume', title: 'Liquid volume', scale: litres, series: {volume_bulk: 'bulk', volume_film: 'film', volume_fabric: 'fabric', volume_in: 'in', volume_out: 'out'}},
  {id: 'volume_error', title: 'Volume error', scale: () => [1, 'relative'], series: {volume_error: 'error'}, always: true},
  {id: 'energy', title: 'Energy', scale: joules, series: {energy_kinetic: 'kinetic', energy_elastic: 'elastic', energy_gravity: 'gravity', energy_surface: 'surface of films'}},
  {id: 'dt', title: 'Step size', scale: seconds, series: {dt: 'dt'}},
  {id: 'stages', title: 'Wall time per step, by stage', scale: seconds, stacked: true},
  {id: 'iterations', title: 'Iterations', scale: count, series: {newton_iterations: 'Newton', pressure_iterations: 'pressure', shear_iterations: 'shear', contact_iterations: 'contact'}},
  {id: 'contacts', title: 'Contacts', scale: count, series: {contacts: 'contacts'}},
  {id: 'contact_residual', title: 'Contact residual', scale: () => [1, 'relative'], series: {contact_residual: 'residual'}},
  {id: 'contact_rounds', title: 'Rounds of contact', scale: count, series: {contact_rounds: 'rounds', contact_zones: 'zones'}},
  {id: 'particles', title: 'Particles', scale: count, series: {particles: 'particles'}},
  {id: 'max_speed', title: 'Largest speed', scale: () => [1, 'm/s'], series: {max_speed: 'speed'}},
];

const most = (column) => column.reduce((a, v) => Math.max(a, Math.abs(v) || 0), 0);

/// Time of each step of `steps`, from the metrics table.
function timesOfSteps(steps, metrics) {
  const out = new Float64Array(steps.length);
  let k = 0;
  for (let i = 0; i < steps.length; i++) {
    while (k + 1 < metrics.step.length && metrics.step[k] < steps[i]) k++;
    out[i] = metrics.time[k] ?? steps[i];
  }
  return out;
}

export class Plots {
  constructor(element, seekTime) {
    this.element = element;
    this.seekTime = seekTime;
    this.cards = new Map();
    this.now = 0;
    new ResizeObserver(() => this.resize()).observe(element);
  }

  update(metricsTable, timingsTable) {
    const metrics = columnsOf(metricsTable), timings = timingsTable && columnsOf(timingsTable);
    if (!metrics.time || metrics.time.length === 0) {
      this.element.dataset.rows = '0';
      if (this.cards.size === 0) this.element.textContent = 'No steps yet.';
      return;
    }
    for (const q of questions) {
      const plotted = q.stacked ? this.stack(timings, metrics) : this.lines(q, metrics);
      if (plotted) this.draw(q, plotted);
    }
    this.element.dataset.rows = String(metricsTable.header.rows_of_file);
  }

  lines(q, metrics) {
    const present = Object.entries(q.series).filter(([c]) => metrics[c] && (q.always || most(metrics[c]) > 0));
    if (present.length === 0) return null;
    const [factor, unit] = q.scale(Math.max(...present.map(([c]) => most(metrics[c]))));
    return {x: metrics.time, unit, labels: present.map(([, label]) => label),
            colours: present.map(([c]) => categories[Object.keys(q.series).indexOf(c)]),
            data: present.map(([c]) => metrics[c].map((v) => v * factor))};
  }

  /// The largest stages one on top of the other, the rest as one.
  stack(timings, metrics) {
    if (!timings?.step || timings.step.length === 0) return null;
    const sum = (column) => column.reduce((a, v) => a + (v || 0), 0);
    const stages = Object.keys(timings).filter((n) => n !== 'step' && n !== 'total' && sum(timings[n]) > 0);
    stages.sort((a, b) => sum(timings[b]) - sum(timings[a]));
    const shown = stages.slice(0, 7), rest = stages.slice(7);
    const parts = shown.map((n) => timings[n]);
    if (rest.length) parts.push(timings.step.map((_, i) => rest.reduce((a, n) => a + (timings[n][i] || 0), 0)));
    const total = new Float64Array(timings.step.length);
    const sums = parts.map((p) => p.map((v, i) => (total[i] += v || 0)));
    const [factor, unit] = seconds(most(total));
    const labels = shown.map((n) => n.replaceAll('_', ' '));
    if (rest.length) labels.push('other');
    return {x: timesOfSteps(timings.step, metrics), unit, labels, stacked: true,
            colours: labels.map((_, i) => categories[i % categories.length]),
            data: sums.map((s) => s.map((v) => v * factor))};
  }

  draw(q, plotted) {
    const signature = JSON.stringify([plotted.labels, plotted.unit]);
    const data = [plotted.x, ...plotted.data];
    if (plotted.stacked) data.splice(1, Infinity, ...plotted.data.slice().reverse());
    const card = this.cards.get(q.id);
    if (card && card.signature === signature) {
      card.plotted = plotted;
      card.plot.setData(data);
      this.placeNow(card);
      return;
    }
    const box = card?.box ?? document.createElement('figure');
    if (!card) {
      if (this.cards.size === 0) this.element.textContent = '';
      box.dataset.plot = q.id;
      this.element.append(box);
      this.sort();
    }
    card?.plot.destroy();
    box.replaceChildren(this.heading(q, plotted));
    const plot = new uPlot(this.options(plotted), data, box);
    plot.over.addEventListener('click', () => {
      const time = plot.posToVal(plot.cursor.left, 'x');
      if (Number.isFinite(time)) this.seekTime(time);
    });
    plot.over.title = 'Click to go to this time';
    const line = document.createElement('i');
    line.className = 'now';
    plot.over.append(line);
    const made = {signature, box, plot, line, plotted};
    this.cards.set(q.id, made);
    this.placeNow(made);
  }

  sort() {
    const place = (f) => questions.findIndex((q) => q.id === f.dataset.plot);
    this.element.append(...[...this.element.children].sort((a, b) => place(a) - place(b)));
  }

  /// Numbers under the crosshair, in every plot: the time beside the title, a value beside each name.
  showValues(plot) {
    const card = [...this.cards.values()].find((c) => c.plot === plot);
    if (!card) return;
    const at = plot.cursor.idx, {plotted, box} = card;
    const there = at !== null && at !== undefined && plot.cursor.left >= 0;
    box.querySelector('time').textContent = there ? `${shortNumber(plotted.x[at])} s` : '';
    // Stacked plots hold sums: a part is what it adds to the one below.
    const value = (i) => plotted.data[i][at] - (plotted.stacked && i > 0 ? plotted.data[i - 1][at] : 0);
    for (const [i, out] of [...box.querySelectorAll('output')].entries()) out.textContent = there ? shortNumber(value(i)) : '';
  }

  heading(q, plotted) {
    const caption = document.createElement('figcaption');
    const title = document.createElement('b');
    title.textContent = q.title + (plotted.unit ? `, ${plotted.unit}` : '');
    const several = plotted.stacked || Object.keys(q.series).length > 1;
    caption.append(title, document.createElement('time'));
    if (!several) caption.append(document.createElement('output'));
    if (several)
      for (const [i, label] of plotted.labels.entries()) {
        const key = document.createElement('span'), dot = document.createElement('i');
        dot.style.background = plotted.colours[i];
        key.append(dot, label, document.createElement('output'));
        caption.append(key);
      }
    return caption;
  }

  options(plotted) {
    const axis = {stroke: '#9aa1a9', font: '11px system-ui, sans-serif', grid: {stroke: '#2c3035', width: 1}, ticks: {stroke: '#2c3035', size: 4}};
    const n = plotted.labels.length;
    const series = plotted.labels.map((label, i) => ({label, stroke: plotted.colours[i], width: 1.5, points: {show: false},
                                                      ...(plotted.stacked ? {fill: plotted.colours[i], width: 0} : {})}));
    if (plotted.stacked) series.reverse();
    return {
      width: this.width(), height: plotted.stacked ? 150 : 116, legend: {show: false}, padding: [6, 10, 0, 0],
      cursor: {y: false, drag: {x: false, y: false}, points: {size: 5}, sync: {key: 'time'}}, select: {show: false},
      hooks: {setCursor: [(u) => this.showValues(u)]},
      scales: {x: {time: false}, y: {range: (u, low, high) => this.span(low, high, plotted.stacked && n)}},
      axes: [{...axis, size: 24, values: (u, v) => v.map((t) => `${shortNumber(t)}${t === v.at(-1) ? ' s' : ''}`)},
             {...axis, size: 58, values: (u, v) => v.map(shortNumber), space: 26}],
      series: [{}, ...series],
    };
  }

  span(low, high, fromZero) {
    if (low === null || high === null) return [0, 1];
    const from = fromZero || (low >= 0 && low < 0.5 * high) ? 0 : low;
    const margin = (high - from) * 0.06 || Math.abs(high) * 0.1 || 1e-16;
    return [from === 0 ? 0 : from - margin, high + margin];
  }

  /// The line at the shown time: an element that moves, so that no plot is drawn again for it.
  placeNow({plot, line}) {
    const x = plot.valToPos(this.now, 'x');
    const width = plot.bbox.width / devicePixelRatio;  // as uPlot holds it: asking the element would lay the page out
    line.hidden = !(x > -2 && x < width + 2);
    line.style.transform = `translateX(${Math.min(Math.max(x, 0), width - 1)}px)`;
  }

  setNow(time) {
    this.now = time;
    if (!this.element.hidden) for (const card of this.cards.values()) this.placeNow(card);
  }

  width() {
    return Math.max(160, this.element.clientWidth - 24);
  }

  resize() {
    if (this.element.hidden) return;
    for (const card of this.cards.values()) {
      if (card.plot.width !== this.width()) card.plot.setSize({width: this.width(), height: card.plot.height});
      this.placeNow(card);
    }
  }
}
