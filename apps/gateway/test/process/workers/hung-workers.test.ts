import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { type FreshRequest, type FreshResponse, sendFresh } from "../../gateway/fresh-connection.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";
import { aliveOf, childrenOf } from "./child-processes.js";

const stopMs = 15_000;

describeServed("a worker that hangs", () => {
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let home: GatewayFolder;
  let gateway: BuiltGateway;
  let workers: number[];

  beforeEach(async () => {
    upstream = await startFakeUpstream();
    servers = await openServers();
    home = new GatewayFolder(
      `
logLevel: warn
limits: { stopMs: ${stopMs} }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { text: { type: embedding, targets: [{ upstream: fake, model: text }] } }
`,
      { ...servers.environment, WORKERS: "3" },
    );
  });
  afterEach(async () => {
    await home.remove();
    await servers.close();
    await upstream.close();
  });

  const start = async (options: { readonly preload?: string } = {}): Promise<void> => {
    gateway = await home.start({}, options);
    workers = childrenOf(gateway.pid);
  };
  const send = (path: string, more: Partial<FreshRequest> = {}): Promise<FreshResponse> =>
    sendFresh(`${gateway.url}${path}`, { key: testAdminKey, ...more });
  const hang = (pid: number) => process.kill(pid, "SIGSTOP");

  test("is killed and replaced, and callers lose no request", async () => {
    await start();
    const [hung = 0, ...others] = workers;

    hang(hung);
    // One of these goes to the hung worker, waits until it is killed, and is served by another.
    const responses = await Promise.all(Array.from({ length: 9 }, () => send("/healthz")));

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    await expect.poll(gateway.stdout).toContain('"msg":"A worker does not respond. It is killed."');
    await expect.poll(() => aliveOf([hung])).toEqual([]);
    await expect.poll(() => childrenOf(gateway.pid).length).toBe(3);
    expect(aliveOf(others)).toEqual(others);
  });

  test("does not delay the metrics, the readiness and the keys of the others for long", async () => {
    // So that it is alive until the end of the test, however busy the machine is.
    await start({ preload: new URL("slow-heartbeat.mjs", import.meta.url).pathname });
    const created = await send("/admin/v1/keys", { body: { name: "tester" } });
    const [hung = 0] = workers;

    hang(hung);
    let served = 0;
    const first = Promise.all(workers.map(() => send("/healthz").then(() => served++)));
    // The third one is with the hung worker, which gets no more.
    await expect.poll(() => served).toBe(2);
    const paths = ["/metrics", "/readyz", "/readyz?verbose", "/admin/v1/upstreams"];
    const responses = await Promise.all(paths.map((path) => send(path)));
    const revoked = await send(`/admin/v1/keys/${created.body().id}`, { method: "DELETE" });

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(revoked.body()).toMatchObject({ status: "revoked" });
    // A wait without a bound would have ended with the death of the worker.
    expect(aliveOf([hung])).toEqual([hung]);
    process.kill(hung, "SIGKILL");
    await first;
  });

  test("does not delay the end of the gateway beyond limits.stopMs", async () => {
    await start();
    const [hung = 0] = workers;

    hang(hung);
    // Without a bound this would wait for the hung worker, which never ends by itself.
    const exit = await gateway.stop();

    expect(exit).toBe(0);
    expect(gateway.stdout()).toContain('"msg":"A worker did not stop in time. It is killed."');
    expect(aliveOf(workers)).toEqual([]);
  });
});
