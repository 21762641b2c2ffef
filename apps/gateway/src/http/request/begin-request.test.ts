import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Request, Response } from "express";
import { expect, test } from "vitest";
import type { AccessKey } from "../../domain/access-key.js";
import { Descriptors } from "../descriptors.js";
import { type Accounting, beginRequest } from "./begin-request.js";
import { contextOf, type RequestContext } from "./request-context.js";
import { RequestIds } from "./request-id.js";

/** What was recorded about the requests of a test. */
function createBooks() {
  const rows: { readonly id: string; readonly status: number }[] = [];
  const ended: number[] = [];
  const accounting: Accounting = {
    record: async (row) => void rows.push({ id: row.id, status: row.status }),
    metrics: { begin: () => undefined, end: (row) => void ended.push(row.status) },
  };
  return { rows, ended, accounting };
}

/** Serves one request with `serve`, and lets its caller leave once `serve` is running. */
async function serveLeavingCaller(
  accounting: Accounting,
  serve: (context: RequestContext, response: Response) => Promise<void>,
): Promise<RequestContext> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrived = once(server, "request");
  const client = sendRequest({ port: (server.address() as AddressInfo).port });
  client.on("error", () => undefined).end();
  const [request, response] = (await arrived) as [Request, Response];
  beginRequest(request, response, {
    accounting,
    requestIds: new RequestIds(),
    now: () => 0,
    publicUrl: undefined,
    scheme: "http",
    exposesUpstream: false,
    logRequest: () => undefined,
    openMemory: () => ({
      takeForBody: () => undefined,
      forReplies: () => () => undefined,
      release: () => undefined,
    }),
    descriptors: new Descriptors({ max: undefined, now: () => 0, onRefused: () => undefined }),
  });
  const context = contextOf(response);
  context.key = { id: "k", name: "tester" } as AccessKey;
  context.operation = "createEmbedding";
  context.serving = serve(context, response);
  client.destroy();
  await context.serving;
  // By then everything that waits for `serving` has run.
  await setImmediate();
  server.close();
  return context;
}

test("a request whose response is completed after its caller has left is settled once", async () => {
  const { rows, ended, accounting } = createBooks();

  const { id } = await serveLeavingCaller(accounting, async (context, response) => {
    await once(response, "close");
    await context.finish(200);
  });

  expect(rows).toEqual([{ id, status: 499 }]);
  expect(ended).toEqual([499]);
});

test("a request whose caller leaves while its row is written is settled once", async () => {
  const { rows, ended, accounting } = createBooks();

  const { id } = await serveLeavingCaller(accounting, async (context, response) => {
    await context.finish(200);
    await once(response, "close");
  });

  expect(rows).toEqual([{ id, status: 200 }]);
  expect(ended).toEqual([200]);
});
