import { expect, test } from "vitest";
import { digest } from "./resolve.js";
import { faultsOf, load, minimal } from "./test/load-text.js";

test("a key may say what it may be used for, how much, and how long", () => {
  const config = load(`
keys:
  - name: batch
    sha256: ${digest("batch-key").toString("hex")}
    owner: search team
    models: [text-*, gpt-image-2]
    limits: { requestsPerMinute: 60, tokensPerDay: 1000000, imagesPerMinute: 5, maxConcurrency: 4 }
    budget: { usd: 12.5, per: month }
    expiresAt: 2027-01-31
  - { name: short, sha256: ${digest("short").toString("hex")}, expiresAt: "2027-01-31T12:00:00+02:00" }
${minimal}`);

  expect(config.keys.map(({ key }) => key)).toEqual([
    {
      id: "config:batch",
      name: "batch",
      owner: "search team",
      models: ["text-*", "gpt-image-2"],
      limits: { requestsPerMinute: 60, tokensPerDay: 1_000_000, imagesPerMinute: 5, maxConcurrency: 4 },
      budget: { usd: 12.5, per: "month" },
      expiresAt: Date.UTC(2027, 0, 31),
      isDisabled: false,
    },
    {
      id: "config:short",
      name: "short",
      limits: {},
      expiresAt: Date.UTC(2027, 0, 31, 10),
      isDisabled: false,
    },
  ]);
});

test("what a key says wrongly is told where it is", () => {
  const faults = faultsOf(`keys:
  - { name: a, key: long-enough-key, expiresAt: soon }
  - { name: b, key: long-enough-key, budget: { usd: 0, per: week } }
  - { name: c, key: long-enough-key, limits: { requestsPerMinute: 1.5 } }
  - { name: a, key: other-enough-key }
${minimal}`);

  expect(faults).toEqual([
    "gateway.yaml:2:49  keys[0].expiresAt: must be a date or a time such as 2027-01-31 or 2027-01-31T12:00:00Z",
    expect.stringMatching(/^gateway.yaml:3:53 {2}keys\[1\].budget.usd: /),
    expect.stringMatching(/^gateway.yaml:3:61 {2}keys\[1\].budget.per: /),
    expect.stringMatching(/^gateway.yaml:4:67 {2}keys\[2\].limits.requestsPerMinute: /),
    'gateway.yaml:5:13  keys[3].name: there is another key with the name "a"',
  ]);
});
