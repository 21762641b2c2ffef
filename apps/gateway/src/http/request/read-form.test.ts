import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { openUploadFolder, receiveForm } from "./read-form.js";

const part = (head: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const form = `${part('name="model"', "a")}--b--\r\n`;

/** The fields of a form that arrives at once, or the code of its error. */
async function receive(body: string): Promise<unknown> {
  const server = createServer((request, response) => {
    void receiveForm(request as Request, {} as Response, {
      filesName: "image",
      filesMax: 1,
      fileBytesMax: 1000,
      keep: ({ stream }) => buffer(stream),
      slowBodies: { refuse: (_request, receiving) => receiving },
    }).then(
      ({ fields, files }) => response.end(JSON.stringify({ ...fields, files: files.length })),
      ({ code }) => response.end(JSON.stringify(code)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "content-type": "multipart/form-data; boundary=b", connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers });
  const outcome: unknown = await response.json();
  server.close();
  return outcome;
}

test("text after the end of a form is ignored", async () => {
  expect(await receive(`${form}the epilogue`)).toEqual({ model: "a", files: 0 });
});

test.each([
  ["field", `${part('name="n"', "b")}--b--`],
  ["file", part('name="image"; filename="a"', "b")],
  ["file that does not end", part('name="image"; filename="a"', "b").slice(0, -2)],
])("a %s after the end of a form is refused", async (_name, after) => {
  // The first boundary after the end is passed over.
  expect(await receive(`${form}${part("", "")}${after}`)).toBe("invalid_form");
});

test("only the folders of dead processes are removed", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "spool-"));
  const root = join(dataDir, "form-spool");
  for (const name of ["10", "20", "30", "photos"]) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "file"), "x");
  }

  const own = await openUploadFolder(dataDir, { id: 30, isAlive: (id) => id === 20 });

  expect(readdirSync(root).sort()).toEqual(["20", "30", "photos"]);
  expect(own).toBe(join(root, "30"));
  expect(readdirSync(own)).toEqual([]);
});
