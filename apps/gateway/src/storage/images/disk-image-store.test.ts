import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import pino from "pino";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ImageStore } from "../../images/delivery/image-store.js";
import { type DiskImageStoreNeeds, openDiskImageStore } from "./disk-image-store.js";

const ttlMs = 60_000;
const name = (digit: string, format = "png") => `${digit.repeat(32)}.${format}`;

let clock: number;
let dataDir: string;
let folder: string;
beforeEach(() => {
  clock = 1_700_000_000_000;
  dataDir = join(mkdtempSync(join(tmpdir(), "images-")), "data");
  folder = join(dataDir, "pictures");
});

describe("an image", () => {
  test("is kept under a name of its own, for the gateway alone", async () => {
    const store = await openStore();

    const [first, second] = [
      await store.put(Buffer.from("one"), "png"),
      await store.put(Buffer.from("two"), "jpeg"),
    ];

    expect(first).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(second).toMatch(/^[0-9a-f]{32}\.jpeg$/);
    expect(first.slice(0, 32)).not.toBe(second.slice(0, 32));
    expect(files()).toEqual([first, second].sort());
    expect(modeOf(folder)).toBe("700");
    expect(modeOf(join(folder, first))).toBe("600");
    expect(statSync(join(folder, first)).mtimeMs).toBe(clock);
  });

  test("comes back whole, and in parts", async () => {
    const store = await openStore();
    const file = await store.put(Buffer.from("0123456789"), "webp");

    const whole = await store.open(file);
    const part = await store.open(file);

    expect(whole).toMatchObject({ bytes: 10, format: "webp" });
    expect(await buffer(whole!.read())).toEqual(Buffer.from("0123456789"));
    expect(await buffer(part!.read({ start: 2, end: 5 }))).toEqual(Buffer.from("2345"));
  });

  test("that is removed while it is read is read to its end", async () => {
    const store = await openStore();
    const content = Buffer.alloc(300_000, 7);
    const opened = await store.open(await store.put(content, "png"));

    clock += ttlMs;
    await store.sweep();

    expect(files()).toEqual([]);
    expect((await buffer(opened!.read())).equals(content)).toBe(true);
  });

  test("that is not read can be closed", async () => {
    const store = await openStore();
    const opened = await store.open(await store.put(Buffer.from("x"), "png"));

    await opened!.close();

    expect(() => opened!.read()).toThrow();
  });

  test("that another process has kept is found", async () => {
    const store = await openStore();
    const other = await openStore({ self: { id: 2, isAlive: () => true } });

    const file = await other.put(Buffer.from("theirs"), "png");

    const opened = await store.open(file);
    expect(await buffer(opened!.read())).toEqual(Buffer.from("theirs"));
  });

  test("that was never there is not found", async () => {
    const store = await openStore();

    expect(await store.open(name("a"))).toBeUndefined();
  });
});

test.each([
  "../secret.png",
  "../link-secret",
  "..%2flink-secret",
  "/etc/passwd",
  "",
  ".",
  "..",
  `../images/${name("a")}`,
  `${name("a")}/`,
  `${name("a")}\0`,
  `${name("a")}\n`,
  name("A"),
  name("a", "gif"),
  name("a", "png.part"),
  `1-${name("a")}.part`,
  `a${name("a")}`,
])("the name %j never reaches the disk", async (file) => {
  const store = await openStore();
  writeFileSync(join(dataDir, "link-secret"), "secret");
  writeFileSync(join(folder, name("a")), "image");

  expect(await store.open(file)).toBeUndefined();
});

test("a folder that cannot be read is a failure, not an image that is gone", async () => {
  const store = await openStore();
  symlinkSync(name("a"), join(folder, name("a")));

  await expect(store.open(name("a"))).rejects.toThrow("ELOOP");
});

