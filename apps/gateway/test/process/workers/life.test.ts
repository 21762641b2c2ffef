import { postgresServer } from "@model-gateway/test-suite/postgres-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder, type LaunchedGateway } from "../../gateway/built.js";
import { type FreshResponse, sendFresh, sendMany } from "../../gateway/fresh-connection.js";
import { testKey } from "../../gateway/test-gateway.js";
import { type CutOffProxy, startCutOffProxy } from "../../servers/cut-off-proxy.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";
import { aliveOf, childrenOf } from "./child-processes.js";

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
  let home: GatewayFolder;
  let gateway: BuiltGateway;

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    servers = await openServers();
    proxy = await startCutOffProxy(postgresServer);
    const database = new URL(servers.environment.DATABASE_URL ?? "");
    database.port = new URL(proxy.url).port;
    home = new GatewayFolder(config(upstream.baseUrl), {
      ...servers.environment,
      DATABASE_URL: database.href,
      WORKERS: "3",
    });
    gateway = await home.start();
  });
  afterEach(async () => {
    await home.remove();
    await proxy.close();
    await servers.close();
    await upstream.close();
  });

  const workers = () => childrenOf(gateway.pid);
  let sent = 0;
  const embed = (): Promise<FreshResponse> => {
    sent += 1;
    const body = { model: "text", input: `number ${sent}` };
    return sendFresh(`${gateway.url}/v1/embeddings`, { key: testKey, body });
  };
  /** Requests whose upstream holds its replies back until it follows another script. */
  const beginRequests = (count: number): Promise<number[] | string> => {
    upstream.follow({ always: { isHeld: true } });
    return sendMany(count, embed).then((responses) => responses.map(({ status }) => status), String);
  };
  /** Until no connection is accepted. One that comes while the last worker stops listening may be left waiting. */
  const untilClosed = () =>
    expect
      .poll(() =>
        sendFresh(`${gateway.url}/healthz`, { key: testKey, signal: AbortSignal.timeout(3000) }).then(
          () => "open",
          () => "closed",
        ),
      )
      .toBe("closed");

  test("a worker that is killed is replaced, and the rows it had not shipped arrive", async () => {
    const [killed = 0] = workers();
    const before = await sendMany(12, embed);

    proxy.kill();
    const during = await sendMany(12, embed);
    process.kill(killed, "SIGKILL");
    await expect.poll(gateway.stdout).toContain("A worker died and is being replaced.");
    const without = await sendMany(12, embed);
    proxy.revive();
    await expect.poll(() => workers().length).toBe(3);
    await expect.poll(() => gateway.stdout().match(/"msg":"The gateway is listening\."/g)?.length).toBe(4);
    const after = await sendMany(12, embed);

    const responses = [...before, ...during, ...without, ...after];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const admin = new AdminClient(gateway.url);
    await admin.untilShipped();
    expect((await admin.rowsOnce(responses.length)).map(({ id }) => id).sort()).toEqual(
      responses.map(({ headers }) => headers["x-request-id"]).sort(),
    );
  });

  test("after SIGTERM every worker finishes its requests, and no process is left", async () => {
    const pids = workers();
    const outcomes = beginRequests(6);
    await expect.poll(() => upstream.seen().inFlight).toBe(6);

    const exit = gateway.stop();
    await untilClosed();
    upstream.follow({});

    expect(await outcomes).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await exit).toBe(0);
    expect(aliveOf(pids)).toEqual([]);
  });

  test("a signal that reaches all processes at once, as a terminal's does, stops them with the same care", async () => {
    const pids = workers();
    const outcomes = beginRequests(6);
    await expect.poll(() => upstream.seen().inFlight).toBe(6);

    for (const pid of [gateway.pid, ...pids]) process.kill(pid, "SIGINT");
    await untilClosed();
    upstream.follow({});

    expect(await outcomes).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await gateway.exit).toBe(0);
    expect(aliveOf(pids)).toEqual([]);
  });

  test("workers end with the process that started them, however that ends", async () => {
    const pids = workers();

    await gateway.kill();

    await expect.poll(() => aliveOf(pids)).toEqual([]);
  });
});

describe("a start that cannot be", () => {
  let home: GatewayFolder;

  beforeEach(() => {
    home = new GatewayFolder(config("http://127.0.0.1:9"));
  });
  afterEach(() => home.remove());

  const outcome = async (gateway: LaunchedGateway) => ({ exit: await gateway.exit, said: gateway.stderr() });

  test("several workers without a database and a Redis to share are refused with the reason", async () => {
    const gateway = home.launch({ WORKERS: "2" });

    expect(await outcome(gateway)).toEqual({
      exit: 1,
      said: expect.stringContaining(
        "WORKERS: 2 workers share keys, limits and budgets through PostgreSQL and Redis; set databaseUrl and redisUrl, or use 1 worker",
      ),
    });
  });

  test("a second gateway on the same data folder is refused, and the first one serves on", async () => {
    const first = await home.start();

    const second = home.launch();

    expect(await outcome(second)).toEqual({
      exit: 1,
      said: `A gateway runs already with the data folder ${home.folder}/data: ${first.url}, process ${first.pid}. Stop it, or choose another folder with DATA_DIR or dataDir in the configuration.\n`,
    });
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  });
});
