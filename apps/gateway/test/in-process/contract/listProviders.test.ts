import { providers } from "@model-gateway/providers/registry";
import { expect } from "vitest";
import { adminGateway, otherCallersCases } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

const context = adminGateway();
const path = "/admin/v1/providers";

contract("listProviders", {
  200: [
    {
      name: "every provider, with the schema of its settings",
      send: () => context.send(path),
      expect: (body) => {
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual(providers.map(({ name }) => name));
        expect(body.data[0]).toMatchObject({
          object: "provider",
          id: "openai",
          title: "OpenAI",
          model_types: ["embedding", "image"],
          settings: {
            type: "object",
            properties: { provider: { const: "openai" }, apiKey: { type: "string" } },
            additionalProperties: false,
          },
          secret_settings: expect.arrayContaining(["apiKey"]),
          environment_variables: ["OPENAI_API_KEY"],
          example_models: {
            embedding: expect.arrayContaining(["text-embedding-3-small"]),
            image: expect.arrayContaining(["gpt-image-2"]),
          },
        });
        // The docs name "any model" as an example, which is the name of none.
        const ollama = body.data.find(({ id }: { id: string }) => id === "ollama");
        expect(ollama).toMatchObject({ example_models: { embedding: [], image: [] }, presets: [] });
        const { presets } = body.data.find(({ id }: { id: string }) => id === "openai-compatible");
        const known = ["vllm", "fireworks", "databricks"];
        expect(known.map((name) => presets.find(({ id }: { id: string }) => id === name))).toEqual([
          {
            id: "vllm",
            title: "vLLM",
            model_types: ["embedding"],
            base_url: "http://127.0.0.1:8000/v1",
            key_required: false,
            environment_variables: ["VLLM_API_KEY"],
          },
          {
            id: "fireworks",
            title: "Fireworks AI",
            model_types: ["embedding"],
            base_url: "https://api.fireworks.ai/inference/v1",
            key_required: true,
            environment_variables: ["FIREWORKS_API_KEY"],
          },
          {
            id: "databricks",
            title: "Databricks",
            model_types: ["embedding"],
            base_url: null,
            key_required: true,
            environment_variables: ["DATABRICKS_TOKEN"],
          },
        ]);
      },
    },
  ],
  400: [
    {
      name: "a parameter that is not there",
      send: () => context.send(`${path}?type=image`),
      expect: saysError("unknown_parameter", "type"),
    },
  ],
  ...otherCallersCases(context, path),
});
