import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { readAllRows } from "../../servers/all-rows.js";
import { describeUsage } from "./usage-fixture.js";

const input = "the-secret-input of a cat";
const prompt = "the-secret-prompt of a fox";
const user = "the-secret-user";
const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;

describeUsage("secrets", (fixture) => {
  test("no key, prompt, vector or image is in the log, in the database or on disk", async () => {
    const key = await fixture.createKey({
      name: "a name to look for",
      limits: { requests_per_minute: 100, max_concurrency: 100 },
      budget: { usd: 10, per: "day" },
    });
    const unknownKey = `mg_${"x".repeat(30)}`;
    const { post } = fixture;
    const edit = { prompt, user, images: [{ image_url: dataUrl }] };
    const sent = [
      post("/v1/embeddings", { model: "text", input, user }, { key }),
      post("/v1/embeddings", { model: "cached", input, user }, { key }),
      post("/v1/embeddings", { model: "broken", input, user }, { key }),
      post("/v1/embeddings", { model: input, input }, { key }),
      post("/v1/embeddings", { model: "text", input, [prompt]: 1 }, { key }),
      post("/v1/embeddings", `{"model": "text", "input": "${input}`, { key }),
      post("/v1/embeddings", { model: "text", input }, { key: { value: unknownKey } }),
      post("/v1/embeddings", { model: "text", input }, { key: { value: testKey } }),
      post("/v1/images/generations", { model: "image", prompt, user }, { key }),
      post("/v1/images/generations", { model: "image", prompt, stream: true }, { key }),
      post("/v1/images/generations", { model: "moderated", prompt }, { key }),
      post("/v1/images/generations", { model: "broken-image", prompt, n: 2 }, { key }),
      post("/v1/images/edits", { model: "image", ...edit }, { key }),
      fetch(`${fixture.gateway().url}/v1/models?key=${key.value}`, {
        headers: { authorization: `Bearer ${testAdminKey}` },
      }),
    ];

    const statuses = await Promise.all(
      sent.map(async (response) => {
        await (await response).arrayBuffer();
        return (await response).status;
      }),
    );
    await fixture.admin().rowsOnce(11, { key: key.id });
    await fixture.restart();

    expect(statuses).toEqual([200, 200, 502, 404, 400, 400, 401, 200, 200, 200, 400, 502, 200, 401]);
    const log = fixture.home.output;
    const stored = await contentOf(fixture.home.folder, fixture.home.environment.DATABASE_URL);
    // Proves that the search works.
    expect(log).toContain("a name to look for");
    expect(stored).toContain("a name to look for");
    const secrets = [
      ...[key.value, testAdminKey, unknownKey, "sk-secret-of-the-upstream"].flatMap(everyForm),
      "the-secret-input",
      "the-secret-prompt",
      user,
      vectorOf(input, 8).slice(0, 2).join(","),
      tinyPng.toString("base64").slice(0, 40),
    ];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    // `stored` does not include the configuration file, which has the operator's own secrets.
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
    // Nor a digest that can be computed without the gateway's secret.
    expect(stored).not.toContain(createHash("sha256").update(key.value).digest("hex"));
    expect(log).not.toContain(testKey);
    expect(stored).not.toContain(testKey);
  });
});

/** A key in plain text and in the encodings that a leak might use. */
function everyForm(key: string): string[] {
  const bytes = Buffer.from(key);
  return [key, bytes.toString("hex"), bytes.toString("base64").replace(/=*$/, "")];
}

/** Everything in the data folder and in the database, as text. */
async function contentOf(folder: string, databaseUrl: string | undefined): Promise<string> {
  const files = readdirSync(join(folder, "data"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return [...files, databaseUrl === undefined ? "" : await readAllRows(databaseUrl)].join("\n");
}
