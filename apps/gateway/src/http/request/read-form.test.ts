import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { FormReader, openUploadFolder } from "./read-form.js";
import { type Arrival, setArrival } from "./request-context.js";
import { RequestLifetime } from "./request-lifetime.js";
import { UploadMemory } from "./upload-memory.js";

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

test("a form that stops in the middle is refused, and its memory is free again", async () => {
  const uploads = new UploadMemory(1_000_000);
  const forms = new FormReader(
    { fileBytesMax: 100_000, filesMax: 1, stalledMsMax: 20 },
    {
      uploadDir: mkdtempSync(join(tmpdir(), "spool-")),
      uploads,
      descriptors: { reserveFiles: () => ({ release: () => undefined }) },
      disk: { checkRoom: () => undefined },
    },
  );
  const app = express();
  const reading = new Promise((resolve) => {
    app.post("/", (request, response) => {
      setArrival(response, { lifetime: new RequestLifetime() } as unknown as Arrival);
      resolve(forms.read(request, response));
    });
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });

  socket.write(
    [
      "POST / HTTP/1.1",
      "host: gateway",
      "content-type: multipart/form-data; boundary=b",
      "content-length: 90000",
      "",
      "--b",
      'content-disposition: form-data; name="image"; filename="image.png"',
      "",
      "x".repeat(40_000),
    ].join("\r\n"),
  );

  await expect(reading).rejects.toMatchObject({ code: "request_timeout" });
  expect(uploads.bytesInUse).toBe(0);
});
