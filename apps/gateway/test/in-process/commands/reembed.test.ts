import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { batchSuite } from "./batch-suite.js";
import type { CommandOptions } from "./run-command.js";

const suite = batchSuite(
  ({ baseUrl }) => `
upstreams: { main: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  text:
    type: embedding
    dimensions: 8
    maxTokens: 20
    targets:
      - { upstream: main, model: m, price: { perMillionTokens: 2 } }
      - { upstream: main, model: m2, space: "m@8", price: { perMillionTokens: 4 } }
  picture: { type: image, profile: gpt-image, targets: [{ upstream: main, model: image }] }`,
);

const run = (line: string, options: CommandOptions = {}) =>
  suite.run(["reembed", ...line.split(" ")], options);

const texts = Array.from({ length: 10 }, (_, index) => ({ id: `row-${index}`, text: `text ${index}` }));

function writeTexts(rows: readonly object[] = texts, name = "texts.jsonl"): void {
  writeFileSync(join(suite.folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function readRows(name = "vectors.jsonl"): { id: unknown; embedding: number[]; space: string }[] {
  const text = readFileSync(join(suite.folder, name), "utf8").trim();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}

/** The files that are stored at the gateway. */
async function inputFiles(): Promise<readonly unknown[]> {
  const response = await suite.gateway.send("/v1/files?limit=100");
  return ((await response.json()) as { readonly data: readonly unknown[] }).data;
}

const runLine = "--from texts.jsonl --out vectors.jsonl --model text --run";
const small = { limits: { lines: 3, bytes: 1_000_000 } };

test("a second run of the same command is refused while the first one runs", async () => {
  writeTexts();
  let second: ReturnType<typeof run> | undefined;

  const first = await run(runLine, {
    onPrint: () => {
      second ??= run(runLine);
    },
  });

  expect(first.exitCode).toBe(0);
  expect((await second)?.stderr).toContain("The same command runs already");
  expect(readRows()).toHaveLength(texts.length);
});

test("each text gets its vector and the id of the space, in files within the limits", async () => {
  writeTexts();

  const { exitCode, stdout, stderr } = await run(runLine, small);

  const rows = readRows();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(rows.map(({ id, embedding }) => ({ id, embedding }))).toEqual(
    texts.map(({ id, text }) => ({ id, embedding: vectorOf(text, 8) })),
  );
  const [space] = new Set(rows.map((row) => row.space));
  expect(space).toMatch(/^\w+:8$/);
  expect(stdout).toContain("Re-embedded 10 of 10 rows of texts.jsonl with text in ");
  expect(stdout).toMatch(new RegExp(`\\n {2}space +${space}\\n {2}dimensions +8\\n {2}tokens +\\d+\\n$`));
  expect([...suite.fake.batches.values()].map(({ request_counts }) => request_counts.total)).toEqual([
    3, 3, 3, 1,
  ]);
  expect([suite.fake.files.size, await inputFiles()]).toEqual([0, []]);
  expect(readdirSync(suite.folder).sort()).toEqual(["texts.jsonl", "vectors.jsonl"]);
});

test("at most two files are at the gateway at once", async () => {
  writeTexts();
  let filesMax = 0;
  suite.fake.faults.beforeLine = async () => {
    filesMax = Math.max(filesMax, (await inputFiles()).length);
  };

  await run(runLine, { limits: { lines: 1, bytes: 1_000_000 } });

  expect(filesMax).toBe(2);
  expect(readRows()).toHaveLength(10);
});

test("rows without a text are skipped, and rows that fail are listed with the reason", async () => {
  const long = "word ".repeat(100);
  writeTexts([...texts.slice(0, 2), { id: 7, text: "" }, { id: 8 }, { id: 9, text: long }]);

  const { exitCode, stdout } = await run(`${runLine} --json`);

  const { failures, ...document } = JSON.parse(stdout);
  expect(exitCode).toBe(1);
  expect(document).toMatchObject({ rows: 3, written: 2, failed: 1, skipped: 2, gone: 0, dimensions: 8 });
  expect(failures).toMatch(/reembed-\w+\.failed\.jsonl$/);
  expect(JSON.parse(readFileSync(failures, "utf8"))).toMatchObject({
    id: 9,
    error: { message: expect.stringContaining("20") },
  });
});

describe("a run that was stopped", () => {
  test.each([
    "POST /v1/files",
    "POST /v1/batches",
    "GET /v1/batches/{id}",
    "GET /v1/files/{id}/content",
    "DELETE /v1/files/{id}",
  ])("at any %s goes on, and each row is written once", async (request) => {
    writeTexts();
    let stops = 0;
    // The command is stopped at the first such request, at the second one, and so on, until it comes to its end.
    for (; stops < 20; stops += 1) {
      const stop = new AbortController();
      const before = suite.fake.received.filter((name) => name === request).length;
      const watch = setInterval(() => {
        if (suite.fake.received.filter((name) => name === request).length > before + stops) stop.abort();
      }, 1);
      const { exitCode } = await run(runLine, { ...small, signal: stop.signal });
      clearInterval(watch);
      if (exitCode === 0) break;
    }

    expect(readRows().map(({ id }) => id)).toEqual(texts.map(({ id }) => id));
    expect(readdirSync(suite.folder).sort()).toEqual(["texts.jsonl", "vectors.jsonl"]);
    const lines = [...suite.fake.batches.values()].reduce(
      (sum, { request_counts }) => sum + request_counts.total,
      0,
    );
    // A file that was uploaded in the moment of the stop has no batch, so no line runs twice.
    expect(lines).toBe(texts.length);
  });

  test("keeps what was written before, and drops what was written after the last checkpoint", async () => {
    writeTexts();
    const stop = new AbortController();
    suite.fake.faults.beforeLine = (text) => {
      if (text === "text 7") stop.abort();
    };

    const stopped = await run(runLine, { ...small, signal: stop.signal });
    suite.fake.faults.beforeLine = () => undefined;
    const out = join(suite.folder, "vectors.jsonl");
    writeFileSync(out, `${readFileSync(out, "utf8")}{"half a li`);
    const again = await run(runLine, small);

    expect(stopped).toMatchObject({ exitCode: 1 });
    expect(stopped.stderr).toBe("Interrupted. The same command continues from here.");
    expect(again.exitCode).toBe(0);
    expect(readRows().map(({ id }) => id)).toEqual(texts.map(({ id }) => id));
  });

  test("refuses to go on with a model of another space", async () => {
    writeTexts();
    const stop = new AbortController();
    suite.fake.faults.beforeLine = () => stop.abort();
    await run(runLine, { ...small, signal: stop.signal });
    const state = readdirSync(suite.folder).find((name) => name.endsWith(".state")) ?? "";
    const text = readFileSync(join(suite.folder, state), "utf8");
    writeFileSync(join(suite.folder, state), text.replace(/"id": "\w+:8"/, '"id": "000000000000:8"'));

    const { exitCode, stderr } = await run(runLine, small);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("space");
    expect(readRows()).toEqual([]);
  });
});

test("lost responses are asked for again, and no batch is created twice", async () => {
  writeTexts();
  suite.fake.faults.lost.push(
    "POST /v1/files",
    "POST /v1/batches",
    "GET /v1/files/{id}/content",
    "POST /v1/batches",
  );

  const { exitCode } = await run(runLine, small);

  expect([exitCode, suite.fake.batches.size, suite.fake.faults.lost]).toEqual([0, 4, []]);
  expect(readRows()).toHaveLength(10);
});

test("the lines that an expired batch has not run go into another one", async () => {
  writeTexts();
  suite.fake.faults.endings.push({ after: 1, status: "expired" }, { after: 2, status: "expired" });

  const { exitCode } = await run(runLine, { limits: { lines: 5, bytes: 1_000_000 } });

  expect(exitCode).toBe(0);
  expect(new Set(readRows().map(({ id }) => id))).toEqual(new Set(texts.map(({ id }) => id)));
  const completed = [...suite.fake.batches.values()].map(({ request_counts }) => request_counts.completed);
  expect(completed.reduce((sum, one) => sum + one, 0)).toBe(10);
});

test("a cancelled batch stops the command, and the same command does the rest", async () => {
  writeTexts();
  suite.fake.faults.endings.push({ after: 4, status: "cancelled" });

  const cancelled = await run(runLine);
  const again = await run(runLine);

  expect(cancelled.stderr).toMatch(
    /^The batch batch_\S+ was cancelled\. The same command continues from here\.$/,
  );
  expect(again.exitCode).toBe(0);
  expect(readRows().map(({ id }) => id)).toEqual(texts.map(({ id }) => id));
});

test("a line that fails for a time is tried three times, and then reported", async () => {
  writeTexts();
  suite.fake.faults.broken.set("text 1", 1).set("text 2", 2).set("text 3", 3);

  const { exitCode, stdout } = await run(`${runLine} --json`);

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 10, written: 9, failed: 1 });
  expect(suite.fake.batches.size).toBe(3);
});

test("a file that is refused is named with its first faults", async () => {
  writeTexts();
  suite.fake.faults.refused.push({ line: 2, message: "The url is not the endpoint of the batch." });

  const { exitCode, stderr } = await run(runLine);

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^The batch batch_\S+ was refused\. Line 2: The url is not the endpoint of the batch\./,
  );
});

