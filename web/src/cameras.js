// The scene's cameras, to look through.
import {getJson} from './api.js';

export class Cameras {
  constructor(list, stage) {
    this.list = list;
    this.stage = stage;
    this.cameras = [];
    list.addEventListener('change', () => {
      const camera = this.cameras[Number(list.value)];
      if (camera) stage.lookThrough(camera);
      else stage.fit();
      list.blur();
    });
    // Moved by hand it is no camera of the scene any more.
    stage.moved = () => (list.value = '');
    document.getElementById('fit').addEventListener('click', stage.moved);
  }

  /// A scene that cannot be read has none.
  async load() {
    try {
      this.cameras = await getJson('cameras');
    } catch {
      this.cameras = [];
    }
    this.list.replaceChildren(new Option('free', ''), ...this.cameras.map((c, k) => new Option(c.name, String(k))));
    this.list.hidden = this.cameras.length === 0;
  }
}
