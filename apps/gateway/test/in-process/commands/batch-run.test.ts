import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { batchSuite } from "./batch-suite.js";
import type { CommandOptions } from "./run-command.js";

const suite = batchSuite();

const lineOf = (id: string, body: object = {}) =>
  JSON.stringify({
    custom_id: id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "text", input: `text ${id}`, ...body },
  });

function writeInput(...lines: string[]): void {
  writeFileSync(join(suite.folder, "input.jsonl"), `${lines.join("\n")}\n`);
}

const run = (line = "batch run input.jsonl --out output.jsonl", options: CommandOptions = {}) =>
  suite.run(line.split(" "), options);

function readOutput(name = "output.jsonl"): { custom_id: string; response: { status_code: number } }[] {
  const lines = readFileSync(join(suite.folder, name), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("a file is uploaded, run and downloaded, and the summary says what it took", async () => {
  writeInput(...["a", "b", "c"].map((id) => lineOf(id)));

  const { exitCode, stdout, stderr } = await run();

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^Uploading input\.jsonl\nbatch_\S+ \w+/);
  expect(stdout).toMatch(
    /\nbatch_\S+ completed: 3 of 3 lines succeeded, after \d+ s\n {2}output +\S+output\.jsonl\n/,
  );
  expect(stdout).toMatch(/ {2}tokens +\d+\n$/);
  expect(readOutput().map(({ custom_id }) => custom_id)).toEqual(["a", "b", "c"]);
  expect(readdirSync(suite.folder).sort()).toEqual(["input.jsonl", "output.jsonl"]);
});

test("as JSON it prints one document, and a terminal gets a bar", async () => {
  writeInput(lineOf("a"));
  const bars: string[] = [];

  const { stdout } = await run("batch run input.jsonl --out output.jsonl --json", {
    onRedraw: (line) => bars.push(line),
  });

  expect(JSON.parse(stdout)).toMatchObject({
    status: "completed",
    request_counts: { total: 1, completed: 1, failed: 0 },
    output: join(suite.folder, "output.jsonl"),
    error_output: null,
  });
  expect(bars.some((bar) => /^█{30} batch_\S+ completed {2}100 % {2}1 of 1 line/.test(bar))).toBe(true);
  expect(bars.at(-1)).toBe("");
});

test("lines that fail go to another file, and the exit code is 1", async () => {
  writeInput(lineOf("good"), lineOf("bad", { input: "" }));

  const { exitCode, stdout } = await run();

  expect(exitCode).toBe(1);
  expect(stdout).toContain("completed: 1 of 2 lines succeeded, 1 failed");
  expect(readOutput().map(({ custom_id }) => custom_id)).toEqual(["good"]);
  expect(readOutput("output.errors.jsonl")).toMatchObject([
    { custom_id: "bad", response: { status_code: 400 } },
  ]);
});

test("a file that is refused has its faults by line, and nothing is written", async () => {
  writeInput(lineOf("a"), "{not json", lineOf("a"));

  const { exitCode, stdout } = await run();

  expect(exitCode).toBe(1);
  expect(stdout).toContain("failed: 0 of 0 lines succeeded");
  expect(stdout).toContain("  line 2: This line is not parseable as valid JSON. (invalid_json_line)\n");
  expect(stdout).toContain("  line 3: The custom_id is used before. (duplicate_custom_id)\n");
  expect(readdirSync(suite.folder)).toEqual(["input.jsonl"]);
});

describe("a command that was stopped", () => {
  /** Stops the command when it waits for its batch, which stays at its first line until then. */
  function stopInBatch(): { readonly signal: AbortSignal; readonly release: () => void } {
    const stop = new AbortController();
    const { promise, resolve } = withResolvers();
    suite.fake.faults.beforeLine = async () => {
      await vi.waitUntil(() => suite.fake.received.includes("GET /v1/batches/{id}"));
      stop.abort();
      await promise;
    };
    return { signal: stop.signal, release: resolve };
  }

  test("goes on with its batch when it is started again", async () => {
    writeInput(...["a", "b", "c"].map((id) => lineOf(id)));
    const { signal, release } = stopInBatch();

    const stopped = await run(undefined, { signal });
    release();
    const again = await run();

    const [batch] = suite.fake.batches.keys();
    expect(stopped).toMatchObject({ exitCode: 1 });
    expect(stopped.stderr).toBe(
      `Interrupted. The batch ${batch} goes on at the gateway. The same command continues from here.`,
    );
    expect(again.exitCode).toBe(0);
    expect([
      suite.fake.batches.size,
      suite.fake.received.filter((name) => name === "POST /v1/files").length,
    ]).toEqual([1, 1]);
    expect(readOutput()).toHaveLength(3);
    expect(existsSync(join(suite.folder, "output.jsonl.state"))).toBe(false);
  });

  test("does not take a changed file, or a batch of another gateway, for its own", async () => {
    writeInput(lineOf("a"));
    const { signal, release } = stopInBatch();
    await run(undefined, { signal });
    release();
    const state = readFileSync(join(suite.folder, "output.jsonl.state"), "utf8");

    writeInput(lineOf("b"));
    const changed = await run();
    writeInput(lineOf("a"));
    writeFileSync(
      join(suite.folder, "output.jsonl.state"),
      state.replace(suite.fake.url, "http://127.0.0.1:1"),
    );
    const elsewhere = await run();
    writeFileSync(join(suite.folder, "output.jsonl.state"), "{}");
    const foreign = await run();

    expect(changed.stderr).toMatch(/^input\.jsonl has changed since batch_\S+ began\. Use another --out/);
    expect(elsewhere.stderr).toMatch(/^batch_\S+ runs at http:\/\/127\.0\.0\.1:1, and not at /);
    expect(foreign.stderr).toContain("is not the state of this command");
  });

  test("says how to begin anew if the gateway has forgotten the batch", async () => {
    writeInput(lineOf("a"));
    const { signal, release } = stopInBatch();
    await run(undefined, { signal });
    release();
    suite.fake.batches.clear();

    const { stderr } = await run();

    expect(stderr).toMatch(/^No batch found with id .* Remove \S+output\.jsonl\.state to begin anew\.$/);
  });
});

test.each(["POST /v1/files", "POST /v1/batches", "GET /v1/batches/{id}", "GET /v1/files/{id}/content"])(
  "a lost response to %s is asked for again, and one batch runs",
  async (request) => {
    writeInput(lineOf("a"), lineOf("b"));
    suite.fake.faults.lost.push(request);

    const { exitCode, stderr } = await run();

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(suite.fake.faults.lost).toEqual([]);
    expect(suite.fake.batches.size).toBe(1);
    expect(readOutput()).toHaveLength(2);
  },
);

test("a file that exists is kept without --force", async () => {
  writeInput(lineOf("a"));
  writeFileSync(join(suite.folder, "output.jsonl"), "mine");

  const refused = await run();
  const kept = readFileSync(join(suite.folder, "output.jsonl"), "utf8");
  const forced = await run("batch run input.jsonl --out output.jsonl --force");

  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain(
    "output.jsonl exists already. Use --force to overwrite it, or another --out.",
  );
  expect([kept, suite.fake.batches.size, forced.exitCode]).toEqual(["mine", 1, 0]);
});

test.each([
  ["batch run input.jsonl", 2, "batch run needs a file for the results: --out output.jsonl."],
  ["batch run nowhere.jsonl --out o.jsonl", 1, "nowhere.jsonl cannot be read (ENOENT)."],
  [
    "batch run prose.jsonl --out o.jsonl",
    1,
    "The first line of prose.jsonl is not JSON. A line has this form: ",
  ],
  [
    "batch run other.jsonl --out o.jsonl",
    1,
    "The first line of other.jsonl has no url. A line has this form: ",
  ],
])("%s ends with %s and says why", async (line, code, message) => {
  writeFileSync(join(suite.folder, "prose.jsonl"), "Once upon a time\n");
  writeFileSync(join(suite.folder, "other.jsonl"), '{"id": 1}');

  const { exitCode, stdout, stderr } = await run(line);

  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" });
  expect(stderr).toContain(message);
  expect(suite.fake.received).not.toContain("POST /v1/files");
});

test("a session is too short for a batch, and a wrong key is refused before the upload", async () => {
  writeInput(lineOf("a"));

  const session = await run(undefined, { environment: { GATEWAY_ADMIN_KEY: testAdminKey } });
  const wrong = await run(undefined, { environment: { GATEWAY_KEY: "a-wrong-key" } });

  expect(session.stderr).toContain("This command needs an API key");
  expect(wrong.stderr).toContain("does not accept the key in GATEWAY_KEY");
  expect(wrong.stderr).not.toContain("a-wrong");
  expect(suite.fake.received).not.toContain("POST /v1/files");
});

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
