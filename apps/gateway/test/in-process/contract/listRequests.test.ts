import { expect } from "vitest";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { bodyOf, contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/requests";
const get =
  (query = "", headers: Record<string, string> = {}) =>
  () =>
    context.send(`${path}${query}`, { headers });
const otherCallers = otherCallersCases(context, path);
const at = 1_787_150_086_123;

const failedAttempt = {
  upstream: "distant",
  model: "m",
  status: 503,
  ms: 12.5,
  reason: "The upstream is overloaded.",
};

/** One row that a filter is to find among others of the same key. */
let count = 0;
function found(row: Parameters<typeof context.addRows>[0], filter: string) {
  return async () => {
    count += 1;
    const keyId = `config:user-${count}`;
    await context.addRows({ keyId }, { keyId, model: "other", at: at - 10_000 });
    const [wanted] = await context.addRows({ keyId, ...row });
    const response = await get(`?key=${keyId}&${filter}`)();
    const { data } = await bodyOf(response);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([wanted!.id]);
    return response;
  };
}

contract("listRequests", {
  200: [
    {
      name: "a request with all that is kept of it",
      send: async () => {
        await context.addRows({
          id: "req_0123456789abcdef0123456789abcdef",
          keyId: "config:whole",
          costNanos: null,
        });
        return get("?key=config:whole")();
      },
      expect: (body) =>
        expect(body).toEqual({
          object: "list",
          data: [
            {
              object: "request",
              id: "req_0123456789abcdef0123456789abcdef",
              created_at: 1_787_150_086,
              key_id: "config:whole",
              key_name: "tester",
              owner: null,
              operation: "createEmbedding",
              model: "near",
              upstream: "local",
              attempts: 1,
              status: 200,
              input_tokens: 8,
              output_tokens: 0,
              images: 0,
              cost_usd: null,
              duration_ms: 12.4,
              request_bytes: 63,
              response_bytes: 8244,
              tokens_estimated: false,
              cache: null,
              error_code: null,
              failure: null,
              failed_attempts: [],
              cached_inputs: 0,
              saved_usd: 0,
              batch_id: null,
              job_id: null,
              content_credentials: null,
            },
          ],
          next_cursor: null,
        }),
    },
    { name: "by model", send: found({ model: "org/model x" }, "model=org/model%20x") },
    { name: "without a valid model", send: found({ model: null }, "has_model=false") },
    {
      name: "by owner",
      send: async () => {
        const created = await context.send("/admin/v1/keys", {
          method: "POST",
          json: { name: "searches", owner: "team of requests" },
        });
        const { id: keyId } = await bodyOf(created);
        const [older] = await context.addRows({ keyId, at });
        await context.addRows({ keyId: "config:of-nobody", at: at + 1 });
        const [newer] = await context.addRows({ keyId, at: at + 2, status: 500 });
        const response = await get("?owner=team%20of%20requests")();
        const { data } = await bodyOf(response);
        expect(data.map(({ id }: { id: string }) => id)).toEqual([newer!.id, older!.id]);
        return response;
      },
    },
    { name: "by operation", send: found({ operation: "createImage" }, "operation=createImage") },
    { name: "by status", send: found({ status: 429 }, "status=429") },
    { name: "by error code", send: found({ errorCode: "invalid_value" }, "error_code=invalid_value") },
    { name: "by upstream", send: found({ upstream: "distant" }, "upstream=distant") },
    { name: "failed ones", send: found({ status: 400 }, "failed=true") },
    {
      name: "those that another target saved",
      send: found({ attempts: 2, failedAttempts: [failedAttempt] }, "recovered=true"),
      expect: (body) => {
        const { ms, ...described } = failedAttempt;
        expect(body.data[0].failed_attempts).toEqual([{ ...described, duration_ms: ms, skipped: null }]);
      },
    },
    {
      name: "those that failed at an upstream first",
      send: found({ attempts: 2, failedAttempts: [failedAttempt] }, "recovered_from=distant"),
    },
    {
      name: "those of which no call failed, or all did",
      send: async () => {
        const keyId = "config:unsaved";
        await context.addRows({ keyId, attempts: 2, failedAttempts: [failedAttempt] });
        const [direct] = await context.addRows({ keyId });
        const response = await get(`?key=${keyId}&recovered=false`)();
        expect((await bodyOf(response)).data.map(({ id }: { id: string }) => id)).toEqual([direct!.id]);
        return response;
      },
    },
    { name: "by what the cache did", send: found({ cache: "partial" }, "cache=partial") },
    { name: "of an image job", send: found({ jobId: "job_1" }, "job=job_1") },
    { name: "slow ones", send: found({ ms: 1500 }, "min_duration_ms=1499.5") },
    {
      name: "by all filters at once",
      send: found(
        { upstream: "distant", status: 503, errorCode: "upstream_error", cache: "miss", ms: 20_000 },
        "upstream=distant&status=503&failed=true&error_code=upstream_error&cache=miss&min_duration_ms=20000&model=near&operation=createEmbedding",
      ),
    },
    {
      name: "those that did not fail, even if their callers left",
      send: async () => {
        const keyId = "config:good";
        await context.addRows({ keyId, status: 499 }, { keyId, status: 399 }, { keyId, status: 400 });
        return get(`?key=${keyId}&failed=false`)();
      },
      expect: (body) =>
        expect(body.data.map(({ status }: { status: number }) => status).sort()).toEqual([399, 499]),
    },
    {
      name: "those of API keys, and those of the console and the gateway",
      send: async () => {
        const model = "model-of-sources";
        const keyIds = ["console:operator", "gateway:probe", "config:good"];
        await context.addRows(...keyIds.map((keyId) => ({ keyId, model })));
        const internal = await bodyOf(await get(`?model=${model}&internal=true`)());
        expect(internal.data.map(({ key_id }: { key_id: string }) => key_id).sort()).toEqual(
          keyIds.slice(0, 2),
        );
        return get(`?model=${model}&internal=false`)();
      },
      expect: (body) => expect(body.data).toMatchObject([{ key_id: "config:good" }]),
    },
    { name: "from a time", send: found({ at: at + 5000 }, `from=${Math.ceil(at / 1000)}`) },
    { name: "to a time", send: found({ at: at - 20_000 }, `to=${Math.floor(at / 1000) - 15}`) },
    {
      name: "part by part",
      send: async () => {
        const rows = await context.addRows(...[1, 2, 3].map((n) => ({ keyId: "config:parts", at: at + n })));
        const first = await get("?key=config:parts&limit=2")();
        const { data, next_cursor } = await bodyOf(first);
        expect(first.headers.get("x-next-cursor")).toBe(next_cursor);
        expect(data.map(({ id }: { id: string }) => id)).toEqual([rows[2]!.id, rows[1]!.id]);
        const second = await get(`?key=config:parts&limit=2&cursor=${next_cursor}`)();
        expect((await bodyOf(second)).data.map(({ id }: { id: string }) => id)).toEqual([rows[0]!.id]);
        return second;
      },
      expect: (body, response) => {
        expect(body.next_cursor).toBeNull();
        expect(response.headers.get("x-next-cursor")).toBeNull();
      },
    },
    {
      name: "a table, with the cursor of its next page in a header",
      send: async () => {
        await context.addRows(
          {
            id: "req_1",
            keyId: "config:table",
            keyName: '@"SUM"',
            at: at + 1,
            cache: "hit",
            costNanos: 160,
            cachedInputs: 3,
            savedNanos: 80,
          },
          { id: "req_2", keyId: "config:table", at },
        );
        return get("?key=config:table&limit=1", { accept: "text/csv" })();
      },
      expect: (body, response) => {
        expect(response.headers.get("x-next-cursor")).toEqual(expect.any(String));
        expect(body.split("\r\n")).toEqual([
          "id,created_at,key_id,key_name,owner,operation,model,upstream,attempts,status,input_tokens,output_tokens,images,cost_usd,duration_ms,request_bytes,response_bytes,cache,error_code,tokens_estimated,cached_inputs,saved_usd,content_credentials,batch_id,job_id,failure,failed_attempts",
          `"req_1",1787150086,"config:table","'@""SUM""",,"createEmbedding","near","local",1,200,8,0,0,1.6e-7,12.4,63,8244,"hit",,"false",3,8e-8,,,,,""`,
          "",
        ]);
      },
    },
  ],
  400: [
    {
      name: "too many at once",
      send: get("?limit=1001"),
      expect: saysError("integer_above_max_value", "limit"),
    },
    { name: "a cursor of nowhere", send: get("?cursor=abc"), expect: saysError("invalid_value", "cursor") },
    {
      name: "an unknown operation",
      send: get("?operation=drawMe"),
      expect: saysError("invalid_value", "operation"),
    },
    {
      name: "an invalid status",
      send: get("?status=20"),
      expect: saysError("integer_below_min_value", "status"),
    },
    {
      name: "an unknown error code",
      send: get("?error_code=a'b"),
      expect: saysError("invalid_value", "error_code"),
    },
    { name: "a doubt", send: get("?failed=maybe"), expect: saysError("invalid_type", "failed") },
    {
      name: "a result that no cache has",
      send: get("?cache=full"),
      expect: saysError("invalid_value", "cache"),
    },
    {
      name: "a negative time",
      send: get("?min_duration_ms=-1"),
      expect: (body) => expect(body.error.param).toBe("min_duration_ms"),
    },
    { name: "an empty upstream", send: get("?upstream="), expect: saysError("empty_string", "upstream") },
    {
      name: "an end before the beginning",
      send: get("?from=3&to=2"),
      expect: saysError("invalid_value", "to"),
    },
    { name: "a misspelt filter", send: get("?keys=a"), expect: saysError("unknown_parameter", "keys") },
  ],
  401: otherCallers[401],
  403: otherCallers[403],
  500: [storageFaultCase(context, "faulty", get()), ...otherCallers[500]],
  503: [storageFaultCase(context, "unavailable", get()), ...otherCallers[503]],
});
