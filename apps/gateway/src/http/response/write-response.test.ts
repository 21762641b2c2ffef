import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { unlimitedMemory } from "@model-gateway/domain/test/unlimited-memory";
import type { ErrorRequestHandler, Response } from "express";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import type { FileResponse } from "../../execution/handler.js";
import type { Arrival } from "../../execution/request-context.js";
import { RequestSummary } from "../../execution/request-summary.js";
import { setArrival } from "../request/arrival.js";
import { beginRequest } from "../request/begin-request.js";
import { RequestIds } from "../request/request-id.js";
import { writeFile } from "./write-response.js";

const headers = { "content-type": "image/png", "cache-control": "private, max-age=60, immutable" };

test("a file is sent with its status and headers, chunk by chunk", async () => {
  const file = Readable.from([Buffer.from("one "), Buffer.from("two")]);
  const url = await serve({ status: 206, headers: { ...headers, "content-length": "7" }, file });

  const response = await fetch(url);

  expect(response.status).toBe(206);
  expect(Object.fromEntries(response.headers)).toMatchObject({ ...headers, "content-length": "7" });
  expect(await response.text()).toBe("one two");
  expect(file.destroyed).toBe(true);
});

test("an empty file is sent", async () => {
  const url = await serve({
    status: 200,
    headers: { ...headers, "content-length": "0" },
    file: Readable.from([]),
  });

  const response = await fetch(url);

  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "" });
});

test("a file that cannot be read is an error that no browser may cache", async () => {
  const file = new Readable({ read: () => void file.destroy(new Error("The disk is broken.")) });
  const url = await serve({ status: 200, headers, file });

  const response = await fetch(url);

  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 500,
    text: "The disk is broken.",
  });
  expect(response.headers.get("cache-control")).toBeNull();
});

test("the file is closed when the caller leaves", async () => {
  const file = new Readable({ read: () => void file.push(Buffer.alloc(64 * 1024)) });
  const url = await serve({ status: 200, headers, file });
  const controller = new AbortController();
  const closed = new Promise((resolve) => file.once("close", resolve));

  const response = await fetch(url, { signal: controller.signal });
  controller.abort();

  expect(response.status).toBe(200);
  await closed;
});

test("a chunk is written only after the caller has read the one before", async () => {
  const chunks = ["one", "two", "three"].map((text) => Buffer.from(text));
  const caller = new SlowCaller();
  const { signal } = new AbortController();
  const arrival = { signal, headers: [], summary: new RequestSummary() } as unknown as Arrival;
  setArrival(caller as unknown as Response, arrival);

  await writeFile(caller as unknown as Response, { status: 200, headers, file: Readable.from(chunks) });

  expect(caller.written).toEqual([
    { text: "one", isWaiting: false },
    { text: "two", isWaiting: false },
    { text: "three", isWaiting: false },
  ]);
});

/** Reads each chunk one turn of the event loop after it was written. */
class SlowCaller extends EventEmitter {
  readonly written: { text: string; isWaiting: boolean }[] = [];
  headersSent = false;
  #isWaiting = false;

  writeHead(): void {
    this.headersSent = true;
  }

  write(chunk: Buffer): boolean {
    this.written.push({ text: chunk.toString(), isWaiting: this.#isWaiting });
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.emit("drain");
    });
    return false;
  }

  setTimeout(): void {}

  end(): void {}
}

async function serve(file: FileResponse): Promise<string> {
  const writeFailure: ErrorRequestHandler = (failure: Error, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else response.status(500).send(failure.message);
  };
  const app = express();
  const accounting = {
    record: async () => undefined,
    begin: () => undefined,
    forget: () => undefined,
    metrics: { begin: () => undefined, end: () => undefined },
  };
  const options = {
    now: () => 0,
    publicUrl: undefined,
    scheme: "http" as const,
    exposesUpstream: true,
    accounting,
    requestIds: new RequestIds(),
    secrets: { hide: (text: string) => text },
    countedModel: () => undefined,
    logRequest: () => undefined,
    openMemory: () => unlimitedMemory,
    inFlight: { begin: () => undefined, note: () => undefined, end: () => undefined },
  };
  app.use((request, response, next) => {
    beginRequest(request, response, options);
    next();
  });
  app.get("/", (_request, response) => writeFile(response, file));
  app.use(writeFailure);
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
