import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAccessToken, requestFromIssuer } from "./request-token.js";

let issuer: Server;
let origin: string;
let followed = 0;

beforeAll(async () => {
  issuer = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === "/token?a=b") response.end(JSON.stringify({ method: request.method, body }));
    else if (request.url === "/refused")
      response.writeHead(400).end('{"error":"invalid_grant","error_description":"hunter2"}');
    else if (request.url === "/careless") response.writeHead(400).end('{"error":"hunter2"}');
    else if (request.url === "/large") response.end("x".repeat(100_000));
    else if (request.url === "/stolen") followed += 1;
    else if (request.url === "/redirect") response.writeHead(307, { location: "/stolen" }).end();
    else response.writeHead(401).end(`no such secret: ${body}`);
  }).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  origin = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
});
afterAll(() => {
  issuer.closeAllConnections();
  issuer.close();
});

const send = (path: string) =>
  requestFromIssuer({
    method: "POST",
    url: `${origin}${path}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "client_secret=hunter2",
    signal: AbortSignal.timeout(10_000),
  });

test("an issuer gets the request as it is", async () => {
  expect(await send("/token?a=b")).toBe('{"method":"POST","body":"client_secret=hunter2"}');
});

test("a refusal quotes no secret", async () => {
  const failure = await send("/wrong").catch((error: unknown) => error);

  expect(String(failure)).toBe("Error: The issuer replied with status 401.");
});

test("a refusal names the issuer's word, if it is one", async () => {
  await expect(send("/refused")).rejects.toThrow("The issuer replied with status 400 (invalid_grant).");
  await expect(send("/careless")).rejects.toThrow("The issuer replied with status 400.");
});

test("a redirect is not followed, and a large reply is not read", async () => {
  await expect(send("/redirect")).rejects.toThrow("status 307");
  await expect(send("/large")).rejects.toThrow("too large");
  expect(followed).toBe(0);
});

test.each([
  '{"expires_in":3599}',
  '{"access_token":"","expires_in":1}',
  '{"access_token":"t"}',
  "[]",
  "t0ken",
])("%s has no token, and the error does not quote it", (reply) => {
  expect(() => readAccessToken(reply)).toThrow(new Error("The issuer's reply has no access token."));
});

test("the lifetime may be a text", () => {
  expect(readAccessToken('{"access_token":"t","expires_in":"3599"}')).toEqual({
    token: "t",
    lifetimeMs: 3_599_000,
  });
});
