import {
  createPostgresDatabase,
  hasPostgres,
  postgresServer,
  reportMissingPostgres,
} from "@model-gateway/test-suite/postgres-server";
import { describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { runCommand } from "../commands/run-command.js";

const config = (databaseUrl: string) => `
databaseUrl: "${databaseUrl}"
upstreams: { local: { provider: local } }
models: { local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`;

if (!hasPostgres) reportMissingPostgres("keys during a database outage");
describe.skipIf(!hasPostgres)("a database outage", () => {
  test.each(["kill", "freeze"] as const)(
    "known keys keep working, others get a 503, and changes are applied afterwards (%s)",
    async (how) => {
      const database = await createPostgresDatabase();
      const proxy = await startCutOffProxy(postgresServer);
      const far = new URL(database.url);
      far.port = new URL(proxy.url).port;
      const [near, gateway] = await Promise.all(
        [database.url, far.href].map((url) => startGateway(config(url))),
      );
      if (near === undefined || gateway === undefined) throw new Error("No gateway was started.");
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
      await expect.poll(() => lastLogLine(gateway), soon).toContain("cannot be read");
      // The gateway cannot know of the revocation yet.
      const revokedDuringOutage = await statusOf(gateway, revoked.value);
      if (how === "kill") proxy.revive();
      else proxy.thaw();

      expect(before).toEqual([200, 200]);
      expect(during).toEqual({ configured: 200, known: 200, unknown: 503, nonsense: 401, admin: 503 });
      expect(revokedDuringOutage).toBe(200);
      await expect.poll(() => statusOf(gateway, revoked.value), soon).toBe(401);
      await expect.poll(() => statusOf(gateway, unknown.value), soon).toBe(200);
      await expect.poll(() => lastLogLine(gateway), soon).toContain("can be read again");
      await Promise.all([near.stop(), gateway.stop()]);
      await proxy.close();
      await database.drop();
    },
  );

  test("the command status shows what is known without the database", async () => {
    const database = await createPostgresDatabase();
    const proxy = await startCutOffProxy(postgresServer);
    const far = new URL(database.url);
    far.port = new URL(proxy.url).port;
    const gateway = await startGateway(config(far.href));
    const environment = { GATEWAY_ADMIN_KEY: testAdminKey };
    proxy.kill();
    const status = () => runCommand(gateway.url, ["status"], { environment });
    await expect.poll(async () => (await status()).stdout, soon).toContain("The database is unavailable");

    const { exitCode, stdout, stderr } = await status();

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("\n1 upstream, 1 target not called since the start\n");
    expect(stdout).toContain("The last failures are not known: the ledger cannot be read.");
    await gateway.stop();
    await proxy.close();
    await database.drop();
  });

  test("a key that only the database knows gets a 503 with retry-after, and not a 401", async () => {
    const database = await createPostgresDatabase();
    const proxy = await startCutOffProxy(postgresServer);
    const far = new URL(database.url);
    far.port = new URL(proxy.url).port;
    const gateway = await startGateway(config(far.href));
    const { value } = await createKey(gateway);
    proxy.kill();

    const response = await gateway.send("/v1/models", { headers: { authorization: `Bearer ${value}` } });

    expect({
      status: response.status,
      wait: response.headers.get("retry-after"),
      retry: response.headers.get("x-should-retry"),
      body: await response.json(),
    }).toEqual({
      status: 503,
      wait: "1",
      retry: null,
      body: {
        error: {
          message: "The gateway's database cannot be reached. Retry in a moment.",
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
  });
});

const soon = { timeout: 90_000, interval: 50 };

/** The last log line about changes of keys. */
function lastLogLine({ logLines }: InProcessGateway): string {
  return logLines.findLast((line) => line.includes("Changes of keys")) ?? "";
}

async function createKey(gateway: InProcessGateway): Promise<{ id: string; value: string }> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const response = await gateway.sendJson("/admin/v1/keys", { name: "a key" }, { headers });
  return (await response.json()) as { id: string; value: string };
}

async function statusOf(gateway: InProcessGateway, key: string, path = "/v1/models"): Promise<number> {
  const response = await gateway.send(path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}
