import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openUpstream } from "@model-gateway/providers/registry";
import { type FakeAws, startFakeAws } from "@model-gateway/providers/test/fake-aws";
import { type FakeIssuer, startFakeIssuer } from "@model-gateway/providers/test/fake-issuer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { bedrockRegion, startFakeBedrock } from "../providers/bedrock/fake-bedrock.js";
import type { AccessKey } from "../providers/bedrock/verify-signature.js";
import type { StrictServer } from "../providers/strict-server.js";
import { SharedTime } from "./shared-time.js";
import { startTokenServer, type TokenServer } from "./token-server.js";

const role = "arn:aws:iam::123456789012:role/gateway";
const lifetimeMs = 1000;
const stepMs = 100;
/** Nothing that an issuer or a platform has given may be seen anywhere. */
const secrets = /issued-(secret|session|token)|identity-token/;

let time: SharedTime;
let folder: string;
let aws: FakeAws;
let bedrock: StrictServer;
let metadata: FakeIssuer;
let vertex: TokenServer;
let gateway: InProcessGateway;
let issuedTokens: number;

beforeEach(async () => {
  time = new SharedTime();
  folder = mkdtempSync(join(tmpdir(), "credentials-"));
  writeFileSync(join(folder, "identity"), "identity-token");
  aws = await startFakeAws({ now: time.now, lifetimeMs, roles: { [role]: { tokens: ["identity-token"] } } });
  bedrock = await startFakeBedrock({ keys: new UnexpiredKeys() });
  vertex = await startTokenServer(time.now);
  issuedTokens = 0;
  metadata = await startFakeIssuer(() => {
    issuedTokens += 1;
    const token = `issued-token-${issuedTokens}`;
    vertex.validUntil.set(token, time.now() + lifetimeMs);
    return { body: { access_token: token, expires_in: lifetimeMs / 1000 } };
  });
  const environment = {
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "identity"),
    AWS_ROLE_ARN: role,
    AWS_ENDPOINT_URL_STS: aws.origin,
    GCE_METADATA_HOST: new URL(metadata.origin).host,
  };
  const tools = { clock: time.clock, timeOfDay: time.now, environment };
  gateway = await startGateway(
    `
upstreams:
  aws: { provider: bedrock, region: ${bedrockRegion}, baseUrl: "${bedrock.origin}" }
  google: { provider: vertex, project: p, location: europe-west4, baseUrl: "${vertex.origin}/v1" }
models:
  aws: { type: embedding, targets: [{ upstream: aws, model: "amazon.titan-embed-text-v2:0" }] }
  google: { type: embedding, targets: [{ upstream: google, model: text-embedding-005 }] }
  aws-other: { type: embedding, targets: [{ upstream: aws, model: amazon.titan-embed-text-v1 }] }
  google-other: { type: embedding, targets: [{ upstream: google, model: text-multilingual-embedding-002 }] }
`,
    { openUpstream: (upstream, given) => openUpstream(upstream, { ...given, ...tools }) },
  );
});
afterEach(async () => {
  await gateway.stop();
  for (const server of [aws, bedrock, metadata, vertex]) server.close();
  rmSync(folder, { recursive: true });
});

/** The keys that the fake of STS has issued, as long as they are valid. */
class UnexpiredKeys extends Map<string, AccessKey> {
  override get(id: string): AccessKey | undefined {
    return (aws.ends.get(id) ?? 0) > time.now() ? aws.keys.get(id) : undefined;
  }
}

const embed = (model: string, input: string) => gateway.sendJson("/v1/embeddings", { model, input });
async function statusOf(model: string, input: string): Promise<number> {
  const reply = await embed(model, input);
  await reply.arrayBuffer();
  return reply.status;
}
const administer = (path: string) =>
  gateway.send(path, { headers: { authorization: `Bearer ${testAdminKey}` } });

async function credentialOf(name: string) {
  const { data } = (await (await administer("/admin/v1/upstreams")).json()) as {
    data: { name: string; credential: Record<string, unknown> }[];
  };
  return data.find((upstream) => upstream.name === name)?.credential;
}

/** All that operators and callers are shown. */
async function everythingShown(): Promise<string> {
  const paths = [
    "/admin/v1/upstreams",
    "/admin/v1/requests",
    "/admin/v1/configuration",
    "/metrics",
    "/readyz",
  ];
  const pages = await Promise.all(paths.map(async (path) => (await administer(path)).text()));
  return [...pages, ...gateway.logLines].join("\n");
}

test("60 renewals in a minute fail no request, and no secret is seen", async () => {
  const statuses: Promise<number>[] = [];
  const start = time.now();

  for (let step = 0; time.now() < start + 60_000; step += 1) {
    for (const model of ["aws", "google"]) statuses.push(statusOf(model, `text ${step}`));
    // Requests are under way while the time moves.
    if (step % 2 === 1) await Promise.all(statuses);
    time.advance(stepMs);
  }

  const all = await Promise.all(statuses);
  expect(all.length).toBe(1200);
  expect(all.filter((status) => status !== 200)).toEqual([]);
  expect(aws.ends.size).toBeGreaterThanOrEqual(60);
  expect(issuedTokens).toBeGreaterThanOrEqual(60);
  // A renewal for each request would be 600.
  expect(Math.max(aws.ends.size, issuedTokens)).toBeLessThan(180);
  expect(await everythingShown()).not.toMatch(secrets);
});

test.each([
  ["aws", () => aws, `the web identity of ${role}`],
  ["google", () => metadata, "the service account of this machine"],
])(
  "%s: while the token service is down, the last credential is used until its end",
  async (name, issuer, source) => {
    expect((await embed(name, "first")).status).toBe(200);
    const expiresAt = Math.floor((time.now() + lifetimeMs) / 1000);
    const valid = { source, status: "valid", expires_at: expiresAt, error: null };
    expect(await credentialOf(name)).toEqual({ ...valid, renewed_at: expect.any(Number) });

    issuer().isDown = true;
    time.advance(900);
    expect((await embed(name, "second")).status).toBe(200);
    const error = expect.stringMatching(/^The issuer replied with status 503/);
    await expect.poll(() => credentialOf(name)).toMatchObject({ source, status: "failing", error });

    time.advance(200);
    const refused = await embed(name, "third");
    expect(refused.status).toBe(502);
    const { error: shown } = (await refused.json()) as { error: object };
    expect(shown).toMatchObject({
      code: "upstream_auth_error",
      message: "The gateway could not get credentials for the upstream.",
    });
    const missing = { source, status: "missing", expires_at: null, renewed_at: null, error };
    expect(await credentialOf(name)).toEqual(missing);
    expect(JSON.stringify(shown) + (await everythingShown())).not.toMatch(secrets);

    issuer().isDown = false;
    time.advance(5000);
    // The first target is left alone for a while.
    expect(await statusOf(`${name}-other`, "fourth")).toBe(200);
    expect(await credentialOf(name)).toMatchObject({ status: "valid", error: null });
  },
);
