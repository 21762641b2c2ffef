import { expect, test } from "vitest";
import { faultsOf, minimal } from "../test/load-text.js";

test("a LiteLLM file is recognised, and its only fault names the command that imports it", () => {
  const text =
    "general_settings: {}\nmodel_list: [{ model_name: m, litellm_params: { model: openai/m, api_key: os.environ/K } }]\n";

  expect(faultsOf(text)).toEqual([
    "gateway.yaml:2:13  model_list: this is the configuration of a LiteLLM proxy; write one for the gateway: npx @model-gateway/gateway import litellm gateway.yaml --out imported.yaml",
  ]);
});

test("so is a Bifrost file", () => {
  expect(faultsOf('{ "providers": { "openai": { "keys": [{ "value": "env.K" }] } } }')).toEqual([
    expect.stringContaining(
      "this is the configuration of Bifrost; write one for the gateway: npx @model-gateway/gateway import bifrost",
    ),
  ]);
});

test("a file of the gateway with such a key has the fault of the key", () => {
  expect(faultsOf(`model_list: [{ litellm_params: {} }]\n${minimal}`)).toEqual([
    expect.stringContaining("model_list: is not a known key"),
  ]);
});
