import type { Config } from "@model-gateway/config/config";
import { taskTallies } from "@model-gateway/runtime/every";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { numberMetrics } from "../../telemetry/metrics/metric.js";
import { type ConfigChange, defineModule, type OpenModule } from "./module.js";
import { ModuleList } from "./module-list.js";
import { OpenModules } from "./open-modules.js";

const config = { port: 1, console: true, exposeUpstream: false } as Config;
const change: ConfigChange = { config, changedUpstreams: new Set(), isReload: true };

let events: string[];
let logged: Record<string, unknown>[];
let modules: OpenModules;

beforeEach(() => {
  events = [];
  logged = [];
  modules = new OpenModules(
    pino(
      { level: "warn" },
      { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    ),
  );
});

const noted = () => logged.map(({ module, msg }) => `${module}: ${msg}`);

/** A module that notes what is called. */
function noting(name: string, replaced: Partial<OpenModule<object>> = {}) {
  const note = (hook: string) => () => void events.push(`${hook} ${name}`);
  return defineModule({
    name,
    open: () => {
      events.push(`open ${name}`);
      return {
        services: {},
        start: note("start"),
        adopt: note("adopt"),
        beginStop: note("beginStop"),
        endStreams: note("endStreams"),
        drain: async () => note("drain")(),
        close: note("close"),
        ...replaced,
      };
    },
  });
}

const fail = (name: string) => () => {
  events.push(`fail ${name}`);
  throw new Error("It failed.");
};
const never = () => new Promise<void>(() => undefined);

test("modules open, start and adopt in order, and close in reverse order after all have drained", async () => {
  const list = ModuleList.of().with(noting("one")).with(noting("two")).with(noting("three"));

  await list.open({}, { modules, config });
  await modules.start();
  modules.adopt(change);
  modules.beginStop();
  modules.endStreams();
  await modules.close(1000);

  const inOrder = ["open", "start", "adopt", "beginStop", "endStreams"];
  expect(events).toEqual([
    ...inOrder.flatMap((hook) => [`${hook} one`, `${hook} two`, `${hook} three`]),
    ...["drain", "close"].flatMap((hook) => [`${hook} three`, `${hook} two`, `${hook} one`]),
  ]);
  expect(noted()).toEqual([]);
});

test("a module has the services of earlier ones, and the settings that it names", async () => {
  const seen: unknown[] = [];
  const first = defineModule({
    name: "first",
    open: (needs: { base: number }) => ({ services: { sum: needs.base + 1 } }),
  });
  const second = defineModule({
    name: "second",
    settings: { restart: ["port"], reload: ["console"] },
    open: ({ sum }: { sum: number }, { port, console }) => ({
      services: { total: sum + port },
      adopt: ({ config: wanted, isReload }) => void seen.push(console, wanted.console, isReload),
    }),
  });

  const list = ModuleList.of<{ base: number }>(["host"]).with(first).with(second);
  const services = await list.open({ base: 1 }, { modules, config });
  modules.adopt({ ...change, config: { ...config, console: false } });

  expect(services).toEqual({ base: 1, sum: 2, total: 3 });
  expect(seen).toEqual([true, false, true]);
  expect(list.restartSettings).toEqual(["host", "port"]);
});

test("a module that needs what no earlier one gives does not compile", () => {
  const needy = defineModule({ name: "needy", open: (_needs: { absent: number }) => ({ services: {} }) });

  // @ts-expect-error There is no such service.
  expect(() => ModuleList.of<{ present: number }>().with(needy)).not.toThrow();
});

test("two modules open at the same time", async () => {
  let noteOther: () => void;
  const isOtherOpening = new Promise<void>((resolve) => {
    noteOther = resolve;
  });
  const one = defineModule({
    name: "one",
    open: () => isOtherOpening.then(() => ({ services: { one: 1 } })),
  });
  const other = defineModule({
    name: "other",
    open: () => {
      noteOther();
      return { services: { other: 2 } };
    },
  });

  const services = await ModuleList.of().withBoth(one, other).open({}, { modules, config });

  expect(services).toEqual({ one: 1, other: 2 });
});

describe("a module that fails", () => {
  const failing = defineModule({ name: "failing", open: fail("open") });

  test("to open closes those before it, and its failure is that of the start", async () => {
    const list = ModuleList.of().with(noting("one")).with(noting("two")).with(failing).with(noting("three"));

    await expect(list.open({}, { modules, config })).rejects.toThrow("It failed.");

    expect(events.filter((event) => !event.startsWith("drain"))).toEqual([
      "open one",
      "open two",
      "fail open",
      "close two",
      "close one",
    ]);
  });

  test("to open does not leave the one that opens at the same time open", async () => {
    const list = ModuleList.of().withBoth(failing, noting("one"));

    await expect(list.open({}, { modules, config })).rejects.toThrow("It failed.");

    expect(events).toEqual(["fail open", "open one", "drain one", "close one"]);
  });

  test("to adopt a configuration does not keep the others from it", async () => {
    const list = ModuleList.of()
      .with(noting("one", { adopt: fail("adopt") }))
      .with(noting("two"));
    await list.open({}, { modules, config });

    modules.adopt(change);

    expect(events.slice(2)).toEqual(["fail adopt", "adopt two"]);
    expect(noted()).toEqual(["one: A service did not take over the configuration."]);
  });

  test("to drain or to close does not keep the others open", async () => {
    const list = ModuleList.of()
      .with(noting("one"))
      .with(noting("two", { drain: () => Promise.reject(new Error("It failed.")), close: fail("close") }))
      .with(noting("three"));
    await list.open({}, { modules, config });

    await modules.close(1000);

    expect(events.slice(3)).toEqual(["drain three", "drain one", "close three", "fail close", "close one"]);
    expect(noted()).toEqual([
      "two: The work of a service failed at the stop.",
      "two: A service could not be closed.",
    ]);
  });
});

test("a module that never ends to drain or to close does not keep the others open", async () => {
  const list = ModuleList.of()
    .with(noting("one"))
    .with(noting("two", { drain: never, close: never }))
    .with(noting("three"));
  await list.open({}, { modules, config });

  await modules.close(10);

  expect(events.slice(3)).toEqual(["drain three", "drain one", "close three", "close one"]);
  expect(noted()).toEqual(["two: A service takes long to close. The others are closed meanwhile."]);
});

test("a background service is a module: its sweep runs until it is closed, and its metrics are read", async () => {
  let runs = 0;
  let noteRun: () => void;
  const hasRun = new Promise<void>((resolve) => {
    noteRun = resolve;
  });
  const run = () => {
    runs += 1;
    noteRun();
  };
  const tidying = defineModule({
    name: "tidying",
    open: () => ({
      services: {},
      sweeps: [{ task: "tidy_test", everyMs: 1, run }],
      metrics: () => numberMetrics([["tidied_total", "Runs.", runs]]),
    }),
  });
  await ModuleList.of().with(noting("one")).with(tidying).open({}, { modules, config });

  await hasRun;
  await modules.close(1000);

  expect(taskTallies().get("tidy_test")).toMatchObject({ runs, failures: 0 });
  expect(modules.readMetrics()).toMatchObject([{ name: "tidied_total", samples: [[{}, runs]] }]);
});
