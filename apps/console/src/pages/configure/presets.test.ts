import { expect, test } from "vitest";
import { applyPreset, type Preset } from "./presets.js";
import { readSchema } from "./setting-schema.js";

const preset = (id: string, facts: Partial<Preset>): Preset => ({
  id,
  title: id.toUpperCase(),
  model_types: ["embedding"],
  base_url: null,
  key_required: true,
  environment_variables: [],
  ...facts,
});
const presets = [
  preset("server", { base_url: "http://127.0.0.1:8000/v1", key_required: false }),
  preset("service", { base_url: "https://service.example/v1" }),
  preset("tenant", {}),
];
const settings = readSchema(
  {
    properties: {
      preset: { enum: presets.map(({ id }) => id) },
      baseUrl: { type: "string", description: "The address." },
      apiKey: { type: "string" },
    },
  },
  { secrets: new Set(["apiKey"]) },
);

test.each([
  { typed: {}, required: ["baseUrl"] },
  { typed: { preset: "server" }, required: [] },
  { typed: { preset: "service" }, required: ["apiKey"] },
  { typed: { preset: "service", baseUrl: "http://proxy/v1" }, required: [] },
  { typed: { preset: "tenant", baseUrl: "http://me.example/v1" }, required: ["baseUrl", "apiKey"] },
])("with $typed the required settings are $required", ({ typed, required }) => {
  const applied = applyPreset(settings, { presets, typed });

  expect(applied.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(required);
});

test("a preset shows its address, and the choices have the names of the services", () => {
  const [choice, address] = applyPreset(settings, { presets, typed: { preset: "server" } });

  expect(choice?.titles).toEqual({ server: "SERVER", service: "SERVICE", tenant: "TENANT" });
  expect(address?.help).toBe("The address of SERVER is http://127.0.0.1:8000/v1 if this is empty.");
});

test("a provider without presets keeps its settings", () => {
  expect(applyPreset(settings, { presets: [], typed: {} })).toBe(settings);
});
