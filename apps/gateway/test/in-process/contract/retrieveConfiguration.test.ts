import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway((yaml) => `publicUrl: https://gateway.example/prefix/\n${yaml}`);
const path = "/admin/v1/configuration";

contract("retrieveConfiguration", {
  200: [
    {
      name: "the configuration in force, without a secret",
      send: () => context.send(path),
      expect: (body) => {
        expect(body).toEqual({
          object: "configuration",
          file: expect.stringMatching(/gateway\.yaml$/),
          format: "yaml",
          text: expect.any(String),
          version: expect.stringMatching(/^[0-9a-f]{32}$/),
          upstreams: {
            distant: {
              provider: "openai-compatible",
              baseUrl: "http://(set)@127.0.0.1:1/v1?(set)",
              apiKey: "(set)",
              timeoutMs: 5000,
            },
            local: { provider: "local", modelFolders: { "no-such-model": "./no-such-folder" } },
          },
          models: expect.objectContaining({
            near: {
              type: "embedding",
              dimensions: 384,
              targets: [{ upstream: "local", model: "gte-small", weight: 2 }],
            },
          }),
          editable: true,
          not_editable_reason: null,
          public_url: "https://gateway.example/prefix",
          read_at: expect.closeTo(Date.now() / 1000, -2),
          last_refusal: null,
        });
        expect(body.text).toContain("adminKey: (set)");
        expect(body.text).toContain("apiKey: (set)");
        expect(body.text).toContain("baseUrl: http://(set)@127.0.0.1:1/v1?(set)");
        expect(body.text).not.toMatch(/the-password|the-token|the-upstream-key|test-admin-key|test-key/);
      },
    },
    {
      name: "why a newer file was refused",
      send: () => {
        context.gateway.app.noteRefusal(["gateway.yaml:1:1  what: is not a known key"]);
        return context.send(path);
      },
      expect: (body) =>
        expect(body.last_refusal).toEqual({
          at: expect.closeTo(Date.now() / 1000, -2),
          faults: ["gateway.yaml:1:1  what: is not a known key"],
        }),
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?format=json`),
      expect: saysError("unknown_parameter", "format"),
    },
  ],
  ...otherCallersCases(context, path),
});
