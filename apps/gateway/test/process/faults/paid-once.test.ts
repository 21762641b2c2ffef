import { administer, createPostgresDatabase } from "@model-gateway/test-suite/postgres-server";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { GatewayFolder } from "../../gateway/built.js";
import { startGateway } from "../../gateway/in-process.js";
import { type TestGateway, testConfig, testEnvironment } from "../../gateway/test-gateway.js";
import { describePostgres } from "../../servers/describe-databases.js";
import { canMount, mountSmallDisk, reportUnmountable } from "./small-disk.js";

/** An Idempotency-Key never buys twice in silence, whatever happens to the storage or the process. */
const mebibyte = 1024 * 1024;
const models = (upstream: FakeUpstream) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
`;
const refused = "503 idempotency_unavailable, retry after 1 s";
const unknown = "409 idempotency_outcome_unknown, do not retry";

let upstream: FakeUpstream;
let homes: GatewayFolder[];

beforeEach(async () => {
  upstream = await startFakeUpstream();
  homes = [];
});
afterEach(async () => {
  await Promise.all(homes.map((home) => home.remove()));
  await upstream.close();
});

function createHome(config: string, environment: Readonly<Record<string, string>> = {}): GatewayFolder {
  const home = new GatewayFolder(config, { ...testEnvironment, ...environment });
  homes.push(home);
  return home;
}

/** The keys that were bought, each as often as it was. */
const bought = () => upstream.received.map(({ body }) => body.prompt as string);

async function buy(gateway: TestGateway, key: string): Promise<string> {
  const body = { model: "image", prompt: key };
  const response = await gateway.sendJson("/v1/images/generations", body, {
    headers: { "idempotency-key": key },
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  const { status, headers } = response;
  if (error === undefined) return headers.get("idempotent-replayed") === "true" ? "replayed" : String(status);
  const advice =
    headers.get("x-should-retry") === "false"
      ? "do not retry"
      : `retry after ${headers.get("retry-after")} s`;
  return `${status} ${error.code}, ${advice}`;
}

/** Sends each key, and then each of them again. */
async function buyTwice(gateway: TestGateway, keys: readonly string[]): Promise<Set<string>> {
  const outcomes: string[] = [];
  for (const key of [...keys, ...keys]) outcomes.push(await buy(gateway, key));
  return new Set(outcomes);
}

const isMountable = canMount();
if (!isMountable) reportUnmountable("paid requests on a full disk");

describe.skipIf(!isMountable)("on a full disk with SQLite", () => {
  test("120 keys that are sent twice buy nothing, and each buys once when there is room", async () => {
    const disk = mountSmallDisk(24 * mebibyte);
    try {
      const home = createHome(
        `${testConfig.replace("./data", `${disk.folder}/data`)}
limits: { diskReserveBytes: ${mebibyte} }
${models(upstream)}`,
      );
      const gateway = await home.start();
      const keys = Array.from({ length: 120 }, (_, index) => `order ${index}`);
      expect(await buy(gateway, "before")).toBe("200");
      disk.fill(0);

      const during = await buyTwice(gateway, keys);
      const boughtWhenFull = bought();
      const before = await buy(gateway, "before");
      disk.free();

      // The gateway looks at the disk every few seconds; until then a write fails.
      expect([refused, "503 idempotency_unavailable, retry after 10 s"]).toEqual(
        expect.arrayContaining([...during]),
      );
      expect([boughtWhenFull, before]).toEqual([["before"], "replayed"]);
      await expect.poll(() => buy(gateway, "order 0")).toBe("200");
      expect(await buyTwice(gateway, keys)).toEqual(new Set(["200", "replayed"]));
      expect(bought()).toEqual(["before", ...keys]);
    } finally {
      disk.remove();
    }
  });

  test("a disk that fills while an image is bought loses its response, and it is not bought again", async () => {
    const disk = mountSmallDisk(24 * mebibyte);
    try {
      upstream.follow({ always: { isHeld: true } });
      const config = `${testConfig.replace("./data", `${disk.folder}/data`)}${models(upstream)}`;
      const home = createHome(
        config.replace("models:", `limits: { diskReserveBytes: ${mebibyte} }\nmodels:`),
      );
      const first = await home.start();
      const buying = buy(first, "order");
      await expect.poll(bought).toEqual(["order"]);
      disk.fill(0);
      upstream.follow({ always: { images: mebibyte } });

      const outcomes = [await buying, await buy(first, "order")];
      disk.free();
      await first.stop();
      const second = await home.start();
      outcomes.push(await buy(second, "order"));

      expect(outcomes).toEqual(["200", unknown, unknown]);
      expect(bought()).toEqual(["order"]);
    } finally {
      disk.remove();
    }
  });
});

test("after kill -9 between purchase and storing, the outcome is unknown and nothing is bought again", async () => {
  upstream.follow({ always: { isHeld: true } });
  const home = createHome(`${testConfig}${models(upstream)}`);
  const first = await home.start();
  const buying = buy(first, "order").catch(() => "cut off");
  await expect.poll(bought).toEqual(["order"]);
  await first.kill();
  upstream.follow({});

  const second = await home.start();
  const outcomes = [await buying, await buy(second, "order"), await buy(second, "another order")];

  expect(outcomes).toEqual(["cut off", unknown, "200"]);
  expect(bought()).toEqual(["order", "another order"]);
});

describePostgres("with PostgreSQL", () => {
  let url: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ url, drop } = await createPostgresDatabase());
  });
  afterEach(() => drop());

  test("that refuses writes, keys that are sent twice buy nothing, and replays work", async () => {
    const name = new URL(url).pathname.slice(1);
    const gateway = await startGateway(`databaseUrl: "${url}"${models(upstream)}`);
    // Connections that are open keep the old setting.
    const setReadOnly = async (value: "on" | "off") => {
      await administer(`alter database ${name} set default_transaction_read_only = ${value}`);
      await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    };
    try {
      expect(await buy(gateway, "before")).toBe("200");
      await setReadOnly("on");
      await expect.poll(() => buy(gateway, "before")).toBe("replayed");

      const during = await buyTwice(gateway, ["one", "two", "three"]);
      const embedding = await gateway.sendJson("/v1/embeddings", { model: "text", input: "a" });

      expect([during, embedding.status]).toEqual([new Set([refused]), 200]);
      await setReadOnly("off");
      await expect.poll(() => buy(gateway, "one")).toMatch(/^(200|replayed)$/);
      expect(bought().filter((key) => key !== undefined)).toEqual(["before", "one"]);
    } finally {
      await gateway.stop();
    }
  });

  test("after kill -9, a sibling and the next process say that the outcome is unknown", async () => {
    upstream.follow({ always: { isHeld: true } });
    const config = `${testConfig}${models(upstream)}`;
    const [own, other] = [url, url].map((DATABASE_URL) => createHome(config, { DATABASE_URL }));
    const [first, sibling] = await Promise.all([own!.start(), other!.start()]);
    const buying = buy(first, "order").catch(() => "cut off");
    await expect.poll(bought).toEqual(["order"]);
    await first.kill();
    upstream.follow({});

    // The sibling waits for the lease of the dead process, which ends now.
    const repeated = buy(sibling, "order");
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("update leases set lease_until = lease_until - 60000");
    await client.end();
    const restarted = await own!.start();

    const outcomes = [await buying, await repeated, await buy(restarted, "order")];
    expect(outcomes).toEqual(["cut off", unknown, unknown]);
    expect(bought()).toEqual(["order"]);
  });
});