describe("the limit", () => {
  test("is kept by removing the oldest", async () => {
    const store = await openStore({ bytesMax: 10 });
    const put = async (bytes: number) => {
      clock += 1;
      return store.put(Buffer.alloc(bytes), "png");
    };
    const [, second, third] = [await put(4), await put(3), await put(3)];

    const fourth = await put(4);

    expect(files()).toEqual([second, third, fourth].sort());
  });

  test("may be reached to the byte", async () => {
    const store = await openStore({ bytesMax: 10 });

    const kept = [await store.put(Buffer.alloc(4), "png"), await store.put(Buffer.alloc(6), "png")];

    expect(files()).toEqual(kept.sort());
  });

  test("refuses an image that is larger, and removes nothing for it", async () => {
    const store = await openStore({ bytesMax: 10 });
    const kept = await store.put(Buffer.alloc(10), "png");

    await expect(store.put(Buffer.alloc(11), "png")).rejects.toThrow(
      "An image of 11 bytes does not fit in a store of 10 bytes.",
    );

    expect(files()).toEqual([kept]);
  });

  test("is never passed, however many come at once", async () => {
    const store = await openStore({ bytesMax: 100 });
    let most = 0;

    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await store.put(Buffer.alloc(1 + ((index * 7) % 40)), "png");
        most = Math.max(most, bytesOnDisk());
      }),
    );

    expect(most).toBeGreaterThan(60);
    expect(most).toBeLessThanOrEqual(100);
  });

  test("counts what was there before", async () => {
    const earlier = await openStore({ bytesMax: 10 });
    const first = await earlier.put(Buffer.alloc(5), "png");
    clock += 1;
    const second = await earlier.put(Buffer.alloc(5), "png");
    await earlier.close();

    const store = await openStore({ bytesMax: 10 });
    clock += 1;
    const third = await store.put(Buffer.alloc(1), "png");

    expect(files()).not.toContain(first);
    expect(files()).toEqual([second, third].sort());
  });

  test("that is lower than before is kept from the start", async () => {
    const earlier = await openStore({ bytesMax: 10 });
    await earlier.put(Buffer.alloc(5), "png");
    clock += 1;
    const second = await earlier.put(Buffer.alloc(5), "png");

    await openStore({ bytesMax: 5 });

    expect(files()).toEqual([second]);
  });

  test("still has its room after an image could not be written", async () => {
    const store = await openStore({ bytesMax: 10 });
    rmSync(folder, { recursive: true });
    await expect(store.put(Buffer.alloc(10), "png")).rejects.toThrow("ENOENT");
    mkdirSync(folder);

    const kept = [await store.put(Buffer.alloc(5), "png"), await store.put(Buffer.alloc(5), "png")];

    expect(files()).toEqual(kept.sort());
  });
});

describe("the sweep", () => {
  test("removes what has expired and nothing else", async () => {
    const store = await openStore();
    await store.put(Buffer.from("old"), "png");
    clock += ttlMs - 1;
    const young = await store.put(Buffer.from("young"), "png");
    await store.sweep();
    expect(files()).toHaveLength(2);

    clock += 1;
    await store.sweep();

    expect(files()).toEqual([young]);
  });

  test("removes what others have left, and leaves what is not an image of ours", async () => {
    const store = await openStore();
    writeFileSync(join(folder, name("a")), "left by another process");
    utimesSync(join(folder, name("a")), 1, 1);
    writeFileSync(join(folder, "notes.txt"), "mine");
    utimesSync(join(folder, "notes.txt"), 1, 1);

    await store.sweep();

    expect(files()).toEqual(["notes.txt"]);
  });

  test("comes by itself, until the store is closed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = await openStore();
    const left = () => {
      writeFileSync(join(folder, name("a")), "left by another process");
      utimesSync(join(folder, name("a")), 1, 1);
    };

    left();
    vi.advanceTimersByTime(5 * 60_000);
    // What changes the folder waits for its turn, so that this one is after the sweep.
    const kept = await store.put(Buffer.from("new"), "png");
    expect(files()).toEqual([kept]);

    await store.close();
    left();
    vi.advanceTimersByTime(60 * 60_000);
    const later = await store.put(Buffer.from("newer"), "png");
    expect(files()).toEqual([kept, later, name("a")].sort());
  });
});

test("drafts of dead processes are removed, and those of a living one are left alone", async () => {
  mkdirSync(folder, { recursive: true });
  const drafts = [1, 20, 30].map((id) => `${id}-${name("a")}.part`);
  for (const draft of drafts) writeFileSync(join(folder, draft), "half");

  await openStore({ self: { id: 1, isAlive: (id) => id === 20 } });

  expect(files()).toEqual([drafts[1]]);
});

test("an image is not there before it is whole", async () => {
  const store = await openStore();

  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const file = await store.put(Buffer.alloc(100_000), "png");
      expect(readFileSync(join(folder, file))).toHaveLength(100_000);
      for (const seen of files().filter((one) => !one.endsWith(".part"))) {
        expect(statSync(join(folder, seen)).size).toBe(100_000);
      }
    }),
  );
});

async function openStore(needs: Partial<DiskImageStoreNeeds> = {}): Promise<ImageStore> {
  const store = await openDiskImageStore({
    dataDir,
    bytesMax: 1_000_000,
    ttlMs,
    now: () => clock,
    self: { id: 1, isAlive: () => false },
    log: pino({ level: "silent" }),
    ...needs,
  });
  onTestFinished(() => store.close());
  return store;
}

function files(): string[] {
  return readdirSync(folder).sort();
}

function bytesOnDisk(): number {
  const sizes = files().map((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
