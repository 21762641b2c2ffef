import { deflateSync } from "node:zlib";

/* Files in the containers that inputs may have. Their content is empty: the gateway reads containers alone. */

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

/** @param keys For the trailer, such as `/Encrypt 9 0 R`. */
export function pdf(pages: number, { keys = "" } = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(" ");
  const leaves = Array.from(
    { length: pages },
    (_, index) => `${index + 3} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n`,
  );
  return ascii(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages} >>\nendobj\n${leaves.join("")}trailer\n<< /Root 1 0 R /Size ${pages + 3} ${keys} >>\nstartxref\n0\n%%EOF\n`,
  );
}

/** With its pages in a tree of two levels, all of it in a compressed stream of objects. */
export function packedPdf(pages: number): Buffer {
  const half = Math.ceil(pages / 2);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const node = (numbers: readonly number[]) =>
    `<</Type/Pages/Count ${numbers.length}/Kids[${numbers.map((number) => `${number} 0 R`).join(" ")}]>>`;
  const objects = new Map<number, string>([
    [1, "<</Type/Catalog/Pages 2 0 R>>"],
    [2, node([3, 4])],
    [3, node(range(10, 10 + half))],
    [4, node(range(10 + half, 10 + pages))],
    ...range(10, 10 + pages).map((number): [number, string] => [number, "<</Type/Page/Parent 3 0 R>>"]),
  ]);
  let at = 0;
  const head = [...objects].map(([number, text]) => {
    at += text.length + 1;
    return `${number} ${at - text.length - 1}`;
  });
  const first = `${head.join(" ")} `;
  const stored = deflateSync(ascii(`${first}${[...objects.values()].join(" ")}`));
  return Buffer.concat([
    ascii(
      `%PDF-1.5\n90 0 obj\n<</Type/ObjStm/N ${objects.size}/First ${first.length}/Length ${stored.length}/Filter/FlateDecode>>\nstream\r\n`,
    ),
    stored,
    ascii("\nendstream\nendobj\n91 0 obj\n<</Type/XRef/Root 1 0 R>>\nstream\n\nendstream\nendobj\n%%EOF"),
  ]);
}

export function wav(seconds: number): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 8000));
  const head = Buffer.alloc(44);
  head.write("RIFF....WAVEfmt ", "latin1");
  head.writeUInt32LE(36 + data.length, 4);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** 32 kbit/s at 32 kHz: frames of 144 bytes and 36 ms. */
export function mp3(seconds: number): Buffer {
  const frame = Buffer.alloc(144);
  frame.writeUInt32BE(0xfffb1800);
  const id3 = Buffer.concat([ascii("ID3\x04\0\0\0\0\0\x0a"), Buffer.alloc(10)]);
  return Buffer.concat([id3, ...Array.from({ length: Math.round(seconds / 0.036) }, () => frame)]);
}

export function flac(seconds: number): Buffer {
  const head = Buffer.alloc(42);
  head.write("fLaC", "latin1");
  head.writeUInt32BE(0x80000022, 4);
  // 8,000 samples a second.
  head.writeUIntBE(8000 << 4, 18, 3);
  head.writeUInt32BE(seconds * 8000, 22);
  return head;
}

/** Opus, with a page of no samples between its two others. */
export function ogg(seconds: number): Buffer {
  const page = (samples: bigint, content: Buffer) => {
    const head = Buffer.alloc(28);
    head.write("OggS", "latin1");
    head.writeBigInt64LE(samples, 6);
    head[26] = 1;
    head[27] = content.length;
    return Buffer.concat([head, content]);
  };
  return Buffer.concat([
    page(0n, ascii("OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0")),
    page(-1n, Buffer.alloc(200)),
    page(BigInt(Math.round(seconds * 48_000)), Buffer.alloc(50)),
  ]);
}

function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
}

interface VideoForm {
  readonly hasSound?: boolean;
  readonly brand?: string;
  readonly isFragmented?: boolean;
}

export function mp4(
  seconds: number,
  { hasSound = false, brand = "isom", isFragmented }: VideoForm = {},
): Buffer {
  const length = (stated: number) => {
    const body = Buffer.alloc(24);
    body.writeUInt32BE(1000, 12);
    body.writeUInt32BE(Math.round(stated * 1000), 16);
    return body;
  };
  const track = (handler: string) =>
    box(
      "trak",
      box(
        "mdia",
        box("mdhd", length(isFragmented ? 0 : seconds)),
        box("hdlr", ascii(`\0\0\0\0\0\0\0\0${handler}`)),
      ),
    );
  const mehd = Buffer.alloc(8);
  mehd.writeUInt32BE(Math.round(seconds * 1000), 4);
  return Buffer.concat([
    box("ftyp", ascii(`${brand}\0\0\0\0`)),
    box("free", Buffer.alloc(3)),
    box(
      "moov",
      box("mvhd", length(isFragmented ? 0 : seconds)),
      track("vide"),
      ...(hasSound ? [track("soun")] : []),
      ...(isFragmented ? [box("mvex", box("mehd", mehd))] : []),
    ),
    ...(isFragmented ? [box("moof", Buffer.alloc(8))] : []),
    box("mdat", Buffer.alloc(16)),
  ]);
}

const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(0x01000000);
  size.writeUInt32BE(body.length, 4);
  return Buffer.concat([Buffer.from(id, "hex"), size, body]);
};

/** As browsers record it: of an open size, and without a length in its head. */
export function webm(seconds: number, { hasSound = false } = {}): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(Math.round(seconds * 1000) - 500);
  const block = Buffer.from([0x81, 0x01, 0xf4, 0, 1, 2, 3]);
  const track = (type: number) => element("ae", element("83", Buffer.from([type])));
  return Buffer.concat([
    element("1a45dfa3", element("4282", ascii("webm"))),
    Buffer.from("1853806701ffffffffffffff", "hex"),
    element("1549a966", element("2ad7b1", Buffer.from([0x0f, 0x42, 0x40]))),
    element("1654ae6b", track(1), ...(hasSound ? [track(2)] : [])),
    Buffer.from("1f43b67501ffffffffffffff", "hex"),
    element("e7", time),
    element("a3", block),
  ]);
}
