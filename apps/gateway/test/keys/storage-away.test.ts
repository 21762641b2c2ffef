import { describe, expect, test } from "vitest";
import {
  createPostgresDatabase,
  hasPostgres,
  postgresServer,
  reportMissingPostgres,
} from "../postgres/postgres-server.js";
import { startCutOffProxy } from "../redis/cut-off-proxy.js";
import { startGateway, type TestGateway, testAdminKey, testKey } from "../running-gateway.js";

const config = (databaseUrl: string) => `
databaseUrl: "${databaseUrl}"
upstreams: { local: { provider: local } }
models: { local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`;

if (!hasPostgres) reportMissingPostgres("keys while the database is away");
describe.skipIf(!hasPostgres)("a database that goes away", () => {
  test.each(["kill", "freeze"] as const)(
    "known keys go on working, others are told to come back, and changes are caught up with (%s)",
    async (how) => {
      const database = await createPostgresDatabase();
      const proxy = await startCutOffProxy(postgresServer);
      const far = new URL(database.url);
      far.port = new URL(proxy.url).port;
      const [near, gateway] = await Promise.all(
        [database.url, far.href].map((url) => startGateway(config(url))),
      );
      if (near === undefined || gateway === undefined) throw new Error("There is no gateway.");
      const known = await createKey(near);
      const unknown = await createKey(near);
      const revoked = await createKey(near);
      const before = [await statusOf(gateway, known.value), await statusOf(gateway, revoked.value)];

      proxy[how]();
      const during = {
        configured: await statusOf(gateway, testKey),
        known: await statusOf(gateway, known.value),
        unknown: await statusOf(gateway, unknown.value),
        nonsense: await statusOf(gateway, "mg_nonsense"),
        admin: await statusOf(gateway, testAdminKey, "/admin/v1/keys"),
      };
      await near.send(`/admin/v1/keys/${revoked.id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${testAdminKey}` },
      });
      await expect.poll(() => lastWord(gateway), soon).toContain("cannot be read");
      // What no one can tell the gateway it does not know.
      const unheard = await statusOf(gateway, revoked.value);
      if (how === "kill") proxy.revive();
      else proxy.thaw();

      expect(before).toEqual([200, 200]);
      expect(during).toEqual({ configured: 200, known: 200, unknown: 503, nonsense: 401, admin: 503 });
      expect(unheard).toBe(200);
      await expect.poll(() => statusOf(gateway, revoked.value), soon).toBe(401);
      await expect.poll(() => statusOf(gateway, unknown.value), soon).toBe(200);
      expect(lastWord(gateway)).toContain("can be read again");
      await Promise.all([near.stop(), gateway.stop()]);
      await proxy.close();
      await database.drop();
    },
    90_000,
  );

  test("whoever only the database knows gets a wait, and not a 401", async () => {
    const database = await createPostgresDatabase();
    const proxy = await startCutOffProxy(postgresServer);
    const far = new URL(database.url);
    far.port = new URL(proxy.url).port;
    const gateway = await startGateway(config(far.href));
    const { value } = await createKey(gateway);
    proxy.kill();

    const answer = await gateway.send("/v1/models", { headers: { authorization: `Bearer ${value}` } });

    expect({
      status: answer.status,
      wait: answer.headers.get("retry-after"),
      retry: answer.headers.get("x-should-retry"),
      body: await answer.json(),
    }).toEqual({
      status: 503,
      wait: "1",
      retry: null,
      body: {
        error: {
          message: "The gateway's database cannot be reached at the moment. Try again in a moment.",
          type: "service_unavailable_error",
          param: null,
          code: "storage_unavailable",
        },
      },
    });
    proxy.revive();
    await gateway.stop();
    await proxy.close();
    await database.drop();
  }, 60_000);
});

const soon = { timeout: 30_000, interval: 50 };

/** What the log has said last of the changes of keys. */
function lastWord({ logLines }: TestGateway): string {
  return logLines.findLast((line) => line.includes("Changes of keys")) ?? "";
}

async function createKey(gateway: TestGateway): Promise<{ id: string; value: string }> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const answer = await gateway.sendJson("/admin/v1/keys", { name: "a key" }, { headers });
  return (await answer.json()) as { id: string; value: string };
}

async function statusOf(gateway: TestGateway, key: string, path = "/v1/models"): Promise<number> {
  const answer = await gateway.send(path, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
}
