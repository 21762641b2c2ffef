import { defaultConfig } from "@model-gateway/config/default-config";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const triples = [
  ["The cat sat on the mat.", "A kitten was resting on the rug.", "The central bank raised interest rates."],
  [
    "How do I reset my password?",
    "I forgot my login and need a new one.",
    "Which trains run to Vienna tonight?",
  ],
  [
    "The flight was cancelled because of fog.",
    "Bad visibility grounded the plane.",
    "She planted tulips in the garden.",
  ],
  ["He is an excellent cook.", "The meals he prepares are wonderful.", "The printer is out of paper."],
  [
    "The company laid off half of its staff.",
    "Many employees of the firm lost their jobs.",
    "The lake is frozen in winter.",
  ],
  [
    "Drink plenty of water when it is hot.",
    "Stay hydrated in warm weather.",
    "The court rejected the appeal.",
  ],
  ["The film bored me to tears.", "I found the movie extremely dull.", "Mix the flour with two eggs."],
  [
    "Doctors recommend regular exercise.",
    "Physicians advise people to work out often.",
    "The guitar has a broken string.",
  ],
] as const;

let gateway: InProcessGateway;
beforeAll(async () => {
  gateway = await startGateway(defaultConfig);
});
afterAll(() => gateway.stop());

describe.each(["gte-small", "all-MiniLM-L6-v2"])("%s over HTTP", (model) => {
  let vectors: Map<string, number[]>;
  beforeAll(async () => {
    const input = triples.flat();
    const response = await gateway.sendJson("/v1/embeddings", { model, input });
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    vectors = new Map(input.map((text, index) => [text, data[index]!.embedding]));
  });

  test.each(triples)("'%s' is nearer to '%s' than to '%s'", (anchor, paraphrase, unrelated) => {
    const near = cosine(vectors.get(anchor)!, vectors.get(paraphrase)!);
    const far = cosine(vectors.get(anchor)!, vectors.get(unrelated)!);

    expect(near).toBeGreaterThan(far);
  });
});

function cosine(a: readonly number[], b: readonly number[]): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
