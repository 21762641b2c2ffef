import { storageUnavailable } from "@model-gateway/domain/errors";
import { expect, onTestFinished, test } from "vitest";
import { DatabaseWatch } from "./database-watch.js";

const unavailable = expect.objectContaining({ code: "storage_unavailable", status: 503, retryAfterMs: 1000 });
const refused = () => Promise.reject(storageUnavailable(new Error("connect ECONNREFUSED")));
const hanging = () => new Promise<never>(() => undefined);

function createFixture() {
  const events: string[] = [];
  const database = { answer: async (): Promise<void> => undefined, resets: 0 };
  const watch = new DatabaseWatch({
    probe: {
      run: () => database.answer(),
      reset: () => {
        database.resets += 1;
      },
    },
    onChange: (state) => events.push(state),
    onJoinFailed: () => events.push("join failed"),
    times: { everyMs: 5, probeMs: 200, slowMs: 5 },
  });
  onTestFinished(() => watch.close());
  const migrate = async () => void events.push("migrated");
  return { watch, events, database, migrate };
}

test("a database that is there is migrated and used, and nothing is said", async () => {
  const { watch, events, migrate } = createFixture();

  await watch.open(migrate);
  await watch.join(async () => void events.push("joined"));

  expect(watch.state()).toBe("available");
  expect(await watch.guard(async () => "read")).toBe("read");
  expect(events).toEqual(["migrated", "joined"]);
});

test.each([
  ["is refused", refused],
  ["hangs", hanging],
])("a database that %s at the start is down, and joined when it is back", async (_name, answer) => {
  const { watch, events, database, migrate } = createFixture();
  database.answer = answer;

  await watch.open(migrate);
  await watch.join(async () => void events.push("joined"));
  await expect(watch.guard(async () => "read")).rejects.toEqual(unavailable);
  expect(events).toEqual(["unavailable"]);
  database.answer = async () => undefined;

  await expect.poll(() => events).toEqual(["unavailable", "migrated", "joined", "available"]);
  expect(await watch.guard(async () => "read")).toBe("read");
});

test("a database that is there but cannot be used rejects the start", async () => {
  const { watch, database, migrate } = createFixture();
  database.answer = () => Promise.reject(new Error("password authentication failed"));

  await expect(watch.open(migrate)).rejects.toThrow("password authentication failed");
});

test("work in flight fails when the database hangs, and later work fails at once", async () => {
  const { watch, events, database, migrate } = createFixture();
  await watch.open(migrate);

  database.answer = hanging;
  await expect(watch.guard(hanging)).rejects.toEqual(unavailable);
  let hasBegun = false;
  const later = watch.guard(async () => {
    hasBegun = true;
  });

  await expect(later).rejects.toEqual(unavailable);
  expect(hasBegun).toBe(false);
  expect(events).toEqual(["migrated", "unavailable"]);
});

test("one failed probe is not an outage: the next one has a new connection", async () => {
  const { watch, events, database, migrate } = createFixture();
  await watch.open(migrate);
  let probes = 0;

  database.answer = () => {
    probes += 1;
    return probes === 1 ? refused() : Promise.resolve();
  };
  await expect.poll(() => probes).toBeGreaterThan(3);

  expect(watch.state()).toBe("available");
  expect(database.resets).toBe(1);
  expect(events).toEqual(["migrated"]);
});

test("slow work is waited for as long as the database replies", async () => {
  const { watch, database, migrate } = createFixture();
  let probes = 0;
  database.answer = async () => {
    probes += 1;
  };
  await watch.open(migrate);
  let finish: (value: string) => void = () => undefined;

  const reading = watch.guard(() => new Promise<string>((resolve) => (finish = resolve)));
  await expect.poll(() => probes).toBeGreaterThan(5);
  finish("large");

  expect(await reading).toBe("large");
});

test("a task that fails is tried again and reported once; one that fails at the start rejects", async () => {
  const { watch, events, database, migrate } = createFixture();
  await watch.open(migrate);
  await expect(watch.join(() => Promise.reject(new Error("another secret")))).rejects.toThrow(
    "another secret",
  );

  database.answer = refused;
  await expect.poll(() => watch.state()).toBe("unavailable");
  let attempts = 0;
  await watch.join(async () => {
    attempts += 1;
    if (attempts < 3) throw new Error("another secret");
  });
  database.answer = async () => undefined;

  await expect.poll(() => attempts).toBe(3);
  expect(events).toEqual(["migrated", "unavailable", "join failed", "available"]);
});
