// Everything is asked relative to the page's own address, which holds the token.

async function ask(name, method = 'GET') {
  let response;
  try {
    response = await fetch(new URL('api/' + name, document.baseURI), {cache: 'no-store', method});
  } catch {
    throw new Error('the viewer program does not answer');
  }
  if (response.ok) return response;
  const text = await response.text();
  let message = text.trim() || `error ${response.status}`;
  try {
    message = JSON.parse(text).error ?? message;
  } catch {
    // plain text
  }
  throw new Error(message);
}

export const getJson = async (name) => (await ask(name)).json();
export const getText = async (name) => (await ask(name)).text();
export const postJson = async (name) => (await ask(name, 'POST')).json();

/// "RVLT", length of the JSON text, the text, then arrays named by their offsets.
export async function getPacket(name) {
  const buffer = await (await ask(name)).arrayBuffer();
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== 0x544c5652) throw new Error('not a packet');
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const begin = 8 + length;
  return {
    header,
    bytes: buffer.byteLength,
    u8: (at, count) => new Uint8Array(buffer, begin + at, count),
    u16: (at, count) => new Uint16Array(buffer, begin + at, count),
    u32: (at, count) => new Uint32Array(buffer, begin + at, count),
    f32: (at, count) => new Float32Array(buffer, begin + at, count),
  };
}
