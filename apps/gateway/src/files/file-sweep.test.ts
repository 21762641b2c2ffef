import { setImmediate } from "node:timers/promises";
import { storageUnavailable } from "@model-gateway/domain/errors";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileIndex } from "./file-index.js";
import type { FileStore, StoredFile } from "./file-store.js";
import { FileSweep } from "./file-sweep.js";

const dayMs = 86_400_000;
const minuteMs = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

function createFixture() {
  const state = {
    expired: [] as string[],
    pages: [] as StoredFile[][],
    known: new Set<string>(),
    deleted: [] as string[],
    rounds: 0,
    searchesOrphans: true,
    onDelete: (_id: string) => {},
    failure: undefined as Error | undefined,
    ended: Promise.resolve(),
  };
  const store = {
    delete: async (id: string) => {
      state.deleted.push(id);
      state.onDelete(id);
    },
    sweep: async () => undefined,
    list: async function* () {
      yield* state.pages;
    },
  } as Partial<FileStore> as FileStore;
  const index = {
    expired: async (count: number) => {
      state.rounds += 1;
      if (state.failure !== undefined) throw state.failure;
      await state.ended;
      return state.expired.slice(0, count);
    },
    delete: async (id: string) => {
      state.expired = state.expired.filter((other) => other !== id);
      return true;
    },
    claimOrphanSearch: async () => state.searchesOrphans,
    existing: async (ids: readonly string[]) => new Set(ids.filter((id) => state.known.has(id))),
  } as Partial<FileIndex> as FileIndex;
  const lines: { level: string; msg: string }[] = [];
  const log = pino(
    { level: "debug", base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const sweep = new FileSweep({ store, index, now: () => 10 * dayMs, log });
  return { state, lines, sweep };
}

test("a sweep deletes all that has expired, however much it is", async () => {
  const { state, sweep } = createFixture();
  state.expired = Array.from({ length: 1001 }, (_, number) => `file-${number}`);

  await sweep.run();

  expect(state.deleted).toHaveLength(1001);
  expect(state.expired).toEqual([]);
});

test("bytes without a record go when they are a day old, from every page", async () => {
  const { state, sweep, lines } = createFixture();
  state.known.add("file-known");
  state.pages = [
    [
      { id: "file-known", writtenAt: 0 },
      { id: "file-old", writtenAt: 9 * dayMs },
      { id: "file-young", writtenAt: 9 * dayMs + 1 },
    ],
    [{ id: "other-old", writtenAt: 0 }],
    [{ id: "file-last", writtenAt: 0 }],
  ];

  await sweep.run();

  expect(state.deleted).toEqual(["file-old", "file-last"]);
  expect(lines).toMatchObject([{ file: "file-old" }, { file: "file-last" }]);
});

test("a gateway that did not claim the search for orphans leaves them", async () => {
  const { state, sweep } = createFixture();
  state.searchesOrphans = false;
  state.pages = [[{ id: "file-old", writtenAt: 0 }]];

  await sweep.run();

  expect(state.deleted).toEqual([]);
});

test("a close ends a sweep after the file at hand", async () => {
  const { state, sweep } = createFixture();
  state.expired = ["file-1", "file-2"];
  state.pages = [[{ id: "file-old", writtenAt: 0 }]];
  state.onDelete = () => sweep.close();

  await sweep.run();

  expect(state.deleted).toEqual(["file-1"]);
});

test("it sweeps at the start and every five minutes, one sweep at a time, until the close", async () => {
  const { state, sweep } = createFixture();
  let end = () => {};
  state.ended = new Promise((resolve) => {
    end = resolve;
  });

  sweep.start();
  vi.advanceTimersByTime(5 * minuteMs);
  expect(state.rounds).toBe(1);

  end();
  await vi.waitFor(() => {
    vi.advanceTimersByTime(5 * minuteMs);
    expect(state.rounds).toBe(2);
  });

  sweep.close();
  vi.advanceTimersByTime(60 * minuteMs);
  expect(vi.getTimerCount()).toBe(0);
});

test("a sweep that fails is a warning, unless the store is down or the gateway stops", async () => {
  const levelOf = async (failure: Error, isClosed = false) => {
    const { state, sweep, lines } = createFixture();
    state.failure = failure;
    sweep.start();
    if (isClosed) sweep.close();
    // The failure is handled in microtasks.
    await setImmediate();
    sweep.close();
    return lines.map(({ level }) => level);
  };

  expect(await levelOf(new Error("a fault"))).toEqual(["warn"]);
  expect(await levelOf(storageUnavailable(new Error("down")))).toEqual(["debug"]);
  expect(await levelOf(new Error("a fault"), true)).toEqual([]);
});
