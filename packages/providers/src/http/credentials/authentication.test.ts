import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TestCall } from "../../test/call.js";
import { providerTools } from "../../test/tools.js";
import { type OutgoingRequest, UpstreamClient, type UpstreamClientOptions } from "../send.js";
import { type Authentication, basic, bearer } from "./authentication.js";
import { TokenCredential } from "./token-credential.js";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

let server: Server;
let seen: Seen[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({
      method: request.method,
      url: request.url,
      authorization: request.headers.authorization,
      body,
    });
    respond(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
beforeEach(() => {
  seen = [];
  respond = (_request, response) => void response.end("{}");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function send(
  request: Partial<OutgoingRequest>,
  authentication: Authentication = bearer("key"),
  options: Partial<UpstreamClientOptions> = {},
): Promise<number> {
  const client = new UpstreamClient(
    { baseUrl: `${origin()}/v1`, authentication, readError: () => ({}), ...options },
    providerTools(),
  );
  try {
    const reply = await client.send({ path: "/jobs", headers: {}, ...request }, new TestCall());
    await reply.read(() => undefined);
    return reply.status;
  } finally {
    await client.close();
  }
}

test("a request has its own method, and a path below the base URL", async () => {
  await send({ method: "GET", path: "/jobs/1?a=b" });
  await send({ body: "text" }, basic("user", "pässword"));

  expect(seen).toEqual([
    { method: "GET", url: "/v1/jobs/1?a=b", authorization: "Bearer key", body: "" },
    { method: "POST", url: "/v1/jobs", authorization: "Basic dXNlcjpww6Rzc3dvcmQ=", body: "text" },
  ]);
});

test("a whole URL of the upstream's own host is called with its credentials", async () => {
  await send({ method: "GET", path: `${origin()}/elsewhere?x=1` });

  expect(seen).toEqual([{ method: "GET", url: "/elsewhere?x=1", authorization: "Bearer key", body: "" }]);
});

test.each([
  "https://other.example/jobs",
  "http://links.example/jobs",
  "https://user@links.example/jobs",
  "https://evil-links.example/jobs",
  "https://sub.links.example:8443/jobs",
  "not a URL",
])("%s is not called", async (path) => {
  const otherHosts = [
    { host: "links.example", takesCredentials: false },
    { host: "*.links.example", takesCredentials: true },
  ];

  await expect(send({ method: "GET", path }, bearer("key"), { otherHosts })).rejects.toMatchObject({
    code: "upstream_invalid_reply",
  });
});

test("a redirect is not followed, least of all with a key", async () => {
  respond = (_request, response) => void response.writeHead(307, { location: `${origin()}/stolen` }).end();

  await expect(send({})).rejects.toMatchObject({ code: "upstream_error", upstreamStatus: 307 });
  expect(seen.length).toBe(1);
});

test("a refused token is renewed once, and the body is sent again", async () => {
  let issued = 0;
  const { clock } = providerTools();
  const token = new TokenCredential({
    ...providerTools(),
    source: "a test",
    clock,
    issue: async () => {
      issued += 1;
      return { token: `t${issued}`, lifetimeMs: 3_600_000 };
    },
  });
  respond = ({ headers }, response) =>
    void response.writeHead(headers.authorization === "Bearer t2" ? 200 : 401).end("{}");

  expect(await send({ body: () => Readable.from(["part"]) }, token)).toBe(200);
  expect(seen.map(({ authorization, body }) => [authorization, body])).toEqual([
    ["Bearer t1", "part"],
    ["Bearer t2", "part"],
  ]);
});

test("a token that is refused twice is the configuration's fault", async () => {
  const token = new TokenCredential({
    ...providerTools(),
    source: "a test",
    issue: async () => ({ token: "t", lifetimeMs: 3_600_000 }),
  });
  respond = (_request, response) => void response.writeHead(401).end();

  await expect(send({}, token)).rejects.toMatchObject({ code: "upstream_auth_error" });
  expect(seen.length).toBe(2);
});

test("the signed request is the sent one", async () => {
  const authenticator = {
    authenticate: ({ method, url, headers, body }: Parameters<typeof sign>[0]) =>
      sign({ method, url, headers, body }),
    renew: () => false,
  };
  const sign = (request: { method: string; url: URL; headers: object; body: unknown }) => [
    "authorization",
    `${request.method} ${request.url.href} ${JSON.stringify(request.headers)} ${String(request.body)}`,
  ];

  await send({ body: "{}", headers: { a: "b" } }, authenticator);

  expect(seen[0]?.authorization).toBe(`POST ${origin()}/v1/jobs {"a":"b"} {}`);
});
