import { openTunnel, readProxy } from "@model-gateway/providers/http/connection/tunnel";
import { type Authority, createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  startConnectProxy,
} from "../../servers/connect-proxy.js";
import { type SecureUpstream, startSecureUpstream } from "../../servers/secure-upstream.js";

/** Upstreams behind a real proxy, which may refuse, stall, cut or be gone. */
const password = "p%ss:w@rd/1";
const credentials = `gateway:${password}`;
let authority: Authority;
let own: KeyPair;
let plain: FakeUpstream;
let other: FakeUpstream;
let secure: SecureUpstream;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  authority = await createAuthority();
  own = await authority.issue();
  [plain, other, secure] = await Promise.all([
    startFakeUpstream(),
    startFakeUpstream(),
    startSecureUpstream(own),
  ]);
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  plain.received.length = 0;
  secure.received.length = 0;
});
afterAll(() => Promise.all([plain.close(), other.close(), secure.close()]));

async function startProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  cleanUps.push(() => proxy.close());
  return proxy;
}

/** A gateway whose models have a target behind the proxy, and a direct one if requested. */
async function start(settings: object, { hasOther = false } = {}): Promise<InProcessGateway> {
  const upstreams = {
    behind: { provider: "openai-compatible", ...settings },
    direct: { provider: "openai-compatible", baseUrl: other.baseUrl },
  };
  const targets = (name: string, space = {}) => [
    { upstream: "behind", model: name, ...space },
    ...(hasOther ? [{ upstream: "direct", model: name, tier: 2, ...space }] : []),
  ];
  const models = {
    text: { type: "embedding", targets: targets("m", { space: "s" }) },
    image: { type: "image", profile: "gpt-image", targets: targets("m") },
    linked: {
      type: "image",
      profile: { like: "dall-e", responseFormats: ["url"], maxN: 1 },
      targets: targets("dall-e"),
    },
  };
  const gateway = await startGateway(
    `upstreams: ${JSON.stringify(upstreams)}\nmodels: ${JSON.stringify(models)}\n`,
  );
  cleanUps.push(() => gateway.stop());
  return gateway;
}

const embed = (gateway: InProcessGateway) =>
  gateway.sendJson("/v1/embeddings", { model: "text", input: "hello" });
const paint = (gateway: InProcessGateway, model = "image") =>
  gateway.sendJson("/v1/images/generations", { model, prompt: "a fox" });

function withCredentials({ url }: ConnectProxy, secret = password): string {
  return url.replace("://", `://gateway:${encodeURIComponent(secret)}@`);
}

test.each([
  ["http", "http"],
  ["http", "https"],
  ["https", "http"],
  ["https", "https"],
])("a proxy on %s leads to an upstream on %s, and keeps the connection", async (proxyScheme, scheme) => {
  const isProxySecure = proxyScheme === "https";
  const proxy = await startProxy({ credentials, ...(isProxySecure ? { tls: own } : {}) });
  const { baseUrl } = scheme === "https" ? secure : plain;
  const gateway = await start({
    baseUrl,
    proxy: withCredentials(proxy),
    ...(isProxySecure || scheme === "https" ? { tls: { ca: authority.ca } } : {}),
  });

  const responses = [await embed(gateway), await embed(gateway)];

  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(scheme === "https" ? secure.received : plain.received).toHaveLength(2);
  expect(proxy.received).toEqual([
    {
      destination: new URL(baseUrl).host,
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
    },
  ]);
});

test("credentials that the proxy refuses are a fault of the configuration, and are in no log", async () => {
  const wrong = "wrong-p%ssword";
  const proxy = await startProxy({ credentials });
  const gateway = await start({ baseUrl: secure.baseUrl, proxy: withCredentials(proxy, wrong) });

  const response = await embed(gateway);

  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({
    error: {
      code: "upstream_auth_error",
      message: "The upstream's proxy refused the gateway's credentials.",
    },
  });
  const shown = await gateway.send("/admin/v1/upstreams", {
    headers: { authorization: `Bearer ${testAdminKey}` },
  });
  const text = await shown.text();
  expect(JSON.parse(text).data[0].targets[0]).toMatchObject({ state: "misconfigured" });
  const log = gateway.logLines.join("");
  expect(log).toContain("The upstream's proxy refused the gateway's credentials.");
  for (const secret of [wrong, encodeURIComponent(wrong), Buffer.from(`gateway:${wrong}`).toString("base64")])
    expect(`${log}${text}`).not.toContain(secret);
});

test.each([
  ["refuses", "refuse", 503, "upstream_unavailable"],
  ["cuts the connection", "cut", 503, "upstream_unavailable"],
  ["stalls", "stall", 504, "upstream_timeout"],
] as const)(
  "a proxy that %s fails the target, and another serves even an image",
  async (_name, mode, status, code) => {
    const proxy = await startProxy();
    proxy.mode = mode;
    const timeoutMs = mode === "stall" ? 500 : 60_000;
    const settings = { baseUrl: secure.baseUrl, proxy: proxy.url, timeoutMs };
    const [alone, beside] = [await start(settings), await start(settings, { hasOther: true })];

    const failed = await embed(alone);
    const image = await paint(beside);

    expect(failed.status).toBe(status);
    expect(await failed.json()).toMatchObject({ error: { code } });
    expect(image.status).toBe(200);
    expect(image.headers.get("x-gateway-upstream")).toBe("direct");
    expect(secure.received).toEqual([]);
  },
);

test("a proxy that cannot be reached fails the target, and another serves even an image", async () => {
  const gone = await startConnectProxy();
  await gone.close();
  const gateway = await start({ baseUrl: secure.baseUrl, proxy: gone.url }, { hasOther: true });

  const image = await paint(gateway);

  expect(image.headers.get("x-gateway-upstream")).toBe("direct");
});

test("a secure proxy with a certificate of an unknown authority gets no credentials", async () => {
  const proxy = await startProxy({ credentials, tls: own });
  const gateway = await start({ baseUrl: plain.baseUrl, proxy: withCredentials(proxy) });

  const response = await embed(gateway);

  expect(response.status).toBe(503);
  expect(proxy.received).toEqual([]);
});

test("a proxy that says nothing is given up after the timeout, and its connection is closed", async () => {
  const proxy = await startProxy();
  proxy.mode = "stall";

  const opening = openTunnel(readProxy(proxy.url), { destination: "x:1", timeoutMs: 50, ca: undefined });

  await expect(opening).rejects.toMatchObject({ reason: "timeout" });
  await expect.poll(proxy.connections).toBe(0);
});

test("the tunnels of an upstream are closed with the gateway", async () => {
  const proxy = await startProxy();
  const gateway = await start({ baseUrl: plain.baseUrl, proxy: proxy.url });
  await embed(gateway);
  expect(proxy.tunnels()).toBe(1);

  await cleanUps.pop()?.();

  await expect.poll(proxy.tunnels).toBe(0);
});

test("links in the replies of an upstream behind a proxy are fetched directly, under the guard", async () => {
  const proxy = await startProxy();
  const settings = { baseUrl: plain.baseUrl, proxy: proxy.url };
  const guarded = await start(settings);

  const refused = await paint(guarded, "linked");

  expect(await refused.json()).toMatchObject({ error: { code: "upstream_invalid_reply" } });
  expect(proxy.received).toHaveLength(1);
  const allowed = await start({ ...settings, allowPrivateUrls: true });
  const response = await paint(allowed, "linked");
  expect(response.status).toBe(200);
  expect(proxy.received).toHaveLength(2);
});
