import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RequestIds } from "../../src/http/request/request-id.js";
import { type Operation, operationsOf, readSpec } from "../../src/http/request/spec.js";
import { writeMalformedHttp } from "../../src/http/response/write-error.js";
import { checkResponse } from "./check-response.js";
import { type CommonStatus, type ContractCase, saysError } from "./contract.js";
import { contractGateway } from "./gateway.js";
import { sendBytes } from "./send-bytes.js";

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

interface CommonCase extends Omit<ContractCase, "send"> {
  readonly send: (operation: Operation) => Promise<Response>;
}

const cases: Readonly<Record<CommonStatus, CommonCase>> = {
  405: {
    name: "a method that the path lacks",
    send: (operation) => context.gateway.send(pathOf(operation), { method: "PUT" }),
    expect: saysError("method_not_allowed"),
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
  test.each(Object.entries(cases))("%s: $name", async (status, { send, expect: says }) => {
    const response = await send(operation);

    const body = await checkResponse(operation.id, response);

    expect(response.status).toBe(Number(status));
    says?.(body, response);
  });
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
