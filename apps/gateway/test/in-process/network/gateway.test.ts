import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Authority, createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { SecureClient, shownSerial } from "../../gateway/secure-client.js";
import { testKey } from "../../gateway/test-gateway.js";

/** A gateway that serves https itself. */
let authority: Authority;
let own: KeyPair;
let upstream: FakeUpstream;
let gateway: InProcessGateway;
let client: SecureClient;
let isStopped: boolean;

beforeAll(async () => {
  authority = await createAuthority();
  [own, upstream] = await Promise.all([authority.issue(), startFakeUpstream()]);
});
afterAll(() => upstream.close());
afterEach(async () => {
  client.close();
  if (!isStopped) await gateway.stop();
});

async function start(more = ""): Promise<void> {
  isStopped = false;
  client = new SecureClient(authority.ca);
  gateway = await startGateway(`
tls: ${JSON.stringify(own)}
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
${more}`);
}

test("requests, errors and large responses pass over one connection", async () => {
  await start();
  const input = Array.from({ length: 2000 }, (_, index) => `text ${index}`);

  const small = await client.send(`${gateway.url}/v1/embeddings`, { model: "text", input: "a" });
  const unknown = await client.send(`${gateway.url}/v1/embeddings`, { model: "none", input: "a" });
  const large = await client.send(`${gateway.url}/v1/embeddings`, { model: "text", input });

  expect(gateway.url).toMatch(/^https:/);
  expect([small.status, unknown.status, large.status]).toEqual([200, 404, 200]);
  expect(JSON.parse(large.body).data).toHaveLength(2000);
  expect([small.isReused, unknown.isReused, large.isReused]).toEqual([false, true, true]);
});

test("links to images are https, and lead to the image", async () => {
  await start();
  const response = await client.send(`${gateway.url}/v1/images/generations`, {
    model: "image",
    prompt: "a fox",
    response_format: "url",
  });

  const { url } = JSON.parse(response.body).data[0];
  const image = await client.send(url);

  expect(url.startsWith(`${gateway.url}/v1/images/files/`)).toBe(true);
  expect([image.status, image.headers["content-type"]]).toEqual([200, "image/png"]);
});

test.each(["TLSv1.2", "TLSv1.3"] as const)("%s is accepted", async (version) => {
  await start();

  const serial = shownSerial(gateway.url, { ca: authority.ca, minVersion: version, maxVersion: version });

  expect(await serial).toMatch(/^[0-9A-F]+$/);
});

test("TLS 1.1 is refused", async () => {
  await start();

  const old = {
    ca: authority.ca,
    minVersion: "TLSv1.1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  };

  await expect(shownSerial(gateway.url, old as never)).rejects.toMatchObject({
    code: expect.stringMatching(/ALERT_PROTOCOL_VERSION/),
  });
});

test("plain HTTP gets no response, and the gateway goes on", async () => {
  await start();

  await expect(fetch(gateway.url.replace("https", "http"))).rejects.toThrow();

  expect((await client.send(`${gateway.url}/healthz`)).status).toBe(200);
});

test("a connection without a handshake does not delay a stop", { timeout: 100_000 }, async () => {
  await start("limits: { stopMs: 600000 }");
  const { hostname, port } = new URL(gateway.url);
  const silent = connect(Number(port), hostname);
  silent.on("error", () => undefined);
  await once(silent, "connect");
  // The gateway has accepted the silent connection before this one.
  await client.send(`${gateway.url}/healthz`);

  isStopped = true;
  await Promise.all([gateway.stop(), once(silent, "close")]);
});

test("a request in flight is finished before the gateway stops", async () => {
  await start();
  upstream.follow({ always: { isHeld: true } });
  const inFlight = client.send(`${gateway.url}/v1/embeddings`, { model: "text", input: "a" });
  await expect.poll(gateway.inFlight).toBe(1);

  isStopped = true;
  const stopped = gateway.stop();
  upstream.follow({});
  await stopped;

  expect((await inFlight).status).toBe(200);
});

test("the OpenAI SDK calls it with the authority from NODE_EXTRA_CA_CERTS", async () => {
  await start();
  const file = join(gateway.dataDir, "ca.pem");
  writeFileSync(file, authority.ca);
  const script = `
    import OpenAI from "openai";
    const client = new OpenAI({ baseURL: "${gateway.url}/v1", apiKey: "${testKey}", maxRetries: 0 });
    const { data } = await client.embeddings.create({ model: "text", input: "a" });
    console.log(data.length, Array.isArray(data[0].embedding));`;

  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: file },
  });

  expect(stdout.trim()).toBe("1 true");
});
