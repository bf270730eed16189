// What each channel is called, how it is coloured, and the range it is shown over.
import {palette, categoryPalette, cssGradient, shortNumber} from './colour.js';
import {favourites, isBulk, isSurface, rank, titleOf} from './groups.js';

const channelNames = {
  speed: 'speed', age: 'age', material: 'material', radius: 'radius', volume: 'rest volume',
  volume_ratio: 'volume ratio', film_area: 'film', film_velocity: 'film flow', film_strain: 'film strain',
  twist: 'twist', strain: 'strain', saturation: 'saturation',
};
const order = ['speed', 'age', 'material', 'film_area', 'twist', 'strain', 'saturation', 'film_velocity',
               'film_strain', 'volume_ratio'];
const dull = new Set(['radius', 'volume']);
const signed = new Set(['twist', 'film_velocity', 'strain', 'film_strain']);

/// `materials`: those that the group's channel "material" points into.
export function paletteFor(channel, materials) {
  if (channel.exact) return categoryPalette(channel.name === 'material' ? materials.map((m) => m.color) : []);
  if (signed.has(channel.name)) return palette('split');
  if (channel.name === 'saturation' || channel.name === 'film_area') return palette('wet');
  return palette(channel.name === 'age' ? 'heat' : 'sea');
}

/// Strands that are thick for what is seen of them are drawn as tubes, hair as lines.
function firstStyle(group) {
  const size = Math.hypot(...group.high.map((h, a) => h - group.low[a]));
  const radius = group.channels.find((c) => c.name === 'radius');
  return radius && radius.high > size / 1000 ? 'tubes' : 'lines';
}

/// Which layers there are, whether they are shown and what colours them; tells `changed` after every click.
export class Layers {
  constructor(element, changed) {
    this.element = element;
    this.changed = changed;
    this.layers = new Map();  // name -> {title, visible, channel, ranges, channels}
    this.materials = {};  // table -> [{name, color}]
    this.signature = '';
  }

  layer(name) {
    if (!this.layers.has(name)) this.layers.set(name, {visible: true, channel: undefined, ranges: {}, channels: []});
    return this.layers.get(name);
  }

  materialsOf(group) {
    return this.materials[group.materials] ?? [];
  }

  /// The colour of a group that is of one material, linear; undefined when the run does not say.
  plainColour(group) {
    const colour = this.materialsOf(group)[0]?.color;
    return colour?.every((c) => c !== null) ? colour : undefined;
  }

  /// Learns the groups and ranges of a frame that was loaded.
  learn(frame) {
    // A surface stands for the particles, until somebody wants to see these.
    if (frame.groups.some((g) => isSurface(g) && !this.layers.has(g.name)))
      for (const g of frame.groups.filter(isBulk)) if (!this.layer(g.name).chosen) this.layer(g.name).visible = false;
    for (const group of frame.groups) {
      const layer = this.layer(group.name);
      layer.title = titleOf(group);
      layer.channels = group.channels.filter((c) => !dull.has(c.name));
      layer.channels.sort((a, b) => ((order.indexOf(a.name) + 100) % 100) - ((order.indexOf(b.name) + 100) % 100));
      for (const c of layer.channels) {
        const known = layer.ranges[c.name];
        if (c.exact || c.low === null) layer.ranges[c.name] = {low: 0, high: 255};
        else if (!known) layer.ranges[c.name] = {low: c.low, high: c.high};
        else layer.ranges[c.name] = {low: Math.min(known.low, c.low), high: Math.max(known.high, c.high)};
      }
      if (layer.channel === undefined) layer.channel = this.firstChoice(group, layer);
      if (group.kind === 'lines' && !layer.style) layer.style = firstStyle(group);
    }
    if (frame.obstacles.length) {
      this.layer('obstacles').title = 'Obstacles';
      this.layer('obstacles').channel ??= 'auto';
    }
  }

  firstChoice(group, layer) {
    const there = favourites(group).filter((n) => layer.channels.some((c) => c.name === n));
    const varies = (n) => layer.channels.some((c) => c.name === n && (c.exact || c.high > c.low));
    return there.find(varies) ?? there.at(-1) ?? 'plain';
  }

  /// The range a channel is drawn over: about zero for signed ones, from zero for the others.
  range(name, channel) {
    const r = this.layer(name).ranges[channel] ?? {low: 0, high: 1};
    if (signed.has(channel)) {
      const most = Math.max(Math.abs(r.low), Math.abs(r.high)) || 1;
      return {low: -most, high: most};
    }
    if (channel === 'saturation') return {low: 0, high: 1};
    const low = channel === 'volume_ratio' ? r.low : Math.min(0, r.low);
    return {low, high: r.high > low ? r.high : low + 1};
  }

