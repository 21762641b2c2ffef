import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { DiskSpace } from "./disk-space.js";

const full = expect.objectContaining({ code: "storage_full", status: 503, retryAfterMs: 10_000 });

function createFixture() {
  const disk: { freeBytes: number | Error } = { freeBytes: 1000 };
  const changes: string[] = [];
  const space = new DiskSpace({
    folder: "data",
    reserveBytes: 100,
    onChange: (state, freeBytes) => changes.push(`${state} ${freeBytes}`),
    readFreeBytes: async () => {
      if (disk.freeBytes instanceof Error) throw disk.freeBytes;
      return disk.freeBytes;
    },
  });
  onTestFinished(() => space.close());
  const after = async (freeBytes: number | Error) => {
    disk.freeBytes = freeBytes;
    await space.check();
    return space.state;
  };
  return { space, changes, after };
}

test("the disk is low before it is full, and each change is reported once", async () => {
  const { changes, after } = createFixture();

  const states: string[] = [];
  for (const free of [801, 799, 500, 101, 99, 10, 99, 105, 111, 805, 881]) states.push(await after(free));

  expect(states).toEqual(["ok", "low", "low", "low", "full", "full", "full", "full", "low", "low", "ok"]);
  expect(changes).toEqual(["low 799", "full 99", "low 111", "ok 881"]);
});

test("a file must leave the reserve free", async () => {
  const { space, after } = createFixture();

  await after(1000);
  space.checkRoom(900);
  expect(() => space.checkRoom(901)).toThrow(full);
  await after(99);
  expect(() => space.checkRoom(0)).toThrow(full);
});

test("a file system that reports no free space refuses nothing", async () => {
  const { space, after, changes } = createFixture();

  await after(new Error("ENOSYS"));

  space.checkRoom(1e12);
  expect(space.freeBytes).toBeNull();
  expect(changes).toEqual([]);
});

test("the system is asked", async () => {
  const space = new DiskSpace({ folder: tmpdir(), reserveBytes: 1, onChange: () => undefined });
  onTestFinished(() => space.close());

  await space.check();

  expect(space.freeBytes).toBeGreaterThan(0);
});
