// Which frame is wanted, playing, live following. Draws nothing itself.
import {FrameStore} from './frames.js';

export class Player {
  /// show(row, frame), changed(): called when there is something new to show.
  constructor(show, changed) {
    this.store = new FrameStore();
    this.rows = [];       // [frame, time, hash]
    this.index = -1;      // wanted
    this.shown = -1;
    this.playing = false;
    this.loop = true;
    this.live = false;
    this.speed = 1;
    this.fps = 30;
    this.show = show;
    this.changed = changed;
    this.busy = false;
    this.due = 0;
    this.ready = null;    // what the first picture waits for besides its frame
  }

  setRows(rows, stillSame) {
    if (!stillSame) this.store = new FrameStore();
    this.rows = rows;
    if (rows.length === 0) return;
    if (this.index < 0) this.seek(this.live ? rows.length - 1 : 0);
    else if (this.live) this.seek(rows.length - 1);
    else if (this.index >= rows.length || !stillSame) this.seek(Math.min(this.index, rows.length - 1));
    this.changed();
  }

  seek(index) {
    if (this.rows.length === 0) return;
    this.index = Math.max(0, Math.min(this.rows.length - 1, index));
    this.changed();
    this.fetch();
  }

  /// A step by hand ends playing and following.
  step(by) {
    this.pause();
    this.live = false;
    this.seek(this.index + by);
  }

  seekTime(time) {
    let low = 0, high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle][1] < time) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && time - this.rows[low - 1][1] < this.rows[low][1] - time) low--;
    this.step(low - this.index);
  }

  play() {
    if (this.rows.length < 2) return;
    this.live = false;
    this.playing = true;
    this.due = performance.now();
    if (this.index >= this.rows.length - 1) this.seek(0);
    this.changed();
  }
  pause() {
    this.playing = false;
    this.changed();
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  follow(on) {
    this.live = on;
    if (on) {
      this.playing = false;
      this.seek(this.rows.length - 1);
    }
    this.changed();
  }

  /// Loads the wanted frame; wishes that come meanwhile replace each other.
  async fetch() {
    if (this.busy) return;
    this.busy = true;
    while (this.index !== this.shown || this.shownRow !== this.rows[this.index]) {
      const index = this.index, row = this.rows[index];
      if (!row) break;
      const [frame] = await Promise.all([this.store.load(row), this.ready]);
      if (this.rows[index] !== row) continue;
      this.shown = index;
      this.shownRow = row;
      this.show(row, frame);
    }
    this.busy = false;
    this.prefetch();
  }

  /// The run's files changed under the frames that are held.
  reload() {
    this.store.forget();
    this.shown = -1;
    this.fetch();
  }

  prefetch() {
    const ahead = [];
    for (let k = 1; k <= 8; k++) {
      const next = this.index + k;
      if (next < this.rows.length) ahead.push(this.rows[next]);
      else if (this.loop && this.playing) ahead.push(this.rows[next % this.rows.length]);
    }
    this.store.prefetch(ahead);
  }

  /// How long the frame that is shown stays [ms].
  rest(now) {
    return this.playing ? this.due - now : Infinity;
  }

  /// Called for every picture of the screen.
  tick(now) {
    if (!this.playing || this.busy || now < this.due) return;
    let next = this.index + 1;
    if (next >= this.rows.length) {
      if (!this.loop) return this.pause();
      next = 0;
    }
    const held = this.store.peek(this.rows[next]);
    if (!held) return this.prefetch();
    const gap = Math.abs(this.rows[next][1] - this.rows[this.index][1]);
    const wait = 1000 * (next === 0 ? 0.3 : gap > 0 ? gap : 1 / this.fps) / this.speed;
    this.due = Math.max(this.due + wait, now);
    this.seek(next);
  }
}
