import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ErrorRequestHandler, Response } from "express";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import type { FileResponse } from "../handler.js";
import { beginRequest, type RequestContext, setContext } from "../request/request-context.js";
import { writeFile } from "./write-file.js";

const headers = { "content-type": "image/png", "cache-control": "private, max-age=60, immutable" };

test("a file is answered with its status and headers, piece by piece", async () => {
  const file = Readable.from([Buffer.from("one "), Buffer.from("two")]);
  const url = await serve({ status: 206, headers: { ...headers, "content-length": "7" }, file });

  const answer = await fetch(url);

  expect(answer.status).toBe(206);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, "content-length": "7" });
  expect(await answer.text()).toBe("one two");
  expect(file.destroyed).toBe(true);
});

test("an empty file is answered too", async () => {
  const url = await serve({
    status: 200,
    headers: { ...headers, "content-length": "0" },
    file: Readable.from([]),
  });

  const answer = await fetch(url);

  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: "" });
});

test("a file that cannot be read is an error, without the headers that would let it be kept", async () => {
  const file = new Readable({ read: () => void file.destroy(new Error("The disk is broken.")) });
  const url = await serve({ status: 200, headers, file });

  const answer = await fetch(url);

  expect({ status: answer.status, text: await answer.text() }).toEqual({
    status: 500,
    text: "The disk is broken.",
  });
  expect(answer.headers.get("cache-control")).toBeNull();
});

test("the reading ends when the caller leaves", async () => {
  const file = new Readable({ read: () => void file.push(Buffer.alloc(64 * 1024)) });
  const url = await serve({ status: 200, headers, file });
  const departure = new AbortController();
  const closed = new Promise((resolve) => file.once("close", resolve));

  const answer = await fetch(url, { signal: departure.signal });
  departure.abort();

  expect(answer.status).toBe(200);
  await closed;
});

test("nothing is written while the caller has not read what came before", async () => {
  const pieces = ["one", "two", "three"].map((text) => Buffer.from(text));
  const caller = new SlowCaller();
  const { signal } = new AbortController();
  setContext(
    caller as unknown as Response,
    { signal, headers: [], responseBytes: 0 } as unknown as RequestContext,
  );

  await writeFile(caller as unknown as Response, { status: 200, headers, file: Readable.from(pieces) });

  expect(caller.written).toEqual([
    { text: "one", isWaiting: false },
    { text: "two", isWaiting: false },
    { text: "three", isWaiting: false },
  ]);
});

/** Reads each piece only some time after it came. */
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

async function serve(answer: FileResponse): Promise<string> {
  const answerFailure: ErrorRequestHandler = (failure: Error, _request, response, _next) => {
    if (response.headersSent) response.destroy();
    else response.status(500).send(failure.message);
  };
  const app = express();
  const accounts = {
    record: async () => undefined,
    metrics: { begin: () => undefined, end: () => undefined },
  };
  const needs = {
    now: () => 0,
    publicUrl: undefined,
    exposesUpstream: true,
    accounts,
    requestLog: { add: () => undefined },
  };
  app.use((request, response, next) => {
    beginRequest(request, response, needs);
    next();
  });
  app.get("/", (_request, response) => writeFile(response, answer));
  app.use(answerFailure);
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
