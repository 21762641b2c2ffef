import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/configuration/changes";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });
const near = { type: "embedding", dimensions: 384, targets: [{ upstream: "local", model: "gte-small" }] };

contract("changeConfiguration", {
  200: [
    {
      name: "a model that is added, as a diff",
      send: post({ dry_run: true, models: { added: near } }),
      expect: (body) =>
        expect(body).toEqual({
          object: "configuration.change",
          applied: false,
          not_applied_reason: "dry_run",
          in_force: false,
          file: expect.stringMatching(/gateway\.yaml$/),
          diff: expect.stringContaining("\n+  added: { type: embedding, dimensions: 384, targets: "),
          lines:
            "models:\n  added:\n    type: embedding\n    dimensions: 384\n    targets:\n      - { upstream: local, model: gte-small }\n",
          secrets: [],
          models: [
            {
              id: "added",
              targets: [
                {
                  upstream: "local",
                  model: "gte-small",
                  pricing: [{ billable: "input_text", unit: "token", usd: 0, per: 1_000_000 }],
                },
              ],
            },
          ],
          version: expect.stringMatching(/^[0-9a-f]{32}$/),
        }),
    },
    {
      name: "an upstream with a key, which is nowhere in the response",
      send: post({
        dry_run: true,
        upstreams: { replicate: { provider: "replicate", apiKey: "sk-contract-secret-0123456789" } },
      }),
      expect: (body) => {
        expect(body.lines).toContain("apiKey: ${REPLICATE_API_TOKEN}");
        const path = expect.stringMatching(/\/secrets\/REPLICATE_API_TOKEN$/);
        expect(body.secrets).toEqual([{ name: "REPLICATE_API_TOKEN", path }]);
        expect(JSON.stringify(body)).not.toMatch(/contract-secret|the-password|the-token|the-upstream-key/);
      },
    },
    {
      name: "models with a price of the file, and without one",
      send: post({
        dry_run: true,
        upstreams: { far: { provider: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" } },
        models: {
          priced: {
            type: "embedding",
            price: { perMillionTokens: 0.02 },
            targets: [{ upstream: "far", model: "a" }],
          },
          unpriced: { type: "embedding", targets: [{ upstream: "far", model: "b" }] },
        },
      }),
      expect: (body) =>
        expect(body.models).toEqual([
          {
            id: "priced",
            targets: [
              {
                upstream: "far",
                model: "a",
                pricing: [{ billable: "input_text", unit: "token", usd: 0.02, per: 1_000_000 }],
              },
            ],
          },
          { id: "unpriced", targets: [{ upstream: "far", model: "b", pricing: null }] },
        ]),
    },
    {
      name: "a model that is added, and is in force",
      send: async () => {
        const response = await post({ models: { served: near } })();
        const models = await context.gateway.send("/v1/models");
        expect(JSON.stringify(await models.json())).toContain('"served"');
        return response;
      },
      expect: (body) =>
        expect(body).toMatchObject({ applied: true, not_applied_reason: null, in_force: true }),
    },
    {
      name: "a model that is removed",
      send: post({ models: { served: null } }),
      expect: (body) => {
        expect(body).toMatchObject({ applied: true, in_force: true, lines: "", models: [] });
        expect(body.diff).toContain("\n-  served:");
      },
    },
    {
      name: "an entry that is as it was",
      send: post({
        models: { near: { ...near, targets: [{ upstream: "local", model: "gte-small", weight: 2 }] } },
      }),
      expect: (body) => expect(body).toMatchObject({ applied: true, diff: "" }),
    },
  ],
  400: [
    {
      name: "no change",
      send: post({ dry_run: true }),
      expect: saysError("missing_required_parameter", "upstreams"),
    },
    {
      name: "a setting that is wrong",
      send: post({ upstreams: { other: { provider: "openai-compatible", baseUrl: "nonsense" } } }),
      expect: saysError("invalid_value", "upstreams.other.baseUrl"),
    },
    {
      name: "a provider that does not exist",
      send: post({ upstreams: { other: { provider: "open-ai" } } }),
      expect: saysError("invalid_value", "upstreams.other.provider"),
    },
    {
      name: "all faults at once",
      send: post({
        models: { other: { type: "embedding", targets: [{ upstream: "nowhere", model: "m" }], what: 1 } },
      }),
      expect: (body, response) => {
        saysError("invalid_value", "models.other.targets[0].upstream")(body, response);
        expect(body.error.message).toContain("'models.other.what': is not a known key");
      },
    },
    {
      name: "an upstream that a model needs",
      send: post({ upstreams: { local: null } }),
      expect: (body) => expect(body.error.message).toContain('there is no upstream "local"'),
    },
    {
      name: "an entry that is not there",
      send: post({ models: { nowhere: null } }),
      expect: saysError("invalid_value", "models.nowhere"),
    },
    {
      name: "a placeholder without a secret",
      send: post({ upstreams: { other: { provider: "openai", apiKey: "(set)" } } }),
      expect: saysError("invalid_value", "upstreams.other.apiKey"),
    },
    {
      name: "a name that is too long",
      send: post({ models: { ["n".repeat(300)]: near } }),
      expect: (body) => expect(body.error.code).toBe("invalid_value"),
    },
    {
      name: "an entry that is a text",
      send: post({ models: { other: "near" } }),
      expect: saysError("invalid_type", "models.other"),
    },
    {
      name: "a misspelt field",
      send: post({ dryrun: true, models: { near: null } }),
      expect: saysError("unknown_parameter", "dryrun"),
    },
  ],
  409: [
    {
      name: "a file that has changed",
      send: post({ version: "0".repeat(32), models: { near: null } }),
      expect: saysError("configuration_changed", "version"),
    },
    {
      name: "a file where there was none",
      send: post({ version: null, models: { near: null } }),
      expect: saysError("configuration_changed", "version"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ models: { near: { description: "a".repeat(70_000) } } }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "YAML",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "models: { near: null }",
          headers: { "content-type": "application/yaml" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  ...otherCallersCases(context, path, { method: "POST", json: { dry_run: true, models: { added: near } } }),
});
