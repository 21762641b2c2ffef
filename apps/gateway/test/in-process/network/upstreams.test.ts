import { type Authority, createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { type SecureUpstream, startSecureUpstream } from "../../servers/secure-upstream.js";

/** Upstreams over TLS and behind proxies. The servers are real; only the certificates are made for the tests. */
let authority: Authority;
let stranger: Authority;
let server: KeyPair;
let plain: FakeUpstream;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [authority, stranger] = await Promise.all([createAuthority(), createAuthority()]);
  server = await authority.issue();
  plain = await startFakeUpstream();
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  plain.received.length = 0;
});
afterAll(() => plain.close());

/** A gateway whose models have the target `one`, and the plain upstream if requested. */
async function start(settings: object, { hasOther = false } = {}): Promise<InProcessGateway> {
  const upstreams = {
    one: { provider: "openai-compatible", ...settings },
    other: { provider: "openai-compatible", baseUrl: plain.baseUrl },
  };
  const targets = [
    { upstream: "one", model: "m", space: "s" },
    ...(hasOther ? [{ upstream: "other", model: "m", space: "s", tier: 2 }] : []),
  ];
  const models = {
    text: { type: "embedding", targets },
    image: { type: "image", targets: targets.map(({ space: _, ...target }) => target) },
  };
  const gateway = await startGateway(
    `upstreams: ${JSON.stringify(upstreams)}\nmodels: ${JSON.stringify(models)}\n`,
  );
  cleanUps.push(() => gateway.stop());
  return gateway;
}

async function secureUpstream(options: Parameters<typeof startSecureUpstream>[0]): Promise<SecureUpstream> {
  const upstream = await startSecureUpstream(options);
  cleanUps.push(() => upstream.close());
  return upstream;
}

async function embed(gateway: InProcessGateway) {
  const response = await gateway.sendJson("/v1/embeddings", { model: "text", input: "hello" });
  const body = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, code: body.error?.code, message: body.error?.message };
}

test("configured headers go with every request, beside the key and the trace, and into no log", async () => {
  const gateway = await start({
    baseUrl: plain.baseUrl,
    apiKey: "upstream-key",
    headers: { "X-Team": "search", "x-secret": "hush-hush" },
  });

  expect(await embed(gateway)).toMatchObject({ status: 200 });
  const image = await gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a fox" });

  expect(image.status).toBe(200);
  expect(plain.received.map(({ headers }) => headers)).toEqual(
    Array(2).fill(
      expect.objectContaining({
        "x-team": "search",
        "x-secret": "hush-hush",
        authorization: "Bearer upstream-key",
        "content-type": "application/json",
      }),
    ),
  );
  expect(gateway.logLines.join("")).not.toContain("hush-hush");
});

test("without a key, authorization may be of any form", async () => {
  const gateway = await start({ baseUrl: plain.baseUrl, headers: { authorization: "Api-Key abc" } });

  await embed(gateway);

  expect(plain.received[0]?.headers.authorization).toBe("Api-Key abc");
});

test("an upstream with a certificate of a private authority is called if that authority is trusted", async () => {
  const upstream = await secureUpstream(server);
  const trusting = await start({ baseUrl: upstream.baseUrl, tls: { ca: authority.ca } });
  const byName = await start({
    baseUrl: upstream.baseUrl.replace("127.0.0.1", "localhost"),
    tls: { ca: `${stranger.ca}\n${authority.ca}` },
  });

  expect(await embed(trusting)).toMatchObject({ status: 200 });
  expect(await embed(byName)).toMatchObject({ status: 200 });
});

test.each([
  ["an unknown authority", async () => ({ own: server, ca: undefined }), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ["another authority", async () => ({ own: server, ca: stranger.ca }), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  [
    "another name",
    async () => ({ own: await authority.issue({ hostname: "elsewhere.example" }), ca: authority.ca }),
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  [
    "an expired certificate",
    async () => ({ own: await authority.issue({ isExpired: true }), ca: authority.ca }),
    "CERT_HAS_EXPIRED",
  ],
])(
  "an upstream with %s gets no request, and another target serves even an image",
  async (_name, make, code) => {
    const { own, ca } = await make();
    const upstream = await secureUpstream(own);
    const settings = { baseUrl: upstream.baseUrl, tls: ca === undefined ? {} : { ca } };
    const alone = await start(settings);
    const beside = await start(settings, { hasOther: true });

    expect(await embed(alone)).toEqual({
      status: 503,
      code: "upstream_unavailable",
      message: `The certificate of the upstream cannot be verified (${code}).`,
    });
    const image = await beside.sendJson("/v1/images/generations", { model: "image", prompt: "a fox" });

    expect(image.headers.get("x-gateway-upstream")).toBe("other");
    expect(upstream.received).toEqual([]);
  },
);

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "an upstream that demands a client certificate gets it: %s",
  async (version) => {
    const client = await authority.issue({ hostname: "gateway" });
    const upstream = await secureUpstream({
      ...server,
      ca: authority.ca,
      requestCert: true,
      minVersion: version,
      maxVersion: version,
    });
    const gateway = await start({ baseUrl: upstream.baseUrl, tls: { ca: authority.ca, ...client } });

    expect(await embed(gateway)).toMatchObject({ status: 200 });
    expect(upstream.received).toHaveLength(1);
  },
);

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "an upstream that misses a client certificate gets no request, and another target serves: %s",
  async (version) => {
    const upstream = await secureUpstream({
      ...server,
      ca: authority.ca,
      requestCert: true,
      minVersion: version,
      maxVersion: version,
    });
    const settings = { baseUrl: upstream.baseUrl, tls: { ca: authority.ca } };
    const alone = await start(settings);
    const beside = await start(settings, { hasOther: true });

    expect(await embed(alone)).toMatchObject({ status: 503, code: "upstream_unavailable" });
    expect(await embed(beside)).toMatchObject({ status: 200 });
    expect(upstream.received).toEqual([]);
  },
);
