import { expect, test } from "vitest";
import { providers } from "../providers/registry.js";
import { catalogue, listedPrice } from "./price-catalogue.js";

test("every row has a source and a date that has been", () => {
  const invalid = catalogue.filter(
    ({ source, asOf }) =>
      !URL.canParse(source) ||
      new URL(source).protocol !== "https:" ||
      !/^\d{4}-\d\d-\d\d$/.test(asOf) ||
      !(Date.parse(asOf) < Date.now()),
  );

  expect(invalid).toEqual([]);
});

test("no model is listed twice, and none is free", () => {
  const names = catalogue.map(({ host, model }) => `${host} ${model}`);
  const numbers = catalogue.flatMap(({ price }) => numbersIn(price));

  expect(new Set(names).size).toBe(names.length);
  expect(numbers.filter((usd) => !(usd > 0 && usd < 100))).toEqual([]);
});

test("a price holds only for the host it is listed for", () => {
  expect(listedPrice("https://api.openai.com/v1", "text-embedding-3-small")).toEqual({
    perMillionTokens: 0.02,
  });
  expect(listedPrice("http://127.0.0.1:9000/v1", "text-embedding-3-small")).toBeUndefined();
  expect(listedPrice("https://api.openai.com/v1", "text-embedding-4")).toBeUndefined();
});

test("a price may hold for all regions of a host", () => {
  const priceAt = (host: string) => listedPrice(`https://${host}/v1`, "gemini-embedding-001");

  expect(priceAt("europe-west4-aiplatform.googleapis.com")).toEqual({ perMillionTokens: 0.15 });
  expect(priceAt("aiplatform.googleapis.com")).toEqual({ perMillionTokens: 0.15 });
  expect(priceAt("aiplatform.googleapis.com.example.org")).toBeUndefined();
});

test("every provider with a public price list has a price of an example model", () => {
  // Their prices depend on a contract, a region or a token package, or do not exist.
  const without = ["openai-compatible", "azure", "jina", "ollama", "tei", "local", "automatic1111"];
  const settingsOf: Readonly<Record<string, object>> = {
    bedrock: { region: "us-east-1", apiKey: "k" },
    vertex: { project: "p", location: "europe-west4" },
  };
  const unpriced = providers.filter(({ name, settings, describe, examples }) => {
    const given = { provider: name, ...(settingsOf[name] ?? { apiKey: "k" }) };
    const { baseUrl = "" } = without.includes(name) ? {} : describe(settings.parse(given), "");
    const models = Object.values(examples).flat();
    return !models.some((model) => baseUrl !== "" && listedPrice(baseUrl, model) !== undefined);
  });

  expect(
    unpriced.map(({ name }) => name).sort(),
    "price an example of each provider in price-catalogue.ts, or list the provider in without",
  ).toEqual([...without].sort());
});

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