  /// Draws the card; kept as it is while nothing but numbers changed.
  show(frame) {
    const present = [...frame.groups].sort((a, b) => rank(a) - rank(b)).map((g) => g.name);
    if (frame.obstacles.length) present.push('obstacles');
    const signature = JSON.stringify(present.map((n) => {
      const l = this.layer(n);
      return [n, l.visible, l.channel, l.style, l.channels.map((c) => c.name)];
    }));
    if (signature !== this.signature) {
      this.signature = signature;
      this.element.replaceChildren(...present.map((n) => this.row(n)));
    }
    for (const n of present) this.updateLegend(n, frame);
  }

  row(name) {
    const layer = this.layer(name);
    const row = document.createElement('div');
    row.className = 'layer';
    row.dataset.layer = name;
    const label = document.createElement('label');
    const box = Object.assign(document.createElement('input'), {type: 'checkbox', checked: layer.visible});
    box.addEventListener('change', () => this.set(name, {visible: box.checked, chosen: true}));
    label.append(box, layer.title);
    label.title = `Show or hide: ${layer.title}`;
    row.append(label);
    if (layer.style) row.append(this.choice(name, 'style', 'How strands are drawn', [['lines', 'lines'], ['tubes', 'tubes']]));
    row.append(name === 'obstacles'
        ? this.choice(name, 'channel', 'How obstacles are drawn', [['auto', 'as they are'], ['clear', 'translucent'], ['solid', 'solid']])
        : this.choice(name, 'channel', 'What the colour shows',
                      [...layer.channels.map((c) => [c.name, channelNames[c.name] ?? c.name.replaceAll('_', ' ')]), ['plain', 'plain']]));
    const legend = document.createElement('div');
    legend.className = 'legend';
    row.append(legend);
    return row;
  }

  /// A list to choose `what` of a layer from.
  choice(name, what, title, options) {
    const list = Object.assign(document.createElement('select'), {title, className: what});
    for (const [value, text] of options) list.add(new Option(text, value, false, value === this.layer(name)[what]));
    list.addEventListener('change', () => {
      this.set(name, {[what]: list.value});
      list.blur();
    });
    return list;
  }

  set(name, change) {
    Object.assign(this.layer(name), change);
    this.signature = '';
    this.changed();
  }

  updateLegend(name, frame) {
    const legend = this.element.querySelector(`[data-layer="${CSS.escape(name)}"] .legend`);
    const layer = this.layer(name);
    const group = frame.groups.find((g) => g.name === name);
    const channel = group?.channels.find((c) => c.name === layer.channel);
    legend.hidden = !channel || !layer.visible;
    if (legend.hidden) return;
    const p = paletteFor(channel, this.materialsOf(group));
    if (channel.exact) return this.showCategories(legend, group, channel, p);
    const {low, high} = this.range(name, channel.name);
    const middle = (low + high) / 2;
    const unit = channel.unit ? ' ' + channel.unit.replace('^2', '²').replace('^3', '³').replace('*', '·') : '';
    const texts = [low, middle, high].map((v, i) => shortNumber(v) + (i === 2 ? unit : ''));
    if (!this.renews(legend, [p.name, ...texts])) return;
    legend.className = 'legend';
    legend.innerHTML = '<i></i><span></span><span></span><span></span>';
    legend.querySelector('i').style.background = cssGradient(p);
    [...legend.querySelectorAll('span')].forEach((s, i) => (s.textContent = texts[i]));
  }

  /// False when the legend says this already: while playing, a card that stays as it is need not be drawn again.
  renews(legend, content) {
    const text = content.join('|');
    if (legend.dataset.says === text) return false;
    legend.dataset.says = text;
    return true;
  }

  showCategories(legend, group, channel, p) {
    const present = [...new Set(channel.codes)].sort((a, b) => a - b).slice(0, 12);
    const named = channel.name === 'material' ? this.materialsOf(group) : [];
    if (!this.renews(legend, [p.name, ...present])) return;
    legend.className = 'legend swatches';
    legend.replaceChildren(...present.map((k) => {
      const s = document.createElement('span');
      const b = document.createElement('b');
      b.style.background = `rgb(${p.data[4 * k]},${p.data[4 * k + 1]},${p.data[4 * k + 2]})`;
      s.append(b, named[k]?.name || String(k));
      return s;
    }));
  }
}