test("two rows with one id are named before anything is uploaded, and the corrected file goes through", async () => {
  writeTexts([...texts, texts[4] ?? {}]);
  const uploads = () => suite.fake.received.filter((name) => name === "POST /v1/files").length;
  const before = uploads();
  const refused = await run(runLine);
  const uploaded = uploads() - before;
  writeTexts();

  const corrected = await run(runLine);

  expect(refused.stderr).toBe('Two rows have the id "row-4". Each row needs its own id.');
  expect(uploaded).toBe(0);
  expect(corrected.exitCode).toBe(0);
  expect(readRows().map(({ id }) => id)).toEqual(texts.map(({ id }) => id));
});

describe("estimate", () => {
  const line = "--from texts.jsonl --model text --estimate";

  test("prints inputs, tokens, price and time, and buys nothing", async () => {
    writeTexts([...texts, { id: 1, text: "" }, { id: 2, text: "word ".repeat(100) }]);
    await suite.gateway.sendJson("/v1/embeddings", { model: "text", input: "An example of the speed." });
    const environment = { GATEWAY_KEY: testKey, GATEWAY_ADMIN_KEY: testAdminKey };
    const received = suite.upstream.received.length;
    const estimate = async () => JSON.parse((await run(`${line} --json`, { environment })).stdout);
    await expect.poll(async () => (await estimate()).duration_ms).toBeGreaterThan(0);

    const { exitCode, stdout, stderr } = await run(line, { environment });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(
      /^texts\.jsonl with text: an estimate\. Nothing was bought\.\n {2}inputs +11, and 1 row without a text\n/,
    );
    expect(stdout).toMatch(
      /\n {2}tokens +about 1[23]\d\n {2}too long +about 1 inputs have more than 20 tokens\n/,
    );
    expect(stdout).toMatch(
      /\n {2}price +about \$0\.0002\d+ to \$0\.0005\d+, at \$2\.00 to \$4\.00 per million tokens\n/,
    );
    expect(stdout).toMatch(/\n {2}time +\d+ s, at most, at the speed of \d+ past requests\n$/);
    expect(await estimate()).toMatchObject({ inputs: 11, skipped: 1, too_long: 1, batches: 1 });
    expect([
      suite.upstream.received.length - received,
      suite.fake.files.size,
      suite.fake.batches.size,
    ]).toEqual([0, 0, 0]);
  });

  test("an interruption ends the reading of a long file", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => JSON.stringify({ id, text: "a text" }));
    writeFileSync(join(suite.folder, "texts.jsonl"), [...rows, "not JSON"].join("\n"));
    const stop = new AbortController();

    const { exitCode, stderr } = await run("--from texts.jsonl --model text --estimate", {
      signal: stop.signal,
      onRedraw: (line) => line.includes("10000 rows") && stop.abort(),
    });

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Interrupted.")]);
  });

  test("without the admin key the price is unknown, and never 0", async () => {
    writeTexts();

    const { stdout } = await run(line);

    expect(stdout).toMatch(
      /\n {2}price +unknown: the gateway has no price for this model, or you have no admin key\n/,
    );
  });

  test.each([
    ["nope", "The model `nope` does not exist or you do not have access to it."],
    ["picture", "The model picture does not create embeddings."],
  ])("the model %s is refused", async (model, message) => {
    writeTexts();

    const { exitCode, stderr } = await run(`--from texts.jsonl --model ${model} --estimate`);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

test("compare prints recall@10 between two files", async () => {
  const row = (id: number, angle: number) => ({ id, embedding: [Math.cos(angle), Math.sin(angle)] });
  writeTexts(
    Array.from({ length: 40 }, (_, id) => row(id, id / 20)),
    "old.jsonl",
  );
  writeTexts(
    Array.from({ length: 40 }, (_, id) => row(id, id % 2 === 0 ? id / 20 : 3 + id / 20)),
    "new.jsonl",
  );

  const same = await run("--from old.jsonl --out old.jsonl --compare 20 --json");
  const { exitCode, stdout } = await run("--from old.jsonl --out new.jsonl --compare 20");

  expect(same.exitCode).toBe(2);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Comparing\nrecall@10 0\.[3-7]\d\d between old\.jsonl and new\.jsonl\n/);
  expect(stdout).toMatch(
    /\n {2}nearest neighbour kept +0 %\n {2}lowest +0\.\d\d for the row \d+\n {2}queries +20 of 40 rows\n$/,
  );
});

test.each([
  ["--from texts.jsonl --model text", "reembed needs one of --estimate, --run and --compare <count>."],
  ["--from texts.jsonl --model text --run --estimate", "one thing at a time: --estimate or --run."],
  ["--from texts.jsonl --estimate", "reembed needs the new model: --model <id>."],
  [
    "--model text --estimate",
    "reembed needs a source: --from texts.jsonl, --from pgvector or --from qdrant.",
  ],
  ["--from texts.csv --model text --estimate", "reembed needs a source"],
  ["--from texts.jsonl --model text --run", "reembed needs --out here, such as --out vectors.jsonl."],
  ["--from texts.jsonl --model text --run --out v.jsonl --table t", "--table belongs to --from pgvector."],
  [
    "--from qdrant --collection c --model text --run",
    "--to-collection <name>, which is created, or --vector",
  ],
  ["--from texts.jsonl --out v.jsonl --compare 5000", "--compare takes at most 1000 rows."],
  ["--from texts.jsonl --out texts.jsonl --model text --run", "--out must not be the file of --from."],
])("%s is a mistake in the arguments", async (line, message) => {
  writeTexts();

  const { exitCode, stdout, stderr } = await run(line);

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test.each([
  ['{"id": 1, "text": "a"}\n\n{not json', "Line 3 of ", "texts.jsonl is not JSON."],
  ['{"text": "a"}', "has no usable id", "whole number"],
  ['{"id": 1, "text": 5}', "Line 1 of ", "has a text that is not a string"],
])("a line such as %s is named by its place", async (line, ...messages) => {
  writeFileSync(join(suite.folder, "texts.jsonl"), line);

  const { exitCode, stderr } = await run("--from texts.jsonl --model text --estimate");

  expect(exitCode).toBe(1);
  for (const message of messages) expect(stderr).toContain(message);
});

test("a run without an API key says why it needs one", async () => {
  writeTexts();

  const { stderr } = await run(runLine, { environment: { GATEWAY_ADMIN_KEY: testAdminKey } });

  expect(stderr).toContain("This command needs an API key, because its work outlives a session.");
});
