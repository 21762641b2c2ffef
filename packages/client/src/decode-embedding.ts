const bytesPerNumber = 4;

/** Decodes the vector of an embedding in either `encoding_format`. */
export function decodeEmbedding(embedding: string | readonly number[]): Float32Array {
  if (typeof embedding !== "string") return Float32Array.from(embedding);
  const bytes = readBase64(embedding);
  if (bytes.length % bytesPerNumber !== 0) {
    throw new TypeError(`An embedding has 4 bytes for each number, but this one has ${bytes.length} bytes.`);
  }
  // A DataView: the bytes are always little-endian, and a Float32Array has the byte order of the machine.
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / bytesPerNumber }, (_, index) =>
    view.getFloat32(index * bytesPerNumber, true),
  );
}

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    // Node 20 and browsers share `atob`, which returns one byte in each character.
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new TypeError("The embedding is not base64.", { cause });
  }
}
