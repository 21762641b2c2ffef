import type { Schemas } from "@model-gateway/domain/operations";
import { expect, test } from "vitest";
import { describeUsage } from "./usage-fixture.js";

type Group = Schemas["UsageGroup"];
type Row = Schemas["RequestRecord"];

describeUsage("usage reports", (fixture) => {
  const embed = (key: { value: string }, model: string, letters: number) =>
    fixture.post("/v1/embeddings", { model, input: "a".repeat(letters) }, { key });
  const createImage = (key: { value: string }, n: number) =>
    fixture.post("/v1/images/generations", { model: "image", prompt: "a fox", n }, { key });

  test("groups of any kind add up to the rows", async () => {
    const [one, two] = [await fixture.createKey({ name: "one" }), await fixture.createKey({ name: "two" })];
    await Promise.all([
      ...[3, 4, 5].map((letters) => embed(one, "text", letters)),
      embed(two, "text", 6),
      embed(two, "unpriced", 7),
      embed(two, "broken", 8),
      createImage(one, 2),
      createImage(two, 1),
    ]);
    await Promise.all([
      fixture.admin().rowsOnce(4, { key: one.id }),
      fixture.admin().rowsOnce(4, { key: two.id }),
    ]);
    const admin = fixture.admin();
    const rows = [...(await admin.rows({ key: one.id })), ...(await admin.rows({ key: two.id }))];

    for (const grouping of [
      "",
      "key",
      "model",
      "day",
      "hour",
      "key,model",
      "key,model,day",
      "key,model,hour",
      "operation",
      "owner",
      "upstream",
      "key,owner,model,operation,upstream,hour",
    ]) {
      const groups: Group[] = [];
      for (const key of [one.id, two.id])
        groups.push(...(await admin.usage({ key, ...(grouping && { group_by: grouping }) })));
      expect(sumOfGroups(groups)).toEqual(sumOfRows(rows));
    }
    const [ofText] = await admin.usage({ key: one.id, model: "text", group_by: "key,model,hour" });
    expect(ofText).toEqual({
      object: "usage",
      starts_at: Math.floor((rows[0]?.created_at ?? 0) / 3600) * 3600,
      key_id: one.id,
      key_name: "one",
      model: "text",
      requests: 3,
      failed_requests: 0,
      input_tokens: 12,
      output_tokens: 0,
      images: 0,
      cost_usd: 0.012,
      unpriced_requests: 0,
      duration_p50_ms: expect.any(Number),
      duration_p95_ms: expect.any(Number),
      duration_p99_ms: expect.any(Number),
      cached_inputs: 0,
      saved_usd: 0,
    });
  });

  test("reports are available as CSV, and names cannot inject formulas", async () => {
    const key = await fixture.createKey({ name: '=HYPERLINK("x"), "quoted"' });
    const responses = [await embed(key, "text", 3), await createImage(key, 2)];
    await fixture.admin().rowsOnce(2, { key: key.id });

    const usage = await fixture.admin().csv(`/admin/v1/usage?key=${key.id}&group_by=key,model`);
    const requests = await fixture.admin().csv(`/admin/v1/requests?key=${key.id}&limit=1`);

    const name = `"'=HYPERLINK(""x""), ""quoted"""`;
    const untimed = usage
      .split("\r\n")
      .map((line) => line.replace(/(,[\d.]+){3}(,\d+,[\d.]*)$/, ",MS,MS,MS$2"));
    expect(untimed.sort()).toEqual([
      "",
      `"${key.id}",${name},"image",1,0,10,100,2,0.5,0,MS,MS,MS,0,0`,
      `"${key.id}",${name},"text",1,0,3,0,0,0.003,0,MS,MS,MS,0,0`,
      "key_id,key_name,model,requests,failed_requests,input_tokens,output_tokens,images,cost_usd,unpriced_requests,duration_p50_ms,duration_p95_ms,duration_p99_ms,cached_inputs,saved_usd",
    ]);
    expect(requests.split("\r\n")).toEqual([
      expect.stringMatching(/^id,created_at,key_id,key_name,/),
      expect.stringContaining(`"${responses[1]?.headers.get("x-request-id")}",`),
      "",
    ]);
  });

  test("rows are listed in pages, each once, and can be filtered", async () => {
    const key = await fixture.createKey();
    const sent = await Promise.all(
      Array.from({ length: 25 }, (_, letters) => embed(key, "text", letters + 1)),
    );
    await embed(key, "nothing", 1);
    await fixture.admin().rowsOnce(26, { key: key.id });

    const paged = await fixture.admin().rows({ key: key.id, limit: "7", status: "200" });
    const failed = await fixture.admin().rows({ key: key.id, failed: "true", limit: "1" });

    expect(paged.map(({ id }) => id).sort()).toEqual(
      sent.map(({ headers }) => headers.get("x-request-id")).sort(),
    );
    expect(failed.map(({ status, model }) => ({ status, model }))).toEqual([{ status: 404, model: null }]);
  });

  test("a key sees and calls only the models of its list", async () => {
    const key = await fixture.createKey({ models: ["te*", "*image"] });

    const responses = [
      await embed(key, "text", 1),
      await embed(key, "cached", 1),
      await embed(key, "no-such", 1),
      await createImage(key, 1),
    ];
    const listed = await fetch(`${fixture.gateway().url}/v1/models`, {
      headers: { authorization: `Bearer ${key.value}` },
    });

    expect(responses.map(({ status }) => status)).toEqual([200, 403, 403, 200]);
    expect(await responses[1]?.json()).toEqual({
      error: {
        message: "This key may not call the model `cached`.",
        type: "invalid_request_error",
        param: "model",
        code: "model_not_allowed",
      },
    });
    const { data } = (await listed.json()) as Schemas["ModelList"];
    expect(data.map(({ id }) => id).sort()).toEqual(["broken-image", "image", "text", "unpriced-image"]);
  });
});

type Sums = Record<
  "requests" | "failed" | "input" | "output" | "images" | "unpriced" | "microdollars",
  number
>;

function sumOfRows(rows: readonly Row[]): Sums {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    requests: rows.length,
    failed: sum(({ status }) => (status >= 400 && status !== 499 ? 1 : 0)),
    input: sum((row) => row.input_tokens),
    output: sum((row) => row.output_tokens),
    images: sum((row) => row.images),
    unpriced: sum((row) => (row.cost_usd === null ? 1 : 0)),
    microdollars: Math.round(sum((row) => (row.cost_usd ?? 0) * 1e6)),
  };
}

function sumOfGroups(groups: readonly Group[]): Sums {
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0);
  return {
    requests: sum((group) => group.requests),
    failed: sum((group) => group.failed_requests),
    input: sum((group) => group.input_tokens),
    output: sum((group) => group.output_tokens),
    images: sum((group) => group.images),
    unpriced: sum((group) => group.unpriced_requests),
    microdollars: Math.round(sum((group) => (group.cost_usd ?? 0) * 1e6)),
  };
}
