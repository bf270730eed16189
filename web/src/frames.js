// Frames as the page holds them: decoded packets in a cache of bounded size, the latest wish first.
import {getPacket} from './api.js';
import {packLines, packPoints} from './packing.js';

const kMostBytes = 400e6;
const kParallel = 3;

function decodeGroup(packet, g) {
  const out = {...g, codes: packet.u16(g.position, 3 * g.count)};
  out.channels = g.channels.map((c) => ({...c, codes: packet.u8(c.at, g.count)}));
  if (g.kind === 'lines') {
    out.start = packet.u32(g.start, g.lines + 1);
    out.line = packet.u32(g.line, g.lines);
    out.packed = packLines(out.codes, out.start, g.low, g.high);
  }
  if (g.kind === 'points') out.packed = packPoints(out.codes, out.channels.find((c) => c.name === 'radius')?.codes);
  if (g.triangles !== undefined) {
    out.triangle = packet.u32(g.triangle, 3 * g.triangles);
    out.segment = packet.u32(g.segment, 2 * g.segments);
  }
  return out;
}

export function decodeFrame(packet) {
  const h = packet.header, groups = h.groups.map((g) => decodeGroup(packet, g));
  return {
    number: h.frame, time: h.time, messages: h.messages, bytes: packet.bytes + groups.reduce((a, g) => a + (g.packed?.byteLength ?? 0), 0), groups,
    obstacles: h.obstacles.map((o) => (o.transform ? o : decodeGroup(packet, o))),
  };
}

export async function loadObstacles() {
  const packet = await getPacket('obstacles');
  const h = packet.header;
  return {
    meshes: h.obstacles.map((o) => decodeGroup(packet, {...o, kind: 'mesh'})),
    materials: h.materials, messages: h.messages,
  };
}

export class FrameStore {
  constructor() {
    this.frames = new Map();   // key -> frame or {error}; oldest use first
    this.loading = new Map();  // key -> promise
    this.bytes = 0;
  }

  static key(row) {
    return `${row[0]}:${row[2]}`;
  }

  peek(row) {
    const key = FrameStore.key(row), found = this.frames.get(key);
    if (found) {
      this.frames.delete(key);
      this.frames.set(key, found);
    }
    return found;
  }

  /// Errors are remembered like frames: a damaged frame is asked for once.
  load(row) {
    const key = FrameStore.key(row);
    const held = this.peek(row);
    if (held) return Promise.resolve(held);
    if (!this.loading.has(key)) {
      const promise = getPacket(`frame/${row[0]}`)
          .then(decodeFrame)
          .catch((e) => ({error: e.message, number: row[0], time: row[1], bytes: 0}))
          .then((frame) => {
            this.loading.delete(key);
            this.keep(key, frame);
            return frame;
          });
      this.loading.set(key, promise);
    }
    return this.loading.get(key);
  }

  keep(key, frame) {
    this.frames.set(key, frame);
    this.bytes += frame.bytes;
    for (const [oldest, f] of this.frames) {
      if (this.bytes <= kMostBytes || this.frames.size <= 2) break;
      this.frames.delete(oldest);
      this.bytes -= f.bytes;
    }
  }

  /// Frames whose files have changed: they are asked for again when they are wanted.
  forget() {
    this.frames.clear();
    this.bytes = 0;
  }

  prefetch(rows) {
    for (const row of rows) {
      if (this.loading.size >= kParallel) return;
      if (!this.frames.has(FrameStore.key(row))) this.load(row);
    }
  }

  forgetErrors() {
    for (const [key, f] of this.frames) if (f.error) this.frames.delete(key);
  }
}
