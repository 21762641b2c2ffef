import { createRandom } from "@model-gateway/test-suite/random";
import { lengthByTier } from "@model-gateway/test-suite/tier";
import { describe, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { errorsIn } from "../../gateway/log-errors.js";
import { type RawResponse, sendRaw } from "../../gateway/raw-request.js";
import { suiteGateway } from "../../gateway/suite.js";
import { admin } from "./admin.js";
import { badHttp } from "./bad-http.js";
import { brokenJson } from "./broken-json.js";
import { contentTypes } from "./content-types.js";
import { forms } from "./forms.js";
import { headers } from "./headers.js";
import { localModels } from "./local-models.js";
import type { CaseKind, MalformedCase } from "./malformed-case.js";
import { urls } from "./urls.js";
import { wrongFields } from "./wrong-fields.js";

const kinds = {
  brokenJson,
  wrongFields,
  contentTypes,
  urls,
  headers,
  badHttp,
  forms,
  localModels,
  admin,
} satisfies Record<string, CaseKind>;
/** The short tier sends one in four. */
const step = lengthByTier({ short: 4, full: 1 });
const callers = 16;
let sent = 0;

const suite = suiteGateway(
  (upstream) => `
limits: { jsonBytesMax: 1000000, fileBytesMax: 100000 }
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }
  local: { provider: local }
models:
  good: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  gte-small: { type: embedding, dimensions: 384, targets: [{ upstream: local, model: gte-small }] }
  local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
`,
);

describe("every malformed request gets a response of the right form, and never a 5xx", () => {
  for (const [name, kind] of Object.entries(kinds)) {
    test(name, async () => {
      const cases = [...kind(createRandom())].filter((_, index) => index % step === 0);

      const faults = await faultsOf(cases);

      expect(faults).toEqual([]);
    });
  }

  test("the same through fetch, on connections that are kept", async () => {
    const bodies = [
      "",
      "{",
      "[]",
      "null",
      '"a"',
      '{"model":1}',
      '{"model":"good","input":{}}',
      '{"model":"image","prompt":[]}',
    ];
    const paths = [
      "/v1/embeddings",
      "/v1/engines/good/embeddings",
      "/v1/images/generations",
      "/v1/images/edits",
    ];
    for (const path of paths) {
      for (const body of bodies) {
        const response = await suite.gateway.send(path, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        });
        sent += 1;
        const raw = {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        };
        expect(
          faultOf({ name: path, bytes: Buffer.from(body), outcome: "refused", status: 400 }, raw),
        ).toBeUndefined();
      }
    }
  });
});

describe("after all of it", () => {
  test("many requests were sent", () => {
    console.info(`${sent} malformed requests were sent.`);
    expect(sent).toBeGreaterThanOrEqual(1000 / step);
  });

  test("the gateway lives, and serves every operation", async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "image", prompt: "a fox" })) form.append(name, value);
    form.append("image", new Blob([new Uint8Array(tinyPng)]), "a.png");

    const { gateway } = suite;
    const responses = await Promise.all([
      gateway.send("/healthz"),
      gateway.send("/readyz"),
      gateway.send("/v1/models"),
      gateway.send("/v1/models/good"),
      gateway.sendJson("/v1/embeddings", { model: "good", input: "a" }),
      gateway.sendJson("/v1/embeddings", { model: "gte-small", input: "a" }),
      gateway.sendJson("/v1/engines/good/embeddings", { input: "a" }),
      gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a" }),
      gateway.send("/v1/images/edits", { method: "POST", body: form }),
    ]);

    expect(responses.map((response) => response.status)).toEqual(Array(9).fill(200));
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  });

  test("no file is left in the spool folder", async () => {
    await expect.poll(suite.gateway.spooled).toEqual([]);
  });

  test("no prototype is polluted", () => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("the log has no error in it", () => {
    expect(errorsIn(suite.gateway)).toEqual([]);
  });
});

async function faultsOf(cases: readonly MalformedCase[]): Promise<string[]> {
  const port = Number(new URL(suite.gateway.url).port);
  const waiting = [...cases];
  const faults: string[] = [];
  const call = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      sent += 1;
      try {
        const fault = faultOf(one, await sendRaw(port, one.bytes, one.options));
        if (fault !== undefined) faults.push(`${one.name}: ${fault}`);
      } catch (failure) {
        faults.push(`${one.name}: ${failure instanceof Error ? failure.message : failure}`);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return faults;
}

/** The fault of a response, in a few words. */
function faultOf(one: MalformedCase, response: RawResponse | undefined): string | undefined {
  if (one.outcome === "left") return undefined;
  if (response === undefined) return "there is no response";
  const { status, headers: head, body } = response;
  const said = `${status} ${body.slice(0, 160)}`;
  if (!(status >= 200 && status < 500)) return said;
  if (!/^req_[0-9a-f]{32}$/.test(head["x-request-id"] ?? "")) return `no x-request-id: ${said}`;
  if (head["x-injected"] !== undefined) return `a header was injected: ${said}`;
  if (one.allow !== undefined && head.allow !== one.allow) return `allow is ${head.allow}: ${said}`;
  if (status < 400) return one.outcome === "refused" ? `it was taken: ${said}` : undefined;
  if (one.status !== undefined && status !== one.status) return `${one.status} was due: ${said}`;
  // The response to HEAD has no body.
  if (one.name.startsWith("HEAD ")) return body === "" ? undefined : `HEAD has a body: ${said}`;
  return (
    (isCoherePath(one.name) ? messageFault(body) : envelopeFault(body, one.param)) ??
    (/^application\/json/.test(head["content-type"] ?? "") ? undefined : `not JSON: ${said}`)
  );
}

function isCoherePath(name: string): boolean {
  return /^\S+ \/v2\//.test(name);
}

/** The form of errors that Cohere's clients read. */
function messageFault(body: string): string | undefined {
  const keys = Object.keys(JSON.parse(body)).sort().join();
  return keys === "id,message" ? undefined : `another form of error: ${body.slice(0, 160)}`;
}

function envelopeFault(body: string, param: string | undefined): string | undefined {
  try {
    const { error, ...others } = JSON.parse(body);
    const keys = Object.keys(error).sort().join();
    if (keys !== "code,message,param,type" || Object.keys(others).length > 0)
      return `another envelope: ${body.slice(0, 160)}`;
    if (param !== undefined && !String(error.param).startsWith(param))
      return `param is ${error.param}: ${body.slice(0, 160)}`;
    return undefined;
  } catch {
    return `no envelope: ${body.slice(0, 160)}`;
  }
}
