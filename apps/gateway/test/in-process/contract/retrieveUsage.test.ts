import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/usage";
const get =
  (query = "", headers: Record<string, string> = {}) =>
  () =>
    context.send(`${path}${query}`, { headers });
const otherCallers = otherCallersCases(context, path);
const noon = Date.UTC(2026, 7, 20, 12) / 1000;
const csv = { accept: "text/csv" };

/** Usage served by the cache, at a known price and at an unknown one. */
const cached = { cache: "partial", cachedInputs: 3, savedNanos: 250_000_000 } as const;
const unpriced = { cache: "hit", cachedInputs: 2, savedNanos: null } as const;

/** Each case has a separate key, so that it does not see other rows. */
let count = 0;
function withRows(ask: (key: string) => Promise<Response>) {
  return async () => {
    count += 1;
    const [keyId, keyName] = [`config:user-${count}`, `=user-${count}`];
    const at = noon * 1000;
    await context.addRows(
      { keyId, keyName, at, model: "near", inputTokens: 5, costNanos: 1_500_000_000, ...cached },
      {
        keyId,
        keyName,
        at: at + 1000,
        model: "near",
        status: 429,
        errorCode: "rate_limit_exceeded",
        costNanos: 0,
      },
      {
        keyId,
        keyName,
        at: at + 3_600_000,
        model: "far",
        images: 2,
        inputTokens: 0,
        costNanos: null,
        ...unpriced,
      },
      { keyId, keyName, at: at + 86_400_000, model: null, status: 404, inputTokens: 0, costNanos: null },
    );
    return ask(keyId);
  };
}
const ofKey = (query: string, headers?: Record<string, string>) =>
  withRows((key) => get(`?key=${key}${query}`, headers)());

