import { createImage } from "../../workloads/sample-data.js";
import { pngChunk, uint32 } from "../png-chunk.js";
import { type Attack, outcomeOf, send } from "./attack.js";

const boundary = "-soak";
const files = createImage(20_000).then((png) => [
  // Millions of values, of a byte each.
  withClaim(png, Buffer.concat([Buffer.of(0x5f), Buffer.alloc(15_000_000, 0x40), Buffer.of(0xff)])),
  // Numbers that share one bucket of a hash table.
  withClaim(png, mapOfNumbers(50_000)),
  Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(100_000).fill(pngChunk("tEXt")), png.subarray(33)]),
  Buffer.concat([png.subarray(0, -12), ...Array<Buffer>(100_000).fill(pngChunk("tEXt")), png.subarray(-12)]),
  withStore(png, superbox("c2pa", "c2pa", Array<Buffer>(200_000).fill(box("free", Buffer.alloc(0))))),
]);

/** Images whose credentials are cheap to send and take seconds to read without a bound. */
export const manifests: Attack = {
  name: "credentials",
  atOnce: 2,
  everyMs: 3000,
  run: async (target, number) => {
    const all = await files;
    const file = all[number % all.length] ?? Buffer.alloc(0);
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const contentType = `multipart/form-data; boundary=${boundary}`;
    return outcomeOf(await send(target, { path: "/v1/content_provenance_checks", contentType, body }));
  },
  expected: /^(200|4\d\d .*|503 gateway_overloaded)$/,
};

function withClaim(png: Buffer, claim: Buffer): Buffer {
  const part = superbox("c2cl", "c2pa.claim.v2", [box("cbor", claim)]);
  return withStore(png, superbox("c2pa", "c2pa", [superbox("c2ma", "urn:c2pa:soak", [part])]));
}

function withStore(png: Buffer, store: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk("caBX", store), png.subarray(33)]);
}

/** In CBOR. */
function mapOfNumbers(count: number): Buffer {
  const map = Buffer.alloc(5 + 6 * count);
  map[0] = 0xba;
  map.writeUInt32BE(count, 1);
  for (let index = 0; index < count; index += 1) {
    map[5 + 6 * index] = 0x1a;
    map.writeUInt32BE(index * 65_536, 6 + 6 * index);
  }
  return map;
}

/** A box of JUMBF that holds boxes. */
function superbox(type: string, label: string, boxes: readonly Uint8Array[]): Buffer {
  const typeEnd = Buffer.from("00110010800000aa00389b71", "hex");
  const description = Buffer.concat([Buffer.from(type), typeEnd, Buffer.of(3), Buffer.from(`${label}\0`)]);
  return box("jumb", Buffer.concat([box("jumd", description), ...boxes]));
}

function box(type: string, content: Uint8Array): Buffer {
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type), content]);
}
