import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AdminClient } from "../admin-client.js";
import { aliveOf, childrenOf } from "../child-processes.js";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { type FreshAnswer, sendFresh, sendMany } from "../fresh-connection.js";
import { GatewayHome, type ServedGateway } from "../gateway-home.js";
import { type GatewayProcess, startGatewayProcess } from "../gateway-process.js";
import { postgresServer } from "../postgres/postgres-server.js";
import { type CutOffProxy, startCutOffProxy } from "../redis/cut-off-proxy.js";
import { testKey } from "../running-gateway.js";
import { describeServed, type OpenStage, openServers } from "../stages.js";

const patience = { timeout: 60_000, interval: 50 };
const config = (baseUrl: string) => `
logLevel: info
limits: { stopMs: 120000 }
keys: [{ name: tester, key: ${testKey} }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text: { type: embedding, targets: [{ upstream: fake, model: text }] }
`;

describeServed("the life of workers", () => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let proxy: CutOffProxy;
  let home: GatewayHome;
  let gateway: ServedGateway;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    servers = await openServers();
    proxy = await startCutOffProxy(postgresServer);
    const database = new URL(servers.environment.DATABASE_URL ?? "");
    database.port = new URL(proxy.url).port;
    home = new GatewayHome(config(upstream.baseUrl), {
      ...servers.environment,
      DATABASE_URL: database.href,
      WORKERS: "3",
    });
    gateway = await home.start();
  }, 120_000);
  afterEach(async () => {
    await home.remove();
    await proxy.close();
    await servers.close();
    await upstream.close();
  });

  const workers = () => childrenOf(gateway.process.pid ?? 0);
  let sent = 0;
  const embed = (): Promise<FreshAnswer> => {
    sent += 1;
    const body = { model: "text", input: `number ${sent}` };
    return sendFresh(`${gateway.address}/v1/embeddings`, { key: testKey, body });
  };
  /** Requests that their upstream does not answer until it is told to. */
  const beginRequests = (count: number): Promise<number[] | string> => {
    upstream.follow({ always: { isHeld: true } });
    return sendMany(count, embed).then((answers) => answers.map(({ status }) => status), String);
  };
  /** Until there is nobody to connect to. Who comes while the last worker closes its door may be left waiting. */
  const untilClosed = () =>
    expect
      .poll(
        () =>
          sendFresh(`${gateway.address}/healthz`, { key: testKey, signal: AbortSignal.timeout(3000) }).then(
            () => "open",
            () => "closed",
          ),
        patience,
      )
      .toBe("closed");

  test("a worker that is killed is replaced, and the rows it had not shipped arrive", async () => {
    const [killed = 0] = workers();
    const before = await sendMany(12, embed);

    proxy.kill();
    const during = await sendMany(12, embed);
    process.kill(killed, "SIGKILL");
    await expect.poll(gateway.stdout, patience).toContain("A worker has died and is replaced.");
    const without = await sendMany(12, embed);
    proxy.revive();
    await expect.poll(() => workers().length, patience).toBe(3);
    await expect.poll(() => gateway.stdout().match(/"msg":"listening"/g)?.length, patience).toBe(4);
    const after = await sendMany(12, embed);

    const answers = [...before, ...during, ...without, ...after];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const admin = new AdminClient(gateway.address);
    await admin.untilShipped();
    expect((await admin.rows()).map(({ id }) => id).sort()).toEqual(
      answers.map(({ headers }) => headers["x-request-id"]).sort(),
    );
  }, 180_000);

  test("SIGTERM lets every worker finish what it has begun, and leaves nobody behind", async () => {
    const pids = workers();
    const outcomes = beginRequests(6);
    await expect.poll(() => upstream.seen().inFlight, patience).toBe(6);

    const exit = gateway.stop();
    await untilClosed();
    upstream.follow({});

    expect(await outcomes).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await exit).toBe(0);
    expect(aliveOf(pids)).toEqual([]);
  }, 120_000);

  test("a signal that reaches all processes at once, as that of a terminal does, stops them with the same care", async () => {
    const pids = workers();
    const outcomes = beginRequests(6);
    await expect.poll(() => upstream.seen().inFlight, patience).toBe(6);

    for (const pid of [gateway.process.pid ?? 0, ...pids]) process.kill(pid, "SIGINT");
    await untilClosed();
    upstream.follow({});

    expect(await outcomes).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await gateway.exit).toBe(0);
    expect(aliveOf(pids)).toEqual([]);
  }, 120_000);

  test("workers end with the process that started them, however that ends", async () => {
    const pids = workers();

    await gateway.kill();

    await expect.poll(() => aliveOf(pids), patience).toEqual([]);
  }, 120_000);
});

describe("a start that cannot be", () => {
  let home: GatewayHome;

  beforeEach(() => {
    home = new GatewayHome(config("http://127.0.0.1:9"));
  });
  afterEach(() => home.remove());

  const outcome = async (gateway: GatewayProcess) => ({ exit: await gateway.exit, said: gateway.stderr() });

  test("several workers without a database and a Redis to share are refused, and the reason is told", async () => {
    const gateway = startGatewayProcess({ folder: home.folder, environment: { WORKERS: "2" } });

    expect(await outcome(gateway)).toEqual({
      exit: 1,
      said: expect.stringContaining(
        "WORKERS: more than one need databaseUrl and redisUrl, so that limits and budgets hold for all",
      ),
    });
  }, 60_000);

  test("a second gateway on the same data folder is refused, and the first one serves on", async () => {
    const first = await home.start();

    const second = startGatewayProcess({ folder: home.folder });

    expect(await outcome(second)).toEqual({
      exit: 1,
      said: `The data folder ${home.folder}/data is in use by another gateway. Stop that one first, or give this one a folder of its own: dataDir in the configuration, or DATA_DIR.\n`,
    });
    expect((await fetch(`${first.address}/healthz`)).status).toBe(200);
  }, 120_000);
});
