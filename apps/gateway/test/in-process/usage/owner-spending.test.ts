import type { Schemas } from "@model-gateway/domain/operations";
import {
  createPostgresDatabase,
  hasPostgres,
  reportMissingPostgres,
} from "@model-gateway/test-suite/postgres-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { budgetPeriod } from "../../../src/limits/account.js";
import { rowOf } from "../../../src/usage/test/ledger-rows.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { createFaultyStorage } from "../contract/faulty-storage.js";

const fileKey = "file-key-0123456789abcdef";
const month = budgetPeriod("month", Date.now());
const lastMonth = budgetPeriod("month", month.startsAt - 1);

describe("the spending of teams on SQLite", () => comparesWithBudgets(async () => ({ environment: {} })));

if (!hasPostgres) reportMissingPostgres("the spending of teams");
describe.skipIf(!hasPostgres)("the spending of teams on PostgreSQL", () =>
  comparesWithBudgets(async () => {
    const { url, drop } = await createPostgresDatabase();
    return { environment: { DATABASE_URL: url }, drop };
  }),
);

interface Server {
  readonly environment: Readonly<Record<string, string>>;
  readonly drop?: () => Promise<void>;
}

/** Two teams over two months: rows of the past, and requests of now. */
function comparesWithBudgets(open: () => Promise<Server>): void {
  const storage = createFaultyStorage();
  let server: Server;
  let upstream: FakeUpstream;
  let home: InProcessFolder;
  let gateway: InProcessGateway;
  let admin: AdminClient;
  let keys: Record<"crawler" | "index" | "banner", Schemas["CreatedKey"]>;

  beforeAll(async () => {
    server = await open();
    upstream = await startFakeUpstream();
    home = new InProcessFolder(
      `port: 0
keys: [{ name: nightly, key: ${fileKey}, owner: search, budget: { usd: 100, per: month } }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1000 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 0.25 }, targets: [{ upstream: fake, model: image }] }
`,
      server.environment,
    );
    gateway = await home.start({ openStorage: storage.open });
    admin = new AdminClient(gateway.url);
    const budget = { usd: 100, per: "month" } as const;
    keys = {
      crawler: await admin.createKey({ name: "crawler", owner: "search", budget }),
      index: await admin.createKey({ name: "index", owner: "search", budget }),
      banner: await admin.createKey({ name: "banner", owner: "design", budget }),
    };
    await addHistory();
    await sendRequests();
  });
  afterAll(async () => {
    await home.remove();
    await upstream.close();
    await server.drop?.();
  });

  /** The last moment of the last month, the first of this one, and a day in each. */
  async function addHistory(): Promise<void> {
    const { crawler, index, banner } = keys;
    const spent: [keyId: string, at: number, costNanos: number | null][] = [
      [crawler.id, lastMonth.startsAt, 1_000_000_001],
      [crawler.id, month.startsAt - 1, 20],
      [crawler.id, month.startsAt, 300],
      ["config:nightly", lastMonth.startsAt + 3_600_001, 4000],
      ["config:nightly", month.startsAt + 1, 50_000],
      [index.id, month.startsAt + 2, 600_000],
      [index.id, month.startsAt + 3, null],
      [banner.id, month.startsAt - 2, 7_000_000],
      [banner.id, month.startsAt + 4, 80_000_000],
    ];
    await storage
      .storage()
      .ledger.add(spent.map(([keyId, at, costNanos], number) => rowOf(number, { keyId, at, costNanos })));
  }

  async function sendRequests(): Promise<void> {
    const send = (path: string, key: string, body: object) =>
      gateway.sendJson(path, body, { headers: { authorization: `Bearer ${key}` } });
    const responses = [
      await send("/v1/embeddings", keys.crawler.value, { model: "text", input: "abc" }),
      await send("/v1/embeddings", fileKey, { model: "text", input: "abcdefg" }),
      await send("/v1/images/generations", keys.banner.value, { model: "image", prompt: "a fox", n: 2 }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await admin.untilShipped();
  }

  const nanos = (usd: number | null | undefined) => Math.round((usd ?? 0) * 1e9);
  const spendingOf = async (query: Record<string, string>) =>
    (await admin.usage(query)).map(({ cost_usd }) => nanos(cost_usd));

  test("the month of a team is the sum of what its keys have spent of their budgets", async () => {
    const response = await admin.send("/admin/v1/keys?limit=1000");
    const listed = ((await response.json()) as Schemas["KeyList"]).data;
    const ofBudgets = (owner: string) =>
      listed
        .filter((key) => key.owner === owner)
        .reduce((sum, { budget_usage }) => sum + nanos(budget_usage?.spent_usd), 0);

    const search = await spendingOf({ owner: "search", period: "this_month" });
    const design = await spendingOf({ owner: "design", period: "this_month" });

    expect(search).toEqual([300 + 50_000 + 600_000 + 10_000_000]);
    expect(design).toEqual([80_000_000 + 500_000_000]);
    expect([search[0], design[0]]).toEqual([ofBudgets("search"), ofBudgets("design")]);
  });

  test("each key of a team has spent as much of its budget as the report says", async () => {
    for (const { key_id = "", cost_usd } of await admin.usage({
      owner: "search",
      period: "this_month",
      group_by: "key",
    })) {
      const response = await admin.send(`/admin/v1/keys/${encodeURIComponent(key_id)}`);
      const { budget_usage } = (await response.json()) as Schemas["AccessKey"];
      expect([key_id, nanos(cost_usd)]).toEqual([key_id, nanos(budget_usage?.spent_usd)]);
    }
  });

  test("the last month ends where this one begins", async () => {
    expect(await spendingOf({ owner: "search", period: "last_month" })).toEqual([1_000_004_021]);
    expect(await spendingOf({ owner: "design", period: "last_month" })).toEqual([7_000_000]);
  });

  test("teams by month have the same sums, and add up to the totals", async () => {
    const response = await admin.send("/admin/v1/usage?group_by=owner,month");
    const { data, totals } = (await response.json()) as Schemas["UsageList"];

    expect(data.map(({ starts_at, owner, cost_usd }) => [starts_at, owner, nanos(cost_usd)])).toEqual([
      [lastMonth.startsAt / 1000, "design", 7_000_000],
      [lastMonth.startsAt / 1000, "search", 1_000_004_021],
      [month.startsAt / 1000, "design", 580_000_000],
      [month.startsAt / 1000, "search", 10_650_300],
    ]);
    expect(nanos(totals.cost_usd)).toBe(data.reduce((sum, { cost_usd }) => sum + nanos(cost_usd), 0));
  });

  test("a revoked key still counts for its team, and a key that changes hands takes its past along", async () => {
    await admin.revokeKey(keys.index.id);
    await admin.changeKey(keys.banner.id, { owner: "search" });

    expect(await spendingOf({ owner: "search", period: "this_month" })).toEqual([10_650_300 + 580_000_000]);
    expect(await spendingOf({ owner: "search", period: "last_month" })).toEqual([1_000_004_021 + 7_000_000]);
    expect(await admin.usage({ owner: "design", period: "this_month", group_by: "key" })).toEqual([]);
  });
}
