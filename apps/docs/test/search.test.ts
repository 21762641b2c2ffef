import { expect, test } from "vitest";
import { excerptOf } from "../search/excerpt.js";
import { findSections, openIndex } from "../search/find-sections.js";
import { readSiteFile } from "./site-files.js";

const index = openIndex(readSiteFile("search.json"));
const firstHit = (query: string): string => String(findSections(index, query)[0]?.address);

test.each([
  ["rate_limit_exceeded", "errors/rate_limit_exceeded/"],
  ["insufficient quota", "errors/insufficient_quota/"],
  ["space_mismatch", "errors/space_mismatch/"],
  ["model_not_found", "errors/model_not_found/"],
  ["createEmbedding", "reference/createEmbedding/"],
  ["create embeddings", "reference/createEmbedding/"],
  ["createImageEdit", "reference/createImageEdit/"],
  ["revoke key", "reference/revokeKey/"],
  ["quick start", "guides/quick-start/"],
  ["troubleshooting", "guides/troubleshooting/"],
  ["limits and budgets", "guides/limits-and-budgets/"],
  ["monitoring", "guides/monitoring/"],
  ["kubernetes", "guides/deploy/#in-kubernetes"],
  ["systemd", "guides/deploy/"],
  ["azure openai", "upstreams/azure-openai/"],
  ["bedrock", "upstreams/bedrock/"],
  ["voyage", "upstreams/voyage/"],
  ["moving from litellm", "guides/moving-from-litellm/"],
  ["moving from bifrost", "guides/moving-from-bifrost/"],
  ["webhook events", "guides/webhook-events/"],
  ["benchmarks", "benchmarks/"],
  ["bare proxy nginx", "benchmarks/"],
  ["command line", "guides/command-line/"],
  ["design decisions", "decisions/"],
  ["429", "errors/#status-429"],
  ["429 too many requests", "errors/#status-429"],
  ["503", "errors/#status-503"],
  ["rate limit", "guides/limits-and-budgets/"],
  ["cache", "guides/embeddings-through-the-gateway/#the-cache"],
  ["retries", "guides/scheduling/#retries"],
  ["circuit breaker", "guides/scheduling/#unhealthy-targets"],
  ["faq", "guides/faq/"],
  ["upgrade", "guides/upgrading/"],
  ["changelog", "changelog/"],
])("%s finds %s first", (query, address) => {
  expect(firstHit(query)).toContain(address);
});

test("a small slip of the finger still finds the page", () => {
  expect(firstHit("troubleshoting")).toContain("guides/troubleshooting/");
});

test("a hit is marked in the text of its section", () => {
  const texts: string[] = JSON.parse(readSiteFile("search-texts.json"));
  const [hit] = findSections(index, "half-open circuit");

  const parts = excerptOf(texts[hit?.id] ?? "", new Set(Object.keys(hit?.match ?? {})));

  expect(parts.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(
    expect.arrayContaining(["half-open"]),
  );
});

test("words that nothing has find nothing", () => {
  expect(findSections(index, "zzyzx")).toEqual([]);
});

test("a table of the benchmark is found by its words, and its figures are not indexed", () => {
  const texts: string[] = JSON.parse(readSiteFile("search-texts.json"));
  const hits = findSections(index, "edit with a mask, direct, ours, bare proxy");
  const hit = hits.find(({ address }) => String(address).startsWith("benchmarks/"));

  expect(texts[hit?.id]).toMatch(/ours.*bare proxy/);
  expect(texts[hit?.id]).not.toMatch(/\d\.\d\d/);
});
