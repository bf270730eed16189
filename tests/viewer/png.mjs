// Pixels of a screenshot: 8-bit RGB or RGBA PNG without interlace, which is what browsers write.
import {inflateSync} from 'node:zlib';

function paeth(a, b, c) {
  const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

export function decodePng(file) {
  const width = file.readUInt32BE(16), height = file.readUInt32BE(20), channels = file[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at), type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts)), stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? pixels[y * stride + x - channels] : 0;
      const above = y ? pixels[(y - 1) * stride + x] : 0;
      const corner = y && x >= channels ? pixels[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return {width, height, channels, pixels};
}

/// Part of the pixels for which `test(r, g, b)` holds.
export function share({width, height, channels, pixels}, test) {
  let count = 0;
  for (let i = 0; i < width * height; i++) {
    const k = channels * i;
    if (test(pixels[k], pixels[k + 1], pixels[k + 2])) count++;
  }
  return count / (width * height);
}

/// Part of the pixels that differ by more than `most` in some colour.
export function difference(a, b, most = 12) {
  let count = 0;
  for (let i = 0; i < a.width * a.height; i++) {
    for (let c = 0; c < 3; c++)
      if (Math.abs(a.pixels[a.channels * i + c] - b.pixels[b.channels * i + c]) > most) {
        count++;
        break;
      }
  }
  return count / (a.width * a.height);
}
