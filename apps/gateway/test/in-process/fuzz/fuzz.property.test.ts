import type { Schemas } from "@model-gateway/domain/operations";
import { objectAt } from "@model-gateway/runtime/json";
import { createRandom } from "@model-gateway/test-suite/random";
import { lengthByTier, tier } from "@model-gateway/test-suite/tier";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { normalisePath } from "../../../src/http/express-app.js";
import {
  operationsAt,
  readDocument,
  type SpecOperation,
  undocumented,
  unlistedCode,
} from "../../gateway/documented.js";
import { errorsIn } from "../../gateway/log-errors.js";
import { type RawResponse, sendRaw } from "../../gateway/raw-request.js";
import { suiteGateway } from "../../gateway/suite.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import {
  type FuzzRequest,
  type FuzzWorld,
  generateRequest,
  imageUrl,
  listChanges,
} from "./generate-request.js";

/** `FUZZ_REQUESTS=20000` sends more, and `TEST_SEED` others. */
const requestCount = Number(process.env.FUZZ_REQUESTS ?? lengthByTier({ short: 500, full: 1000 }));
const callers = 8;
/** Only a hang takes this long for each request. */
const requestMsMax = 60;

const suite = suiteGateway(
  (upstream) => `
limits: { jsonBytesMax: 1000000, fileBytesMax: 100000 }
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
models:
  good: { type: embedding, dimensions: 8, tokenizer: cl100k_base, targets: [{ upstream: fake, model: good }] }
  cached: { type: embedding, dimensions: 8, cache: { ttl: 1h }, targets: [{ upstream: fake, model: good }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  only-png: { type: image, profile: { like: gpt-image, outputFormats: [png], maxN: 1, streaming: false }, targets: [{ upstream: fake, model: only-png }] }
`,
);

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(readDocument(), "spec");
const isErrorBody = ajv.compile({ $ref: "spec#/components/schemas/ErrorResponse" });
const compiled = new Map<object, typeof isErrorBody>();

test(
  "generated requests get only responses that the spec allows, and never a 500",
  async () => {
    const random = createRandom();
    const world = await createWorld();
    const port = Number(new URL(suite.gateway.url).port);
    const faults: string[] = [];
    const statuses: Record<string, number> = {};
    // At full length each operation gets each change that it can have, before others are drawn.
    const wanted = tier === "short" ? [] : listChanges(random, world);
    const count = requestCount + wanted.length;
    let left = count;
    const call = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const request = generateRequest(random, world, wanted.pop());
        const response = await sendRaw(port, request.bytes);
        const status = response?.status ?? "none";
        statuses[status] = (statuses[status] ?? 0) + 1;
        for (const fault of faultsOf(request, response))
          if (faults.length < 20) faults.push(`${fault}\n${describe(request, response)}`);
      }
    };

    await Promise.all(Array.from({ length: callers }, call));

    console.info(`${count} requests:`, statuses);
    expect(faults.join("\n\n")).toBe("");
    expect(statuses[200]).toBeGreaterThan(count / 20);
    expect(statuses[400]).toBeGreaterThan(count / 20);
  },
  240_000 + 2 * requestCount * requestMsMax,
);

test("after all of it, the gateway lives and its log has no error", async () => {
  const response = await suite.gateway.sendJson("/v1/embeddings", { model: "good", input: "a" });

  expect(response.status).toBe(200);
  // A caller may allow one millisecond.
  expect(errorsIn(suite.gateway).filter(({ code }) => code !== "upstream_timeout")).toEqual([]);
});

