import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, expect, test } from "vitest";
import type { Storage } from "../../../src/storage/open-storage.js";
import { rowOf } from "../../../src/usage/test/ledger-rows.js";
import { type InProcessGateway, openTestStorage, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let gateway: InProcessGateway;

afterEach(() => gateway.stop());

test("a gateway deletes requests after their retention, and keeps their usage", async () => {
  const clock = new ManualClock();
  let storage: Storage | undefined;
  let rounds = 0;
  gateway = await startGateway(
    `
retention: { requests: 1d }
upstreams: { local: { provider: local } }
models: { m: { type: embedding, targets: [{ upstream: local, model: gte-small }] } }`,
    {
      wallClock: clock,
      openStorage: async (config, log) => {
        const opened = await openTestStorage(config, log);
        storage = opened;
        const release = async () => {
          await opened.retention.release();
          rounds += 1;
        };
        return { ...opened, retention: { ...opened.retention, release } };
      },
    },
  );
  const oldAt = Math.floor((clock.now() - 2 * dayMs) / hourMs) * hourMs;
  await storage?.ledger.add([rowOf(1, { at: oldAt + 5000 }), rowOf(2, { at: clock.now() })]);

  await clock.runUntil(() => rounds > 0);

  const admin = (path: string) =>
    gateway.send(path, { headers: { authorization: `Bearer ${testAdminKey}` } });
  const listed = (await (await admin("/admin/v1/requests")).json()) as { data: { id: string }[] };
  expect(listed.data.map(({ id }) => id)).toEqual([rowOf(2).id]);
  const hour = oldAt / 1000;
  const whole = await (await admin(`/admin/v1/usage?from=${hour}&to=${hour + 3600}`)).json();
  expect(whole).toMatchObject({ data: [{ requests: 1, input_tokens: 1 }] });
  const part = await admin(`/admin/v1/usage?from=${hour + 1}`);
  expect(part.status).toBe(400);
  expect(await part.json()).toMatchObject({ error: { code: "invalid_value", param: "from" } });
  expect(await (await admin("/metrics")).text()).toMatch(/^gateway_ledger_deleted_total 1$/m);
});
