import { readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Operation, operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { RequestIds } from "../../../src/http/request/request-id.js";
import { writeMalformedHttp } from "../../../src/http/response/write-error.js";
import { checkResponse } from "./check-response.js";
import { type CommonStatus, type ContractCase, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { sendBytes } from "./send-bytes.js";
import { recordTraffic } from "./traffic.js";

const context = contractGateway("embedding");
const operations = operationsOf(readSpec());
const pathOf = ({ path }: Operation) => path.replaceAll(/:\w+/g, "any");
const headOf = (operation: Operation) =>
  `${operation.method.toUpperCase()} ${pathOf(operation)} HTTP/1.1\r\nhost: gateway\r\n`;

/** The same HTTP server as the gateway's, but it waits for a request only a moment. */
let impatient: Server;
beforeAll(async () => {
  impatient = createServer({ requestTimeout: 20, headersTimeout: 20, connectionsCheckingInterval: 5 });
  const requestIds = new RequestIds();
  impatient.on("clientError", (failure, socket) =>
    writeMalformedHttp(failure, socket as Socket, requestIds.next()),
  );
  await new Promise<void>((resolve) => impatient.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void impatient.close());
const impatientUrl = () => `http://127.0.0.1:${(impatient.address() as AddressInfo).port}`;

const stalledBody =
  "Only a body that hardly arrives for 30 seconds gets it, and no test here waits that long.";
/** Gaps in these tests, with the reason. */
const neverSeen: Readonly<Record<string, string>> = {
  "createBatch 408 cache-control": stalledBody,
  "createKey 408 cache-control": stalledBody,
  "changeKey 408 cache-control": stalledBody,
  "rotateKey 408 cache-control": stalledBody,
  "probeTarget 408 cache-control": stalledBody,
  "compareTargets 408 cache-control": stalledBody,
  "acceptSpace 408 cache-control": stalledBody,
  "changeConfiguration 408 cache-control": stalledBody,
  "tryUpstream 408 cache-control": stalledBody,
};

interface CommonCase extends Omit<ContractCase, "send"> {
  readonly send: (operation: Operation) => Promise<Response>;
}

const cases: Readonly<Record<CommonStatus, CommonCase>> = {
  405: {
    name: "a method that the path lacks",
    send: (operation) => context.gateway.send(pathOf(operation), { method: "PUT" }),
    expect: (body, response) => {
      // Paths for clients of other APIs have a message and no code.
      const sentence = body.message ?? body.detail ?? body.error;
      if (typeof sentence === "string") expect(sentence).toContain("PUT");
      else saysError("method_not_allowed")(body, response);
    },
  },
  408: {
    name: "a request that never ends",
    send: (operation) => sendBytes(impatientUrl(), headOf(operation)),
    expect: saysError("request_timeout"),
  },
  431: {
    name: "headers over the limit",
    send: (operation) =>
      sendBytes(context.gateway.url, `${headOf(operation)}x-large: ${"a".repeat(70_000)}\r\n\r\n`),
    expect: saysError("headers_too_large"),
  },
};

describe.each(operations)("$id", (operation) => {
  const traffic = recordTraffic();

  test.each(Object.entries(cases))("%s: $name", async (status, { send, expect: says }) => {
    const response = await send(operation);
    traffic.note(operation.id, response);

    const body = await checkResponse(operation.id, response);

    expect(response.status).toBe(Number(status));
    says?.(body, response);
  });

  test("every response was as the spec says, and every header that the spec has was seen", () => {
    expect(traffic.faults).toEqual([]);
    const unseen = traffic.unseen(operation.id, Object.keys(cases).map(Number));
    expect(unseen.filter((one) => !(one in neverSeen))).toEqual([]);
  });
});

test.each(operations)("$id has its own contract test", ({ id }) => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const isThere = files.some((file) => basename(file) === `${id}.test.ts`);

  expect(
    isThere,
    `write apps/gateway/test/in-process/contract/${id}.test.ts, with a test for each status`,
  ).toBe(true);
});

test("a 405 lists the methods of its path", async () => {
  const response = await context.gateway.send("/admin/v1/keys", { method: "PUT" });

  expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
});

test("a body that stops is a 408 as well, and the connection is closed", async () => {
  impatient.once("request", () => undefined);

  const response = await sendBytes(
    impatientUrl(),
    "POST /v1/embeddings HTTP/1.1\r\nhost: gateway\r\ncontent-length: 100\r\n\r\n{",
  );

  expect(response.status).toBe(408);
  expect(response.headers.get("connection")).toBe("close");
});
