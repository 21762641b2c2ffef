import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { providers } from "@model-gateway/providers/registry";
import { expect, test } from "vitest";

const catalogue = builtInCatalogue();

test("widths and limits agree with the provider's own declaration", () => {
  const differing = catalogue.rows.flatMap(({ provider: name, model, kind, widths, limits, shutdown_on }) => {
    const traits = providers.find((one) => one.name === name)?.embeddings?.(model);
    if (kind !== "embedding" || traits === undefined || shutdown_on !== undefined) return [];
    const isSame =
      (widths === undefined || traits.widths === undefined || String(widths) === String(traits.widths)) &&
      (limits === undefined || traits.maxTokens === undefined || limits.max_tokens === traits.maxTokens);
    return isSame ? [] : [`${name} ${model}`];
  });

  expect(differing).toEqual([]);
});

test("an embedding model takes images in the catalogue if it does at its provider", () => {
  const embedding = catalogue.rows.filter(({ kind, shutdown_on }) => kind === "embedding" && !shutdown_on);
  const differing = embedding.filter(({ provider: name, model, input }) => {
    const provider = providers.find((one) => one.name === name);
    if (provider === undefined) return false;
    const takesImages = provider.embeddings?.(model).inputImages !== undefined;
    return takesImages !== input.includes("image");
  });

  expect(differing.map(({ provider, model }) => `${provider} ${model}`)).toEqual([]);
});
