import type { Steps } from "@model-gateway/runtime/time-slice";

/* The length of sound, from its container. Undefined where the container does not say it. */

const stepBlocks = 2000;
/** A minute of sound has fewer than 3,000 frames or pages. */
const blocksMax = 1_000_000;
/** Places that look like the next frame or page, and are not. */
const missesMax = 10_000;

/** https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
export function* wavSeconds(file: Buffer): Steps<number | undefined> {
  let bytesPerSecond = 0;
  let blocks = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const type = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const start = at + 8;
    if (type === "fmt " && start + 16 <= file.length) {
      // The lower of two rates that contradict each other is the longer sound.
      const byRate = file.readUInt32LE(start + 4) * file.readUInt16LE(start + 12);
      const stated = file.readUInt32LE(start + 8);
      bytesPerSecond = byRate > 0 && stated > 0 ? Math.min(byRate, stated) : Math.max(byRate, stated);
    }
    // A recorder that streams leaves the size open.
    if (type === "data") return secondsOf(Math.min(size || file.length, file.length - start), bytesPerSecond);
    at = start + size + (size % 2);
    blocks += 1;
    if (blocks > missesMax) return undefined;
    if (blocks % stepBlocks === 0) yield;
  }
  return undefined;
}

/** The rates of MPEG 1, and bit rates in kbit/s of layer III. http://www.mp3-tech.org/programmer/frame_header.html */
const mpegRates = [44_100, 48_000, 32_000];
const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Every frame is counted: a head with their number may be missing, or wrong. */
export function* mp3Seconds(file: Buffer): Steps<number | undefined> {
  let seconds = 0;
  let frames = 0;
  let misses = 0;
  for (let at = afterId3(file); at !== -1 && at + 4 <= file.length; ) {
    const frame = readFrame(file.readUInt32BE(at));
    if (frame === undefined) {
      misses += 1;
      at = file.indexOf(0xff, at + 1);
    } else frames += 1;
    if (misses > missesMax || frames > blocksMax) return undefined;
    if ((frames + misses) % stepBlocks === 0) yield;
    if (frame === undefined) continue;
    seconds += frame.seconds;
    at += frame.bytes;
  }
  return frames === 0 ? undefined : seconds;
}

export function isMp3(start: Buffer): boolean {
  if (start.toString("latin1", 0, 3) === "ID3") return true;
  return start.length >= 4 && readFrame(start.readUInt32BE(0)) !== undefined;
}

function afterId3(file: Buffer): number {
  if (file.toString("latin1", 0, 3) !== "ID3" || file.length < 10) return 0;
  // Seven bits in each byte.
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((file[at] ?? 0) & 0x7f), 0);
  return 10 + size;
}

/** A frame of layer III. */
function readFrame(head: number): { readonly seconds: number; readonly bytes: number } | undefined {
  const version = (head >>> 19) & 3;
  const layer = (head >>> 17) & 3;
  const isMpeg1 = version === 3;
  const rate = (mpegRates[(head >>> 10) & 3] ?? 0) / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const kilobits = (isMpeg1 ? bitRates1 : bitRates2)[(head >>> 12) & 15] ?? 0;
  if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1 || rate === 0 || kilobits === 0) return undefined;
  const samples = isMpeg1 ? 1152 : 576;
  const bytes = Math.floor(((samples / 8) * kilobits * 1000) / rate) + ((head >>> 9) & 1);
  return { seconds: samples / rate, bytes };
}

/** https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
export function flacSeconds(file: Buffer): number | undefined {
  if (file.length < 26) return undefined;
  const rate = file.readUIntBE(18, 3) >>> 4;
  const samples = ((file[21] ?? 0) & 15) * 2 ** 32 + file.readUInt32BE(22);
  return samples === 0 ? undefined : secondsOf(samples, rate);
}

/** Pages of Opus and Vorbis say how many samples end in them. https://www.rfc-editor.org/rfc/rfc3533#section-6 */
export function* oggSeconds(file: Buffer): Steps<number | undefined> {
  const rate = oggRate(file);
  let samples = 0;
  let pages = 0;
  let misses = 0;
  for (let at = 0; at !== -1 && at + 27 <= file.length; ) {
    pages += 1;
    if (misses > missesMax || pages > blocksMax) return undefined;
    if (pages % stepBlocks === 0) yield;
    if (file.toString("latin1", at, at + 4) !== "OggS") {
      misses += 1;
      at = file.indexOf("OggS", at + 1, "latin1");
      continue;
    }
    const [low, high] = [file.readUInt32LE(at + 6), file.readUInt32LE(at + 10)];
    // All bits: no sample ends in the page.
    if (high < 0xffff_ffff) samples = Math.max(samples, high * 2 ** 32 + low);
    const segments = file[at + 26] ?? 0;
    let size = 27 + segments;
    for (const length of file.subarray(at + 27, at + 27 + segments)) size += length;
    at += size;
  }
  return samples === 0 ? undefined : secondsOf(samples, rate);
}

function oggRate(file: Buffer): number {
  const first = 27 + (file[26] ?? 0);
  if (file.toString("latin1", first, first + 8) === "OpusHead") return 48_000;
  const isVorbis = file.toString("latin1", first, first + 7) === "\x01vorbis" && first + 16 <= file.length;
  return isVorbis ? file.readUInt32LE(first + 12) : 0;
}

function secondsOf(amount: number, perSecond: number): number | undefined {
  return perSecond > 0 ? amount / perSecond : undefined;
}
