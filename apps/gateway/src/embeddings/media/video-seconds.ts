import type { Steps } from "@model-gateway/runtime/time-slice";

/** The length of a video, and whether it has sound. */
interface VideoFacts {
  readonly seconds: number;
  readonly hasSound: boolean;
}

const stepBoxes = 2000;
/** A second of video has some hundred blocks. */
const boxesMax = 200_000;
const depthMax = 8;

/** The boxes that have others. https://www.iso.org/standard/83102.html */
const outerBoxes: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "mvex"]);

/** Undefined if it has no picture, or does not say how long it is, as a file in fragments may not. */
export function* mp4Facts(file: Buffer): Steps<VideoFacts | undefined> {
  const found = {
    seconds: 0,
    hasSound: false,
    hasPicture: false,
    isFragmented: false,
    fragments: 0,
    scale: 0,
  };
  let boxes = 0;
  const ends = [file.length];
  for (let at = 0; at + 8 <= file.length; ) {
    boxes += 1;
    if (boxes > boxesMax) return undefined;
    if (boxes % stepBoxes === 0) yield;
    while (ends.length > 1 && at >= (ends.at(-1) ?? 0)) ends.pop();
    const type = file.toString("latin1", at + 4, at + 8);
    const long = file.readUInt32BE(at) === 1 && at + 16 <= file.length;
    const head = long ? 16 : 8;
    const stated = long ? Number(file.readBigUInt64BE(at + 8)) : file.readUInt32BE(at);
    const end = stated === 0 ? file.length : at + stated;
    if (stated !== 0 && stated < head) break;
    readBox(type, file.subarray(at + head, Math.min(end, file.length)), found);
    const isOpened = outerBoxes.has(type) && ends.length < depthMax;
    if (isOpened) ends.push(end);
    at = isOpened ? at + head : end;
  }
  const { seconds, hasSound, hasPicture, isFragmented, fragments, scale } = found;
  const inFragments = scale > 0 ? fragments / scale : 0;
  const length = isFragmented ? inFragments : seconds;
  return hasPicture && length > 0 ? { seconds: Math.max(length, seconds), hasSound } : undefined;
}

interface FoundBoxes {
  seconds: number;
  hasSound: boolean;
  hasPicture: boolean;
  isFragmented: boolean;
  fragments: number;
  /** Of the whole film. */
  scale: number;
}

function readBox(type: string, body: Buffer, found: FoundBoxes): void {
  switch (type) {
    case "mvhd":
    case "mdhd": {
      // Two dates come first, of four or eight bytes.
      const isLong = body[0] === 1;
      if (body.length < (isLong ? 32 : 20)) return;
      const scale = body.readUInt32BE(isLong ? 20 : 12);
      const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
      const isUnknown = !isLong && length === 0xffff_ffff;
      if (type === "mvhd") found.scale = scale;
      if (scale > 0 && !isUnknown) found.seconds = Math.max(found.seconds, length / scale);
      return;
    }
    case "mehd": {
      const isLong = body[0] === 1;
      if (body.length >= (isLong ? 12 : 8))
        found.fragments = isLong ? Number(body.readBigUInt64BE(4)) : body.readUInt32BE(4);
      return;
    }
    case "hdlr": {
      const handler = body.toString("latin1", 8, 12);
      if (handler === "soun") found.hasSound = true;
      if (handler === "vide") found.hasPicture = true;
      return;
    }
    case "moof":
      found.isFragmented = true;
  }
}

/** The elements of Matroska that matter. https://www.rfc-editor.org/rfc/rfc9559#section-5 */
const element = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  group: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const;
const outerElements: ReadonlySet<number> = new Set([
  element.segment,
  element.info,
  element.tracks,
  element.track,
  element.cluster,
  element.group,
]);

/** A recording in a browser has no length in its head, so its blocks count as well. */
export function* webmFacts(file: Buffer): Steps<VideoFacts | undefined> {
  const found = { scale: 1_000_000, duration: 0, cluster: 0, last: 0, hasSound: false, hasPicture: false };
  let elements = 0;
  for (let at = 0; at < file.length; ) {
    elements += 1;
    if (elements > boxesMax) return undefined;
    if (elements % stepBoxes === 0) yield;
    const id = readVint(file, at, true);
    const size = id && readVint(file, at + id.length, false);
    if (id === undefined || size === undefined) break;
    const start = at + id.length + size.length;
    const end = size.isUnknown ? file.length : start + size.value;
    // An outer element is entered, whatever its size: the elements in it follow.
    if (outerElements.has(id.value)) at = start;
    else if (size.isUnknown) break;
    else {
      readElement(id.value, file.subarray(start, Math.min(end, file.length)), found);
      at = end;
    }
  }
  const ticks = Math.max(found.duration, found.last);
  const seconds = (ticks * found.scale) / 1e9;
  return found.hasPicture && seconds > 0 && Number.isFinite(seconds)
    ? { seconds, hasSound: found.hasSound }
    : undefined;
}

interface FoundElements {
  /** Nanoseconds of a tick. */
  scale: number;
  duration: number;
  /** The time of the cluster, in ticks. */
  cluster: number;
  last: number;
  hasSound: boolean;
  hasPicture: boolean;
}

function readElement(id: number, body: Buffer, found: FoundElements): void {
  switch (id) {
    case element.scale:
      found.scale = readNumber(body) || found.scale;
      return;
    case element.duration:
      if (body.length === 4) found.duration = body.readFloatBE(0);
      if (body.length === 8) found.duration = body.readDoubleBE(0);
      return;
    case element.trackType: {
      const type = readNumber(body);
      if (type === 1) found.hasPicture = true;
      if (type === 2) found.hasSound = true;
      return;
    }
    case element.clusterTime:
      found.cluster = readNumber(body);
      found.last = Math.max(found.last, found.cluster);
      return;
    case element.block:
    case element.simpleBlock: {
      // After the number of the track, a time within the cluster.
      const track = readVint(body, 0, false);
      if (track === undefined || track.length + 2 > body.length) return;
      found.last = Math.max(found.last, found.cluster + body.readInt16BE(track.length));
    }
  }
}

function readNumber(body: Buffer): number {
  return body.length === 0 || body.length > 6 ? 0 : body.readUIntBE(0, body.length);
}

interface Vint {
  readonly value: number;
  readonly length: number;
  /** All bits are set. */
  readonly isUnknown: boolean;
}

/** A number whose first bits say how many bytes it has. An id keeps them. https://www.rfc-editor.org/rfc/rfc8794#section-4 */
function readVint(bytes: Buffer, at: number, keepsMarker: boolean): Vint | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || length > 8 || at + length > bytes.length) return undefined;
  const marker = 1 << (8 - length);
  let value = keepsMarker ? first : first & (marker - 1);
  let isUnknown = (first & (marker - 1)) === marker - 1;
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 255;
  }
  return { value, length, isUnknown };
}
