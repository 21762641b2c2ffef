import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { minimal } from "@model-gateway/config/test/load-text";
import { probeTexts } from "@model-gateway/vector-check/probes";
import { afterAll, beforeAll, expect } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/upstream-trials";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });
const local = { upstream: { provider: "local" }, model: { type: "embedding", name: "gte-small" } };

let upstream: FakeUpstream;
/** Accepts connections and never replies. */
let silent: Server;
/** Resolves when a trial has reached the silent server this many times. */
const silentCalls = { count: 0 };
beforeAll(async () => {
  upstream = await startFakeUpstream();
  silent = createServer(() => {
    silentCalls.count += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await upstream.close();
});
const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
const fake = (model?: string, type = "embedding") => ({
  upstream: {
    provider: "openai-compatible",
    baseUrl: upstream.baseUrl,
    apiKey: "sk-trial-secret-0123456789",
  },
  ...(model === undefined ? {} : { model: { type, name: model } }),
});
const floatsOf = (base64: string) => new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);
const failed = (code: string, message: RegExp) => (body: unknown) =>
  expect(body).toEqual({
    object: "upstream.trial",
    ok: false,
    ms: expect.any(Number),
    models: null,
    dimensions: null,
    probe_vectors: null,
    probe_image_vectors: null,
    error: { code, message: expect.stringMatching(message) },
  });

const others = otherCallersCases(context, path, { method: "POST", json: local });

contract("tryUpstream", {
  ...others,
  200: [
    {
      name: "an embedding model",
      send: () => post(fake("good"))(),
      expect: (body) =>
        expect(body).toEqual({
          object: "upstream.trial",
          ok: true,
          ms: expect.any(Number),
          models: null,
          dimensions: 8,
          probe_vectors: null,
          probe_image_vectors: null,
          error: null,
        }),
    },
    {
      name: "the vectors of the doctor's texts",
      send: () => post({ ...fake("good"), probe_vectors: true })(),
      expect: (body) => {
        expect(body).toMatchObject({ ok: true, dimensions: 8, probe_image_vectors: null });
        expect(upstream.received.at(-1)?.body.input).toEqual(probeTexts);
        const vectors: Float32Array[] = body.probe_vectors.map(floatsOf);
        expect(vectors.map(({ length }) => length)).toEqual(probeTexts.map(() => 8));
        expect(vectors.every((vector) => Number.isFinite(Math.hypot(...vector)))).toBe(true);
        expect(new Set(vectors.map(String)).size).toBe(probeTexts.length);
      },
    },
    {
      name: "the list of models, and the key that was sent",
      send: async () => {
        const response = await post(fake())();
        expect(context.gateway.logLines.join("")).not.toContain("trial-secret");
        return response;
      },
      expect: (body) => expect(body).toMatchObject({ ok: true, models: expect.any(Array), dimensions: null }),
    },
    {
      name: "an upstream without a list, of which no model may be called",
      send: () =>
        post({
          upstream: { provider: "cohere", baseUrl: upstream.baseUrl, apiKey: "co-trial-secret" },
          list_only: true,
        })(),
      expect: (body) => {
        expect(body).toMatchObject({ ok: true, models: null, dimensions: null });
        expect(upstream.received.map(({ headers }) => headers.authorization)).not.toContain(
          "Bearer co-trial-secret",
        );
      },
    },
    {
      name: "a key that the upstream refuses",
      send: () => post(fake("status-401"))(),
      expect: (body) => {
        failed("upstream_auth_error", /refused the credentials\. Check that the key is complete/)(body);
        expect(JSON.stringify(body)).not.toContain("trial-secret");
      },
    },
    {
      name: "a key that is missing",
      send: () =>
        post({
          upstream: { provider: "openai-compatible", baseUrl: upstream.baseUrl },
          model: { type: "embedding", name: "status-401" },
        })(),
      expect: failed("upstream_auth_error", /wants credentials, and none are set/),
    },
    {
      name: "an upstream that fails, and refuses nothing",
      send: () => post(fake("status-500"))(),
      expect: failed(
        "upstream_error",
        /^127\.0\.0\.1:\d+ was reached\. The upstream failed with status 500\./,
      ),
    },
    {
      name: "a port at which nothing listens",
      send: post({ upstream: { provider: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } }),
      expect: failed("upstream_unavailable", /^Nothing listens at 127\.0\.0\.1:1\. Check/),
    },
    {
      name: "a host that does not exist",
      send: post({ upstream: { provider: "openai-compatible", baseUrl: "http://no-such-host.invalid/v1" } }),
      expect: failed("upstream_unavailable", /no-such-host\.invalid cannot be resolved/),
    },
    {
      name: "https at a port that speaks http",
      send: () =>
        post({
          upstream: { provider: "openai-compatible", baseUrl: upstream.baseUrl.replace("http", "https") },
        })(),
      expect: failed("upstream_unavailable", /does not speak TLS|was closed before a reply/),
    },
    {
      name: "a server that speaks another protocol",
      send: () => post(fake("garbage"))(),
      expect: failed("upstream_invalid_reply", /but not as this provider does/),
    },
    {
      name: "an image, where its cost is confirmed",
      send: () => post({ ...fake("good", "image"), confirm_cost: true })(),
      expect: (body) => expect(body).toMatchObject({ ok: true, dimensions: null }),
    },
    {
      name: "the stored secret of an upstream of the configuration",
      send: () =>
        post({
          upstream: { provider: "openai-compatible", baseUrl: "http://(set)@127.0.0.1:1/v1?(set)" },
          name: "distant",
          model: { type: "embedding", name: "good" },
        })(),
      // Its address is kept, at which nothing listens. `configuration/trial-secrets.test.ts` has one that replies.
      expect: failed("upstream_unavailable", /^Nothing listens at 127\.0\.0\.1:1\./),
    },
  ],
  400: [
    { name: "no upstream", send: post({}), expect: saysError("missing_required_parameter", "upstream") },
    {
      name: "a provider that does not exist",
      send: post({ upstream: { provider: "nobody" } }),
      expect: saysError("invalid_value", "upstream.provider"),
    },
    {
      name: "a setting that is wrong",
      send: post({ upstream: { provider: "openai-compatible", baseUrl: "nonsense" } }),
      expect: saysError("invalid_value", "upstream.baseUrl"),
    },
    {
      name: "a model that the upstream is known not to have",
      send: post({ ...local, model: { type: "embedding", name: "other" } }),
      expect: saysError("invalid_value", "model"),
    },
    {
      name: "an upstream that the configuration does not have",
      send: post({ ...local, name: "nowhere" }),
      expect: saysError("invalid_value", "name"),
    },
    {
      name: "another address for the stored secret of an upstream",
      send: () =>
        post({
          upstream: { provider: "openai-compatible", baseUrl: upstream.baseUrl },
          name: "distant",
        })(),
      expect: saysError("invalid_value", "upstream.baseUrl"),
    },
    {
      name: "the vectors of an image model",
      send: () => post({ ...fake("good", "image"), confirm_cost: true, probe_vectors: true })(),
      expect: saysError("invalid_value", "probe_vectors"),
    },
    {
      name: "a model to call, and none to call",
      send: () => post({ ...fake("good"), list_only: true })(),
      expect: saysError("invalid_value", "list_only"),
    },
    {
      name: "an image whose cost is not confirmed",
      send: () => post(fake("good", "image"))(),
      expect: saysError("invalid_value", "confirm_cost"),
    },
  ],
  403: [
    ...others[403],
    {
      name: "a configuration that may not be changed",
      send: async () => {
        const gateway = await startGateway(`console: { configure: false }\n${minimal}`);
        try {
          return await gateway.sendJson(path, local, {
            headers: { authorization: `Bearer ${testAdminKey}` },
          });
        } finally {
          await gateway.stop();
        }
      },
      expect: saysError("configuring_disabled"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ upstream: { provider: "a".repeat(70_000) } }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "a form",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "upstream=local",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  429: [
    {
      name: "a fifth trial at the same time",
      send: async () => {
        const ending = new AbortController();
        const body = JSON.stringify({ upstream: { provider: "openai-compatible", baseUrl: silentUrl() } });
        const trials = Array.from({ length: 4 }, () => tryUntil(ending.signal, body));
        await expect.poll(() => silentCalls.count).toBe(4);
        const response = await post(local)();
        ending.abort();
        await Promise.allSettled(trials);
        return response;
      },
      expect: saysError("rate_limit_exceeded"),
    },
  ],
});

function tryUntil(signal: AbortSignal, body: string): Promise<Response> {
  return fetch(`${context.gateway.url}${path}`, {
    method: "POST",
    signal,
    body,
    headers: { "content-type": "application/json", authorization: `Bearer ${testAdminKey}` },
  });
}
