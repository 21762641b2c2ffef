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
import pino from "pino";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ImageStore } from "../../images/delivery/image-store.js";
import { type DiskImageStoreOptions, openDiskImageStore } from "./disk-image-store.js";

const ttlMs = 60_000;
const secret = Buffer.alloc(32, 1);
const name = (digit: string, format = "png") => `${digit.repeat(32)}.${format}`;

let clock: number;
let dataDir: string;
let folder: string;
beforeEach(() => {
  clock = 1_700_000_000_000;
  dataDir = join(mkdtempSync(join(tmpdir(), "images-")), "data");
  folder = join(dataDir, "images");
});

/** `image-stores.test.ts` covers the behaviour of every store. */
test("an image is a file that only the gateway can read", async () => {
  const store = await openStore();

  const file = await store.put(Buffer.from("one"), "png", "key_a");

  expect(files()).toEqual([file]);
  expect(modeOf(folder)).toBe("700");
  expect(modeOf(join(folder, file))).toBe("600");
  expect(statSync(join(folder, file)).mtimeMs).toBe(clock);
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

test("an unreadable file is a failure, not a missing image", async () => {
  const store = await openStore();
  symlinkSync(name("a"), join(folder, name("a")));

  await expect(store.open(name("a"))).rejects.toThrow("ELOOP");
});

describe("the limit", () => {
  test("is enforced by removing the oldest", async () => {
    const store = await openStore({ bytesMax: 10 });
    const put = async (bytes: number) => {
      clock += 1;
      return store.put(Buffer.alloc(bytes), "png", "key_a");
    };
    const [, second, third] = [await put(4), await put(3), await put(3)];

    const fourth = await put(4);

    expect(files()).toEqual([second, third, fourth].sort());
  });

  test("can be used to the last byte", async () => {
    const store = await openStore({ bytesMax: 10 });

    const stored = [
      await store.put(Buffer.alloc(4), "png", "key_a"),
      await store.put(Buffer.alloc(6), "png", "key_a"),
    ];

    expect(files()).toEqual(stored.sort());
  });

  test("refuses a larger image, and removes nothing for it", async () => {
    const store = await openStore({ bytesMax: 10 });
    const stored = await store.put(Buffer.alloc(10), "png", "key_a");

    await expect(store.put(Buffer.alloc(11), "png", "key_a")).rejects.toThrow(
      "An image of 11 bytes does not fit in a store of 10 bytes.",
    );

    expect(files()).toEqual([stored]);
  });

  test("is never exceeded by concurrent writes", async () => {
    const store = await openStore({ bytesMax: 100 });
    let peak = 0;

    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await store.put(Buffer.alloc(1 + ((index * 7) % 40)), "png", "key_a");
        peak = Math.max(peak, bytesOnDisk());
      }),
    );

    expect(peak).toBeGreaterThan(60);
    expect(peak).toBeLessThanOrEqual(100);
  });

  test("includes images from before a restart", async () => {
    const earlier = await openStore({ bytesMax: 10 });
    const first = await earlier.put(Buffer.alloc(5), "png", "key_a");
    clock += 1;
    const second = await earlier.put(Buffer.alloc(5), "png", "key_a");
    await earlier.close();

    const store = await openStore({ bytesMax: 10 });
    clock += 1;
    const third = await store.put(Buffer.alloc(1), "png", "key_a");

    expect(files()).not.toContain(first);
    expect(files()).toEqual([second, third].sort());
  });

  test("is enforced at the start if it was lowered", async () => {
    const earlier = await openStore({ bytesMax: 10 });
    await earlier.put(Buffer.alloc(5), "png", "key_a");
    clock += 1;
    const second = await earlier.put(Buffer.alloc(5), "png", "key_a");

    await openStore({ bytesMax: 5 });

    expect(files()).toEqual([second]);
  });

  test("is not used up by an image that could not be written", async () => {
    const store = await openStore({ bytesMax: 10 });
    rmSync(folder, { recursive: true });
    await expect(store.put(Buffer.alloc(10), "png", "key_a")).rejects.toThrow("ENOENT");
    mkdirSync(folder);

    const stored = [
      await store.put(Buffer.alloc(5), "png", "key_a"),
      await store.put(Buffer.alloc(5), "png", "key_a"),
    ];

    expect(files()).toEqual(stored.sort());
  });
});

