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
  const numbers = new Float32Array(bytes.length / bytesPerNumber);
  for (let index = 0; index < numbers.length; index += 1)
    numbers[index] = view.getFloat32(index * bytesPerNumber, true);
  return numbers;
}

/**
 * Decodes a vector that was requested with `output_dtype: "binary"` or `"ubinary"`: one bit for each dimension, eight in
 * a byte, the first of them the most significant.
 */
export function decodeBinaryEmbedding(
  embedding: string | readonly number[],
  outputDtype: "binary" | "ubinary",
): Uint8Array {
  const offset = outputDtype === "binary" ? 128 : 0;
  if (typeof embedding === "string" || !embedding.every((byte) => isByte(byte + offset)))
    throw new TypeError(`The embedding does not have the output_dtype ${outputDtype}.`);
  return Uint8Array.from(embedding, (byte) => byte + offset);
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}

function readBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = decode(text);
  const bytes = new Uint8Array(characters.length);
  // `Uint8Array.from` with a callback takes ten times as long.
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

/** Node 20 and browsers share `atob`, which returns one byte in each character. */
function decode(text: string): string {
  try {
    return atob(text);
  } catch (cause) {
    throw new TypeError("The embedding is not base64.", { cause });
  }
}
