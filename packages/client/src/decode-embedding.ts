const bytesPerNumber = 4;

/** Reads the vector of an embedding, whichever `encoding_format` it came in. */
export function decodeEmbedding(embedding: string | readonly number[]): Float32Array {
  if (typeof embedding !== "string") return Float32Array.from(embedding);
  const bytes = readBase64(embedding);
  if (bytes.length % bytesPerNumber !== 0) {
    throw new TypeError(`An embedding has 4 bytes for each number; ${bytes.length} bytes were given.`);
  }
  // A DataView, since the bytes are little-endian on every machine and a Float32Array is not.
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / bytesPerNumber }, (_, index) =>
    view.getFloat32(index * bytesPerNumber, true),
  );
}

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    // `atob` is what Node 20 and browsers share; it writes one byte in each character.
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new TypeError("The embedding is not base64.", { cause });
  }
}
