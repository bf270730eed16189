// Buttons that have the viewer program make surfaces, as `rivulet surface` does: one job at a time, with its progress.
import {getJson, postJson} from './api.js';
import {isSurface, isWet} from './groups.js';

export class SurfaceButtons {
  /// shown(): number of the frame that is shown; made(): called when there are new surfaces.
  constructor(element, shown, made) {
    this.element = element;
    this.made = made;
    this.state = {running: false, error: ''};
    this.wet = false;      // the frame has liquid
    this.covered = false;  // and a surface
    const button = (name, text, title, action) => {
      const b = Object.assign(document.createElement('button'), {textContent: text, title});
      b.dataset.action = name;
      b.onclick = () => this.ask(action());
      element.append(b);
      return b;
    };
    this.one = button('one', 'Make surface', 'Make the surface of the liquid in this frame', () => `surface?frame=${shown()}`);
    this.all = button('all', 'of all frames', 'Make the surface of every frame that has none', () => 'surface?frame=all');
    this.bar = Object.assign(document.createElement('progress'), {max: 1, value: 0});
    this.stop = button('stop', 'Stop', 'Stop making surfaces', () => 'surface/stop');
    this.error = Object.assign(document.createElement('p'), {role: 'alert'});
    element.insertBefore(this.bar, this.stop);
    element.append(this.error);
    this.update();
  }

  show(frame) {
    const has = (kind) => frame.groups?.some((g) => kind(g) && g.count > 0) ?? false;
    this.wet = has(isWet);
    this.covered = has(isSurface);
    this.update();
  }

  async ask(address) {
    try {
      this.take(await postJson(address));
      this.look();
    } catch (e) {
      this.take({...this.state, error: e.message});
    }
  }

  /// Follows a job until it ends.
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      do {
        const before = this.state.running;
        this.take(await getJson('surface'));
        if (before && !this.state.running && this.state.made > 0) this.made();
        if (this.state.running) await new Promise((r) => setTimeout(r, 300));
      } while (this.state.running);
    } catch (e) {
      this.take({running: false, error: e.message});
    }
    this.looking = false;
  }

  take(state) {
    this.state = state;
    this.update();
  }

  update() {
    const {running, done, frames, error} = this.state;
    this.one.hidden = running || this.covered;
    this.all.hidden = running;
    this.all.textContent = this.covered ? 'Make all surfaces' : 'of all frames';
    this.bar.hidden = this.stop.hidden = !running;
    if (running) {
      this.bar.value = frames > 0 ? done / frames : 0;
      this.bar.title = `${Math.floor(done)} of ${frames} frames`;
    }
    this.error.textContent = error ?? '';
    this.error.hidden = !error;
    this.element.hidden = !this.wet && !running && !error;
    this.element.dataset.running = String(Boolean(running));
  }
}
