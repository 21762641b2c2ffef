import { X509Certificate } from "node:crypto";
import { type Authority, createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, GatewayFolder } from "../gateway/built.js";
import { SecureClient, shownSerial } from "../gateway/secure-client.js";
import { testKey } from "../gateway/test-gateway.js";
import { startSecureUpstream } from "../servers/secure-upstream.js";
import { describeServed, openServers } from "../servers/stages.js";

/** The built gateway, whose certificate files change while it runs. */
let authority: Authority;
let first: KeyPair;
let second: KeyPair;
let upstream: FakeUpstream;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  authority = await createAuthority();
  [first, second, upstream] = await Promise.all([authority.issue(), authority.issue(), startFakeUpstream()]);
});
afterAll(() => upstream.close());
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const serialOf = ({ cert }: KeyPair) => new X509Certificate(cert).serialNumber;
const linesOf = (gateway: BuiltGateway, text: string) =>
  gateway
    .stdout()
    .split("\n")
    .filter((line) => line.includes(text));

function folderWith(environment: Readonly<Record<string, string>> = {}): GatewayFolder {
  const folder = new GatewayFolder(
    `keys: [{ name: tester, key: ${testKey} }]
tls: { cert: ./cert.pem, key: ./key.pem }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { text: { type: embedding, targets: [{ upstream: fake, model: text }] } }
`,
    environment,
  );
  cleanUps.push(() => folder.remove());
  replace(folder, first);
  return folder;
}

function replace(folder: GatewayFolder, { cert, key }: KeyPair): void {
  folder.write("cert.pem", cert);
  folder.write("key.pem", key);
}

function newClient(): SecureClient {
  const client = new SecureClient(authority.ca);
  cleanUps.push(() => client.close());
  return client;
}

test("a new certificate is shown to new connections, and open ones go on", async () => {
  const folder = folderWith();
  const gateway = await folder.start();
  const client = newClient();
  const embed = () => client.send(`${gateway.url}/v1/embeddings`, { model: "text", input: "a" });
  const before = await embed();

  replace(folder, second);
  await expect.poll(() => shownSerial(gateway.url, { ca: authority.ca })).toBe(serialOf(second));
  const after = await embed();

  expect(gateway.url).toMatch(/^https:/);
  expect([before.status, before.serialNumber]).toEqual([200, serialOf(first)]);
  expect(after).toMatchObject({ status: 200, isReused: true, serialNumber: serialOf(first) });
});

test("a bad certificate is refused with one line, and the old one stays until there is a good one", async () => {
  const folder = folderWith();
  const gateway = await folder.start();

  folder.write("cert.pem", "no certificate");
  await expect.poll(() => linesOf(gateway, "was refused")).toHaveLength(1);
  expect(linesOf(gateway, "was refused")[0]).toMatch(/"level":"error".*tls\.cert: has no certificate/);
  expect(await shownSerial(gateway.url, { ca: authority.ca })).toBe(serialOf(first));
  replace(folder, second);
  await expect.poll(() => shownSerial(gateway.url, { ca: authority.ca })).toBe(serialOf(second));

  expect(gateway.stdout()).not.toContain("PRIVATE KEY");
});

test("a server of https stays one, and the log says that a restart is needed", async () => {
  const folder = folderWith();
  const gateway = await folder.start();

  folder.configure(`keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { text: { type: embedding, targets: [{ upstream: fake, model: text }] } }
`);
  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");

  expect(gateway.stdout()).toMatch(/"ignored":\["tls"\].*take effect after a restart/);
  expect((await newClient().send(`${gateway.url}/healthz`)).status).toBe(200);
});

test("a changed authority of an upstream is trusted after SIGHUP, and without it", async () => {
  const secure = await startSecureUpstream(first);
  cleanUps.push(() => secure.close());
  const folder = new GatewayFolder(`keys: [{ name: tester, key: ${testKey} }]
upstreams: { one: { provider: openai-compatible, baseUrl: "${secure.baseUrl}", tls: { ca: ca.pem } } }
models: { text: { type: embedding, retries: { max: 0 }, targets: [{ upstream: one, model: text }] } }
`);
  cleanUps.push(() => folder.remove());
  const stranger = await createAuthority();
  folder.write("ca.pem", stranger.ca);
  const gateway = await folder.start();
  const embed = async () => (await gateway.sendJson("/v1/embeddings", { model: "text", input: "a" })).status;
  expect(await embed()).toBe(503);

  folder.write("ca.pem", authority.ca);
  await expect.poll(embed).toBe(200);
  folder.write("ca.pem", stranger.ca);
  gateway.process.kill("SIGHUP");

  await expect.poll(embed).toBe(503);
});

describeServed("a gateway of two workers", () => {
  test("shows a new certificate in both", async () => {
    const servers = await openServers();
    cleanUps.push(() => servers.close([]));
    const folder = folderWith({ ...servers.environment, WORKERS: "2" });
    const gateway = await folder.start();
    // Workers take turns with connections.
    const shown = async () =>
      new Set([
        await shownSerial(gateway.url, { ca: authority.ca }),
        await shownSerial(gateway.url, { ca: authority.ca }),
      ]);
    expect(await shown()).toEqual(new Set([serialOf(first)]));

    replace(folder, second);

    await expect.poll(shown).toEqual(new Set([serialOf(second)]));
  });
});
