import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { describeServed, openServers } from "../../servers/stages.js";
import { aliveOf, childrenOf } from "../workers/child-processes.js";

const preload = new URL("block-on-signal.mjs", import.meta.url).pathname;
const asOperator = { authorization: `Bearer ${testAdminKey}` };
const config = `
logLevel: warn
limits: { stallMs: 1000 }
keys: [{ name: tester, key: ${testKey} }]
upstreams: {}
models: {}
`;

const stalls = ({ stdout }: BuiltGateway): Record<string, unknown>[] =>
  stdout()
    .split("\n")
    .filter((line) => line.includes("stalledMs"))
    .map((line) => JSON.parse(line));

describe("an event loop that is blocked", () => {
  let home: GatewayFolder;

  beforeEach(() => {
    home = new GatewayFolder(config);
  });
  afterEach(() => home.remove());

  const start = (environment: Record<string, string> = {}) => home.start(environment, { preload });
  const block = ({ pid }: BuiltGateway) => process.kill(pid, "SIGUSR2");
  const unblock = () => home.write("unblock", "");

  test("is logged with its stack, and so is its end", async () => {
    const gateway = await start();

    block(gateway);
    await expect.poll(() => stalls(gateway).length).toBe(1);
    unblock();
    await expect.poll(() => stalls(gateway).length).toBe(2);

    const [stall, end] = stalls(gateway);
    expect(stall).toEqual({
      level: "error",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      stalledMs: 1000,
      stack: expect.arrayContaining([expect.stringMatching(/^parseForever .*block-on-signal\.mjs:28:\d+$/)]),
      msg: "The gateway does not respond.",
    });
    expect(end).toMatchObject({ level: "warn", msg: "The gateway responds again." });
    expect(gateway.stdout()).not.toContain("text of a caller");
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });

  test("is logged and counted after 200 ms, with its function and its request", async () => {
    // On a busy machine, half a second of work takes many.
    await home.remove();
    home = new GatewayFolder(config.replace("stallMs: 1000", "stallMs: 100000"));
    const gateway = await start();
    const send = async () => {
      const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "spend half a second" });
      await response.text();
      return stalls(gateway).length;
    };

    // A machine that hardly runs the gateway has stalled it, and that is not logged.
    await expect.poll(send).toBeGreaterThan(0);

    const [stall] = stalls(gateway);
    expect(stall).toMatchObject({
      level: "warn",
      stalledMs: expect.any(Number),
      function: expect.stringMatching(/^(spend|parseSlowly)$/),
      inFlight: 1,
      requests: [{ id: expect.stringMatching(/^req_/), operation: "createEmbedding", model: null }],
      stack: expect.arrayContaining([expect.stringMatching(/^parseSlowly .*block-on-signal\.mjs:\d+:\d+$/)]),
      msg: "The event loop was blocked.",
    });
    expect(gateway.stdout()).not.toContain("half a second");
    const text = await (await gateway.send("/metrics", { headers: asOperator })).text();
    expect(text).toMatch(
      /^gateway_event_loop_stalls_total\{operation="createEmbedding",function="(spend|parseSlowly)"\} \d+$/m,
    );
  });

  test("ends the process with onStall: exit, and a SIGSTOP does not count", async () => {
    const gateway = await start({ ON_STALL: "exit" });

    process.kill(gateway.pid, "SIGSTOP");
    // Longer than a stall. This time must not count, as the machine's sleep does not.
    await setTimeout(2500);
    process.kill(gateway.pid, "SIGCONT");
    const { status } = await fetch(`${gateway.url}/healthz`);
    block(gateway);
    const code = await gateway.exit;

    expect([status, code]).toEqual([200, 70]);
    expect(stalls(gateway)).toMatchObject([
      {
        stack: expect.arrayContaining([expect.stringMatching(/^parseForever /)]),
        msg: "The gateway does not respond. It exits.",
      },
    ]);
  });

  test("ends the process even inside native code, by a signal and without a stack", async () => {
    const gateway = await start({ ON_STALL: "exit" });

    process.kill(gateway.pid, "SIGWINCH");
    await expect.poll(() => childrenOf(gateway.pid).length).toBe(1);
    const sleeping = childrenOf(gateway.pid);
    await gateway.exit;
    for (const pid of aliveOf(sleeping)) process.kill(pid, "SIGKILL");

    expect(gateway.process.signalCode).toBe("SIGKILL");
    expect(stalls(gateway)).toMatchObject([{ stack: [], msg: "The gateway does not respond. It exits." }]);
  });

  test("is not detected while a debugger may hold it", async () => {
    const gateway = await start({ ON_STALL: "exit", NODE_OPTIONS: "--inspect=127.0.0.1:0" });

    block(gateway);
    // Longer than a stall, as above.
    await setTimeout(2500);
    unblock();
    const { status } = await fetch(`${gateway.url}/healthz`);

    expect(status).toBe(200);
    expect(stalls(gateway)).toEqual([]);
  });
});

describeServed("a worker whose event loop is blocked", () => {
  test("is logged with its stack, and left to the supervisor", async () => {
    const servers = await openServers();
    const home = new GatewayFolder(config, { ...servers.environment, WORKERS: "2", ON_STALL: "exit" });
    try {
      const gateway = await home.start({}, { preload });
      const [worker = 0] = childrenOf(gateway.pid);

      process.kill(worker, "SIGUSR2");
      await expect.poll(() => stalls(gateway).length).toBe(1);
      home.write("unblock", "");
      await expect.poll(() => stalls(gateway).length).toBe(2);

      expect(stalls(gateway).map(({ msg }) => msg)).toEqual([
        "The gateway does not respond.",
        "The gateway responds again.",
      ]);
      expect(childrenOf(gateway.pid)).toContain(worker);
    } finally {
      await home.remove();
      await servers.close();
    }
  });
});
