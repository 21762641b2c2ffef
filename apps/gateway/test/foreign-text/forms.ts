import { PassThrough, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Request, Response } from "express";
import { receiveForm } from "../../src/http/request/read-form.js";
import { asked, boundary, encode, file, image, text } from "../in-process/malformed/write-form.js";
import { chunksOf } from "./incoming.js";
import type { Parser } from "./parser.js";
import { filled } from "./shapes.js";

const part = `--${boundary}\r\ncontent-disposition: form-data; name=`;
const end = `\r\n--${boundary}--\r\n`;

export const formParsers: readonly Parser[] = [
  {
    name: "a form",
    read: async (bytes, chunkBytes) => {
      const request = requestOf(bytes, chunkBytes);
      const form = await receiveForm(request as unknown as Request, {} as Response, {
        filesName: "image",
        filesMax: 16,
        fileBytesMax: 100_000,
        keep: async ({ filename, stream }) => [filename, await buffer(stream)],
        slowBodies: { refuse: (_request, receiving) => receiving },
      }).finally(() => request.destroy());
      // It has the fields of a caller, and `__proto__` may be one.
      return [Object.entries(form.fields), form.files];
    },
    shapes: {
      "empty fields": () => filled(`${part}a\r\n\r\n\r\n`, { after: end }),
      "headers of a part": () => filled("a: b\r\n", { before: part, after: end }),
      "one header": () => filled("a", { before: `${part}a; b=`, after: end }),
      "quotes in a header": () => filled('\\"', { before: `${part}"`, after: `"\r\n\r\na${end}` }),
      "starts of a boundary": () => filled(`\r\n--${boundary.slice(0, -1)}`, { before: `${part}a\r\n\r\n` }),
      "line feeds": () => filled("\r\n", { before: `${part}a\r\n\r\n`, after: end }),
    },
    samples: [
      encode([...asked, image("image")]),
      encode([text("a[b]", "1"), text("n", "2"), file("image[]", Buffer.from("x"), "é.png"), text("n", "3")]),
    ],
    kind: "form",
    refusals: [GatewayError],
    // A name that is missing is found at the end, and damage where it is.
    namesAnyFault: true,
  },
];

/** A request with this body. Its end and all after it are one chunk: parts there are refused only if they are in one. */
function requestOf(bytes: Buffer, chunkBytes?: number): Readable {
  const last = bytes.indexOf(`--${boundary}--`);
  const ending = last === -1 ? bytes.length : last;
  const body = new PassThrough();
  for (const chunk of chunksOf(bytes.subarray(0, ending), chunkBytes)) body.write(chunk);
  body.end(bytes.subarray(ending));
  const headers = {
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": String(bytes.length),
  };
  const socket = { pause: () => undefined, resume: () => undefined };
  return Object.assign(body, { headers, socket });
}