describe("the part of a key", () => {
  const put = (store: ImageStore, key: string, bytes: number) => {
    clock += 1;
    return store.put(Buffer.alloc(bytes), "png", key);
  };
  const found = async (store: ImageStore, names: readonly string[]) => {
    const images = await Promise.all(names.map((file) => store.open(file)));
    for (const image of images) await image?.close();
    return images.map((image) => image?.bytes);
  };

  test("stays while another key writes ten times the store, over restarts and in other processes", async () => {
    const modest: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      // Each has only the folder to know whose images are there.
      const store = await openStore({ bytesMax: 100 });
      modest.push(await put(store, "modest", 9));
      for (let written = 0; written < 200; written += 10) await put(store, "greedy", 10);
      expect(await found(store, modest)).toEqual(modest.map(() => 9));
      expect(bytesOnDisk()).toBeGreaterThan(90);
      expect(bytesOnDisk()).toBeLessThanOrEqual(100);
    }
  });

  test("is the whole store where no other key has images", async () => {
    const store = await openStore({ bytesMax: 100 });

    for (let written = 0; written < 10; written += 1) await put(store, "only", 10);

    expect(files()).toHaveLength(10);
  });

  test("does not protect expired images", async () => {
    const store = await openStore({ bytesMax: 30 });
    const [first] = [await put(store, "modest", 10), await put(store, "greedy", 10)];
    clock += ttlMs - 1;
    const kept = await put(store, "greedy", 10);

    const last = await put(store, "greedy", 10);

    expect(await found(store, [first, kept, last])).toEqual([undefined, 10, 10]);
    expect(files()).toHaveLength(2);
  });

  test("is that of one more group for images of another secret", async () => {
    const earlier = await openStore({ bytesMax: 40, secret: Buffer.alloc(32, 2) });
    const unknown: string[] = [];
    for (const key of ["a", "b", "c"]) unknown.push(await put(earlier, key, 10));

    const store = await openStore({ bytesMax: 40 });
    const known = [await put(store, "d", 10), await put(store, "d", 10)];

    expect(await found(store, unknown)).toEqual([undefined, 10, 10]);
    expect(await found(store, known)).toEqual([10, 10]);
  });
});

test("names of one key have nothing in common", async () => {
  const store = await openStore();

  const names = await Promise.all(
    Array.from({ length: 300 }, () => store.put(Buffer.from("image"), "png", "key_a")),
  );

  // Every place has every digit, as in random names.
  for (let place = 0; place < 32; place += 1) expect(new Set(names.map((file) => file[place])).size).toBe(16);
});

describe("the sweep", () => {
  test("removes expired images of other processes, and leaves unknown files alone", async () => {
    const store = await openStore();
    writeFileSync(join(folder, name("a")), "left by another process");
    utimesSync(join(folder, name("a")), 1, 1);
    writeFileSync(join(folder, "notes.txt"), "mine");
    utimesSync(join(folder, "notes.txt"), 1, 1);

    await store.sweep();

    expect(files()).toEqual(["notes.txt"]);
  });

  test("runs periodically until the store is closed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = await openStore();
    const left = () => {
      writeFileSync(join(folder, name("a")), "left by another process");
      utimesSync(join(folder, name("a")), 1, 1);
    };

    left();
    vi.advanceTimersByTime(5 * 60_000);
    // Changes run one after another, so this one runs after the sweep.
    const stored = await store.put(Buffer.from("new"), "png", "key_a");
    expect(files()).toEqual([stored]);

    await store.close();
    left();
    vi.advanceTimersByTime(60 * 60_000);
    const later = await store.put(Buffer.from("newer"), "png", "key_a");
    expect(files()).toEqual([stored, later, name("a")].sort());
  });
});

test("drafts of dead processes are removed, and those of a live one are kept", async () => {
  mkdirSync(folder, { recursive: true });
  const drafts = [1, 20, 30].map((id) => `${id}-${name("a")}.part`);
  for (const draft of drafts) writeFileSync(join(folder, draft), "half");

  await openStore({ self: { id: 1, isAlive: (id) => id === 20 } });

  expect(files()).toEqual([drafts[1]]);
});

test("an image is not visible before it is complete", async () => {
  const store = await openStore();

  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const file = await store.put(Buffer.alloc(100_000), "png", "key_a");
      expect(readFileSync(join(folder, file))).toHaveLength(100_000);
      for (const seen of files().filter((one) => !one.endsWith(".part"))) {
        expect(statSync(join(folder, seen)).size).toBe(100_000);
      }
    }),
  );
});

async function openStore(options: Partial<DiskImageStoreOptions> = {}): Promise<ImageStore> {
  const store = await openDiskImageStore({
    dataDir,
    bytesMax: 1_000_000,
    secret,
    ttlMs,
    now: () => clock,
    self: { id: 1, isAlive: () => false },
    log: pino({ level: "silent" }),
    ...options,
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
