import { postgresServer } from "@model-gateway/test-suite/postgres-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testAdminKey, testConfig, testEnvironment, testKey } from "../../gateway/test-gateway.js";
import { type CutOffProxy, startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

describeServed("a gateway whose PostgreSQL hangs or is down", () => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let proxy: CutOffProxy;
  let home: GatewayFolder;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    servers = await openServers();
    proxy = await startCutOffProxy(postgresServer);
    const database = new URL(servers.environment.DATABASE_URL ?? "");
    database.port = new URL(proxy.url).port;
    home = new GatewayFolder(
      `${testConfig}
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }`,
      { ...servers.environment, ...testEnvironment, DATABASE_URL: database.href },
    );
  });
  afterEach(async () => {
    await home.remove();
    await proxy.close();
    await servers.close();
    await upstream.close();
  });

  test("refuses images with an Idempotency-Key soon after it began to hang, and at once later", async () => {
    const gateway = await home.start();
    const admin = new AdminClient(gateway.url);
    const known = await admin.createKey({ name: "known" });
    const unknown = await admin.createKey({ name: "unknown" });
    await image(gateway, "before", known.value);

    proxy.freeze();
    const bought = upstream.received.length;
    const first = await image(gateway, "first", known.value);
    const second = await image(gateway, "first", known.value);
    const during = {
      known: await status(gateway, known.value),
      unknown: await status(gateway, unknown.value),
    };

    console.info(`PostgreSQL hangs: the first refusal took ${first.ms} ms, the second ${second.ms} ms.`);
    expect([first.outcome, second.outcome]).toEqual([refusal, refusal]);
    expect(upstream.received).toHaveLength(bought);
    expect(during).toEqual({ known: 200, unknown: 503 });
    await expect.poll(() => database(gateway)).toBe("unavailable");
    proxy.thaw();

    await expect.poll(() => database(gateway)).toBe("available");
    await expect.poll(() => status(gateway, unknown.value)).toBe(200);
    await admin.untilShipped();
    expect(await admin.rowsOnce(3)).toHaveLength(3);
    await expect
      .poll(() => linesAbout(gateway))
      .toEqual(["The database is unavailable.", "The database is back."]);
  });

  test.each([{ workers: 1 }, { workers: 2 }])(
    "starts while it is down, and joins it when it is there, with $workers workers",
    async ({ workers }) => {
      proxy.kill();
      const gateway = await home.start({ WORKERS: String(workers) });
      const embedding = await gateway.sendJson("/v1/embeddings", { model: "text", input: "a" });
      const paid = await image(gateway, "while it is down", testKey);
      const admin = new AdminClient(gateway.url);
      const refused = await gateway.send("/admin/v1/keys", {
        headers: { authorization: `Bearer ${testAdminKey}` },
      });
      const ready = await fetch(`${gateway.url}/readyz?verbose`);

      expect([embedding.status, paid.outcome, ready.status]).toEqual([200, refusal, 200]);
      expect(await ready.json()).toMatchObject({ status: "ready", storage: { database: "unavailable" } });
      expect({
        status: refused.status,
        wait: refused.headers.get("retry-after"),
        ...(await errorOf(refused)),
      }).toEqual({
        status: 503,
        wait: "1",
        code: "storage_unavailable",
        message: "The gateway's database cannot be reached. Retry in a moment.",
      });
      proxy.revive();

      await expect.poll(() => lines(gateway, "The database is back.").length).toBe(workers);
      const key = await admin.createKey({ name: "created afterwards" });
      await expect.poll(() => status(gateway, key.value)).toBe(200);
      await admin.untilShipped();
      expect(await admin.rowsOnce(2)).toHaveLength(2);
      await expect.poll(() => lines(gateway, "The database is unavailable.").length).toBe(workers);
    },
  );

  test("prints the admin key that it creates once the database is there", async () => {
    proxy.kill();
    const gateway = await home.start({ GATEWAY_ADMIN_KEY: "" });
    const greeting = gateway.stdout();
    const early = await status(gateway, `mg_${"0".repeat(38)}`);

    proxy.revive();
    await expect.poll(() => /^ {2}(mg_admin_\w+)$/m.exec(gateway.stdout())?.[1]).toBeDefined();

    const key = /^ {2}(mg_admin_\w+)$/m.exec(gateway.stdout())?.[1] ?? "";
    const listed = await gateway.send("/admin/v1/keys", { headers: { authorization: `Bearer ${key}` } });
    expect(listed.status).toBe(200);
    expect(greeting).not.toContain("mg_admin_");
    expect(early).toBe(401);
  });

  test("does not start if the database is there and refuses it", async () => {
    const wrong = new URL(servers.environment.DATABASE_URL ?? "");
    wrong.pathname = "/no_such_database";
    const gateway = home.launch({ DATABASE_URL: wrong.href });

    expect(await gateway.exit).toBe(1);
    expect(gateway.stderr()).toMatch(
      /^The database 127.0.0.1:5432\/no_such_database cannot be opened: database "no_such_database" does not exist\n$/,
    );
  });
});

const refusal = "503 idempotency_unavailable";

async function image(gateway: BuiltGateway, key: string, apiKey: string) {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": key };
  const body = { model: "image", prompt: "a fox" };
  const response = await gateway.sendJson("/v1/images/generations", body, { headers });
  const { error } = (await response.json()) as { error?: { code: string } };
  const outcome = error === undefined ? String(response.status) : `${response.status} ${error.code}`;
  return { outcome, ms: Math.round(performance.now() - startedAt) };
}

async function status(gateway: BuiltGateway, key: string): Promise<number> {
  const response = await gateway.send("/v1/models", { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

async function errorOf(response: Response): Promise<{ code: string; message: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { code: error.code, message: error.message };
}

async function database(gateway: BuiltGateway): Promise<string> {
  const response = await fetch(`${gateway.url}/readyz?verbose`);
  const { storage } = (await response.json()) as { storage: { database: string } };
  return storage.database;
}

function lines({ logLines }: BuiltGateway, text: string): string[] {
  return logLines.filter((line) => line.includes(text));
}

/** The first sentence of each log line about the database's state. */
function linesAbout({ logLines }: BuiltGateway): string[] {
  return logLines.flatMap((line) => /The database is (?:unavailable|back)\./.exec(line)?.[0] ?? []);
}