test("a 500, an unknown header and an invalid error are found", () => {
  const request = { method: "GET", url: "/healthz", bytes: Buffer.alloc(0) };
  const head = {
    "x-request-id": `req_${"0".repeat(32)}`,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "x-request-id",
    "x-should-retry": "false",
  };
  const error = { message: "a", type: "b", param: null, code: "invalid_http" };

  expect(faultsOf(request, undefined)).toEqual(["no response"]);
  expect(faultsOf(request, { status: 500, headers: head, body: "" })).toContain("a 500");
  expect(faultsOf(request, { status: 400, headers: head, body: JSON.stringify({ error }) })).toEqual([]);
  expect(
    faultsOf(request, { status: 400, headers: { ...head, x: "1" }, body: JSON.stringify({ error }) }),
  ).toEqual(["checkHealth 400 has no x"]);
  expect(faultsOf(request, { status: 400, headers: head, body: "{}" })).toEqual([
    "not the error of the spec",
  ]);
  const other = JSON.stringify({ error: { ...error, code: "invalid_json" } });
  expect(faultsOf(request, { status: 400, headers: head, body: other })).toEqual([
    "checkHealth fails with invalid_json: add it to x-error-codes in spec/",
  ]);
  const ollama = { method: "GET", url: "/api/tags", bytes: Buffer.alloc(0) };
  expect(faultsOf(ollama, { status: 400, headers: head, body: '{"error":"a"}' })).toEqual([]);
  expect(faultsOf(ollama, { status: 400, headers: head, body: JSON.stringify({ error }) })).toEqual([
    "not the error of the spec",
  ]);
});

/** Keys, rows and images that requests can find. */
async function createWorld(): Promise<FuzzWorld> {
  const { gateway } = suite;
  const asOperator = { headers: { authorization: `Bearer ${testAdminKey}` } };
  const keys = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const created = await gateway.sendJson("/admin/v1/keys", { name: `key ${index}` }, asOperator);
      return ((await created.json()) as Schemas["CreatedKey"]).id;
    }),
  );
  const body = { model: "image", prompt: "a fox", n: 3, response_format: "url" };
  const images = (await (
    await gateway.sendJson("/v1/images/generations", body)
  ).json()) as Schemas["ImagesResponse"];
  return {
    // A stream of events does not end by itself.
    operations: operationsOf(readSpec()).filter(({ id }) => id !== "streamEvents"),
    known: {
      model: ["good", "cached", "image", "only-png", "unknown"],
      key: [...keys, "config:tester", "key_unknown"],
      image_url: [imageUrl],
      prompt: ["a fox"],
      "x-gateway-timeout-ms": ["60000", "5000"],
      range: ["bytes=0-9", "bytes=-5", "bytes=5-", "bytes=100000-"],
    },
    links: (images.data ?? []).map(({ url = "" }) => url.slice(new URL(url).origin.length)),
  };
}

/** Differences between a response and the spec. */
function faultsOf({ method, url }: FuzzRequest, response: RawResponse | undefined): string[] {
  if (response === undefined) return ["no response"];
  const { status, headers, body } = response;
  const faults = status === 500 ? ["a 500"] : [];
  const path = normalisePath(url.split("?", 1)[0] ?? "").replace(/(?<=.)\/$/, "");
  const operations = operationsAt(method, path);
  if (operations.length === 0 && status !== 404 && status !== 400)
    faults.push(`${status} without an operation`);
  for (const { id } of operations) faults.push(...undocumented(id, status, Object.keys(headers)));
  if (status >= 400 && method !== "HEAD" && !validatorOf(operations, status)(parse(body)))
    faults.push("not the error of the spec");
  const code = codeOf(parse(body));
  if (code !== undefined) for (const { id } of operations) faults.push(...unlistedCode(id, code));
  return faults;
}

/** Paths for other APIs' clients have errors in another form, as the spec says. */
function validatorOf([operation]: readonly SpecOperation[], status: number): typeof isErrorBody {
  const schema = operation?.responses.get(status)?.content?.["application/json"]?.schema;
  if (schema === undefined) return isErrorBody;
  const validator =
    compiled.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"spec#/')));
  compiled.set(schema, validator);
  return validator;
}

function codeOf(body: unknown): string | undefined {
  const code = objectAt(body, "error").code;
  return typeof code === "string" ? code : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe({ bytes }: FuzzRequest, response: RawResponse | undefined): string {
  return `${bytes.toString("latin1").slice(0, 1500)}\n-> ${response?.status} ${response?.body.slice(0, 300)}`;
}
