import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { AccessKey } from "@model-gateway/domain/access-key";
import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { callerWithKey } from "../../execution/caller.js";
import type { Accounting } from "../../execution/finish-request.js";
import type { Arrival } from "../../execution/request-context.js";
import { arrivalOf, summaryOf } from "./arrival.js";
import { beginRequest } from "./begin-request.js";
import { RequestIds } from "./request-id.js";

/** Records of a test's requests. */
function createBooks() {
  const rows: { readonly id: string; readonly status: number }[] = [];
  const ended: number[] = [];
  const accounting: Accounting = {
    record: async (row) => void rows.push({ id: row.id, status: row.status }),
    begin: () => undefined,
    forget: () => undefined,
    metrics: { begin: () => undefined, end: (row) => void ended.push(row.status) },
  };
  return { rows, ended, accounting };
}

/** Serves one request with `serve`, and lets its caller leave once `serve` is running. */
async function serveLeavingCaller(
  accounting: Accounting,
  serve: (arrival: Arrival, response: Response) => Promise<void>,
): Promise<Arrival> {
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
    secrets: { hide: (text: string) => text },
    countedModel: () => undefined,
    logRequest: () => undefined,
    openMemory: () => ({
      takeForBody: () => undefined,
      forReplies: () => () => undefined,
      settleReplies: () => undefined,
      release: () => undefined,
    }),
    inFlight: { begin: () => undefined, note: () => undefined, end: () => undefined },
  });
  const arrival = arrivalOf(response);
  const summary = summaryOf(response);
  summary.caller = callerWithKey({ id: "k", name: "tester" } as AccessKey);
  summary.operation = "createEmbedding";
  const serving = arrival.lifetime.serve(serve(arrival, response));
  client.destroy();
  await serving;
  // By then everything that waits for `serving` has run.
  await setImmediate();
  server.close();
  return arrival;
}

test("a request whose response is completed after its caller has left is settled once", async () => {
  const { rows, ended, accounting } = createBooks();

  const { id } = await serveLeavingCaller(accounting, async (arrival, response) => {
    await once(response, "close");
    await arrival.finish(200);
  });

  expect(rows).toEqual([{ id, status: 499 }]);
  expect(ended).toEqual([499]);
});

test("a request whose caller leaves while its row is written is settled once", async () => {
  const { rows, ended, accounting } = createBooks();

  const { id } = await serveLeavingCaller(accounting, async (arrival, response) => {
    await arrival.finish(200);
    await once(response, "close");
  });

  expect(rows).toEqual([{ id, status: 200 }]);
  expect(ended).toEqual([200]);
});
