import { expect, test } from "vitest";
import { createPaint } from "./print/terminal.js";
import { describe, type Status } from "./status.js";

const now = new Date(2026, 7, 19, 14, 34, 46);
const well: Status = {
  url: "http://127.0.0.1:8080",
  status: "ready",
  version: "1.0.0",
  workers: 1,
  pid: null,
  started_at: null,
  storage: { database: "available", disk: "ok", disk_free_bytes: 1e9 },
  models: { total: 1, ready: 1, failing: 0, troubled: [] },
  upstreams: { total: 1, unknown: 0, healthy: 1, unhealthy: [], credentials: {} },
  failures: [],
};
const textOf = (found: Partial<Status>) =>
  describe({ ...well, ...found }, { now, paint: createPaint({ hasColours: false }), hasKey: true });

test("a gateway without trouble says so in a few lines", () => {
  expect(textOf({})).toBe(
    [
      "Model Gateway 1.0.0 at http://127.0.0.1:8080 is ready.",
      "  1 worker",
      "",
      "1 model, 1 ready",
      "",
      "1 upstream, all targets healthy",
      "",
      "No request failed in the last 24 hours.",
      "",
    ].join("\n"),
  );
});

test("a database that is down is named, and the ledger's failures are unknown", () => {
  const storage = { database: "unavailable", disk: "ok", disk_free_bytes: 1e9 } as const;

  const text = textOf({ storage, failures: null });

  expect(text).toContain(
    "\n  The database is unavailable: only known keys and those of the configuration work,",
  );
  expect(text).toContain("\n1 upstream, all targets healthy\n");
  expect(text).toMatch(/\nThe last failures are not known: the ledger cannot be read\.\n$/);
});

test.each([
  ["full", "  The disk of the data folder is full: no large files and no images are stored."],
  ["low", "  The disk of the data folder is nearly full."],
] as const)("a disk that is %s is named", (disk, line) => {
  expect(textOf({ storage: { database: "available", disk, disk_free_bytes: 0 } })).toContain(`\n${line}\n`);
});

test("on a full disk, failures may wait to be stored", () => {
  const text = textOf({ storage: { database: "available", disk: "full", disk_free_bytes: 0 } });

  expect(text).toContain("No request failed in the last 24 hours, apart from those that wait to be stored.");
});

test.each([
  [{ unknown: 3, healthy: 0 }, "1 upstream, 3 targets not called since the start"],
  [{ unknown: 1, healthy: 2 }, "1 upstream, 1 target not called since the start, all other targets healthy"],
])("targets %j are %s", (counts, line) => {
  expect(textOf({ upstreams: { total: 1, unhealthy: [], credentials: {}, ...counts } })).toContain(
    `\n${line}\n`,
  );
});

test("a target that has drifted says how far, and when that was seen", () => {
  const checked_at = now.getTime() / 1000 - 60;
  const drifted: NonNullable<Status["upstreams"]>["unhealthy"][number] = {
    upstream: "main",
    model: "m",
    serves: ["m"],
    state: "drifted",
    in_flight: 0,
    proven_at: null,
    failing_since: null,
    failures: 0,
    latency: null,
    last_error: null,
    paused_until: null,
    space_check: { drifted: true, excluded: true, cosine_min: 0.25, image_cosine_min: null, checked_at },
  };

  const text = textOf({
    upstreams: { total: 1, unknown: 0, healthy: 0, unhealthy: [drifted], credentials: {} },
  });

  expect(text).toContain(
    "\n  drifted  main  m  14:33:46  Returns other vectors than those recorded: lowest cosine 0.25.\n",
  );
});