contract("retrieveUsage", {
  200: [
    {
      name: "all as one group, where nothing is grouped by",
      send: ofKey(""),
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [
            {
              object: "usage",
              requests: 4,
              failed_requests: 2,
              input_tokens: 13,
              output_tokens: 0,
              images: 2,
              cost_usd: 1.5,
              unpriced_requests: 2,
              duration_p50_ms: 10.9,
              duration_p95_ms: 12.23,
              duration_p99_ms: 12.23,
              cached_inputs: 5,
              saved_usd: 0.25,
            },
          ],
          totals: {
            requests: 4,
            failed_requests: 2,
            input_tokens: 13,
            output_tokens: 0,
            images: 2,
            cost_usd: 1.5,
            unpriced_requests: 2,
            duration_p50_ms: 10.9,
            duration_p95_ms: 12.23,
            duration_p99_ms: 12.23,
            cached_inputs: 5,
            saved_usd: 0.25,
          },
          next_cursor: null,
        }),
    },
    {
      name: "nothing in the time, so no groups and totals of 0",
      send: ofKey("&group_by=model&to=1"),
      expect: (body) =>
        expect(body).toMatchObject({
          data: [],
          totals: { requests: 0, cost_usd: 0, unpriced_requests: 0, duration_p50_ms: null },
        }),
    },
    {
      name: "totals that are those of all groups, whatever they are grouped by",
      send: async () => {
        const keyId = "config:totals";
        const durations = [3, 3, 40, 40, 40, 40, 40, 40, 40, 9000];
        await context.addRows(
          ...durations.map((ms, index) => ({ keyId, ms, at: (noon + index * 3600) * 1000 })),
        );
        const all = await bodyOf(await get(`?key=${keyId}`)());
        const byHour = await get(`?key=${keyId}&group_by=hour`)();
        const { data, totals } = await bodyOf(byHour);
        expect(data).toHaveLength(10);
        expect(data[9]).toMatchObject({ duration_p50_ms: expect.closeTo(9000, -3) });
        expect({ object: "usage", ...totals }).toEqual(all.data[0]);
        return byHour;
      },
      expect: ({ totals }) => {
        expect(totals.duration_p50_ms / 40).toBeCloseTo(1, 0);
        expect(totals.duration_p99_ms / 9000).toBeCloseTo(1, 0);
      },
    },
    {
      name: "by operation and upstream, and for one of each",
      send: async () => {
        const keyId = "config:several";
        await context.addRows(
          { keyId, upstream: "distant" },
          { keyId, upstream: "distant", operation: "createImage" },
          { keyId, upstream: null },
        );
        const filtered = await get(`?key=${keyId}&upstream=distant&operation=createImage`)();
        expect((await bodyOf(filtered)).totals.requests).toBe(1);
        return get(`?key=${keyId}&group_by=operation,upstream`)();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([
          { operation: "createEmbedding", upstream: null, requests: 1 },
          { operation: "createEmbedding", upstream: "distant", requests: 1 },
          { operation: "createImage", upstream: "distant", requests: 1 },
        ]),
    },
    {
      name: "by owner, including configured keys",
      send: async () => {
        const { id } = await context.createKey({ owner: "ann@example.com" });
        const model = "of-owners";
        await context.addRows(
          { keyId: id, model },
          { keyId: "config:tester", model },
          { keyId: "config:unknown", model },
        );
        return get(`?model=${model}&group_by=owner`)();
      },
      expect: (body) =>
        expect(body.data).toMatchObject([
          { owner: null, requests: 1 },
          { owner: "ann@example.com", requests: 1 },
          { owner: "testers", requests: 1 },
        ]),
    },
    {
      name: "of one owner, by key and month",
      send: async () => {
        const owner = "team & friends";
        const { id } = await context.createKey({ owner });
        const at = Date.UTC(2026, 7, 31, 23, 59, 59, 999);
        await context.addRows({ keyId: id, at }, { keyId: id, at: at + 1 }, { at });
        return get(`?owner=${encodeURIComponent(owner)}&group_by=key,month`)();
      },
      expect: (body) => {
        expect(body.data).toMatchObject([
          { starts_at: Date.UTC(2026, 7) / 1000, key_name: "a key", requests: 1 },
          { starts_at: Date.UTC(2026, 8) / 1000, key_name: "a key", requests: 1 },
        ]);
        expect(body.totals.requests).toBe(2);
      },
    },
    {
      name: "of the owner of a configured key",
      send: async () => {
        const model = "of-testers";
        await context.addRows({ keyId: "config:tester", model }, { keyId: "config:other", model });
        return get(`?owner=testers&model=${model}`)();
      },
      expect: (body) => expect(body.totals.requests).toBe(1),
    },
    {
      name: "today, and not yesterday",
      send: async () => {
        const keyId = "config:today";
        await context.addRows({ keyId, at: Date.now() }, { keyId, at: Date.now() - 40 * 86_400_000 });
        const yesterday = await get(`?key=${keyId}&period=yesterday&group_by=day`)();
        expect((await bodyOf(yesterday)).data).toEqual([]);
        return get(`?key=${keyId}&period=this_month`)();
      },
      expect: (body) => expect(body.totals.requests).toBe(1),
    },
    {
      name: "by model, where no price is known it is null and not 0",
      send: ofKey("&group_by=model"),
      expect: (body) =>
        expect(
          body.data.map(({ model, requests, cost_usd, unpriced_requests }: Record<string, unknown>) => ({
            model,
            requests,
            cost_usd,
            unpriced_requests,
          })),
        ).toEqual([
          { model: null, requests: 1, cost_usd: null, unpriced_requests: 1 },
          { model: "far", requests: 1, cost_usd: null, unpriced_requests: 1 },
          { model: "near", requests: 2, cost_usd: 1.5, unpriced_requests: 0 },
        ]),
    },
    {
      name: "by key and hour",
      send: ofKey(`&group_by=key,hour&to=${noon + 7200}`),
      expect: (body) =>
        expect(body.data).toMatchObject([
          {
            starts_at: noon,
            key_id: expect.stringMatching(/^config:user-/),
            key_name: expect.any(String),
            requests: 2,
          },
          { starts_at: noon + 3600, requests: 1 },
        ]),
    },
    {
      name: "by day, from one time to another, for one model",
      send: ofKey(`&group_by=day&model=near&from=${noon}&to=${noon + 1}`),
      expect: (body) =>
        expect(body.data).toMatchObject([{ starts_at: noon - 43_200, requests: 1, failed_requests: 0 }]),
    },
    {
      name: "a table, with the grouped columns, and nothing that a spreadsheet would run",
      send: ofKey("&group_by=key,model", csv),
      expect: (body, response) => {
        expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
        const [head, ...lines] = body.split("\r\n");
        expect(head).toBe(
          "key_id,key_name,model,requests,failed_requests,input_tokens,output_tokens,images,cost_usd,unpriced_requests,duration_p50_ms,duration_p95_ms,duration_p99_ms,cached_inputs,saved_usd",
        );
        expect(lines.map((line: string) => line.replaceAll(/\d+"/g, 'N"'))).toEqual([
          '"config:user-N","\'=user-N",,1,1,0,0,0,,1,11.22,11.22,11.22,0,0',
          '"config:user-N","\'=user-N","far",1,0,0,0,2,,1,11.22,11.22,11.22,2,',
          '"config:user-N","\'=user-N","near",2,1,13,0,0,1.5,0,10.59,11.89,11.89,3,0.25',
          "",
        ]);
      },
    },
    {
      name: "JSON, where the caller likes either, or neither",
      send: async () => {
        const either = await get("", { accept: "text/csv;q=0.5, application/json" })();
        expect(either.headers.get("content-type")).toContain("application/json");
        return get("", { accept: "image/png" })();
      },
      expect: (body) => expect(body.object).toBe("list"),
    },
  ],
  400: [
    {
      name: "a parameter in brackets",
      send: () => context.send("/admin/v1/usage?group_by[a]=key"),
      expect: saysError("invalid_type", "group_by"),
    },
    {
      name: "an unknown grouping",
      send: get("?group_by=key,week"),
      expect: saysError("invalid_value", "group_by[1]"),
    },
    {
      name: "a grouping twice",
      send: get("?group_by=key,key"),
      expect: saysError("invalid_value", "group_by"),
    },
    {
      name: "by day and by hour",
      send: get("?group_by=day,hour"),
      expect: saysError("invalid_value", "group_by"),
    },
    {
      name: "by month and by day",
      send: get("?group_by=month,day"),
      expect: saysError("invalid_value", "group_by"),
    },
    {
      name: "a period that does not exist",
      send: get("?period=this_year"),
      expect: saysError("invalid_value", "period"),
    },
    {
      name: "a period with a start",
      send: get("?period=today&from=1"),
      expect: saysError("invalid_value", "period"),
    },
    {
      name: "an empty owner",
      send: get("?owner="),
      expect: saysError("empty_string", "owner"),
    },
    {
      name: "a time that is not a number",
      send: get("?from=today"),
      expect: saysError("invalid_type", "from"),
    },
    {
      name: "an end before the beginning",
      send: get("?from=2&to=2"),
      expect: saysError("invalid_value", "to"),
    },
    { name: "a misspelt filter", send: get("?models=a"), expect: saysError("unknown_parameter", "models") },
    { name: "a key with a zero byte", send: get("?key=a%00"), expect: saysError("invalid_value", "key") },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  500: [storageFaultCase(context, "faulty", get()), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get()), ...otherCallers[503]],
});
