import { expect, test } from "vitest";
import { operationsOf, readSpec } from "../execution/validation/spec.js";
import { createUnknownUrl } from "./unknown-url.js";

const unknownUrl = createUnknownUrl(operationsOf(readSpec()));

test.each([
  ["POST", "/embeddings", "POST /v1/embeddings"],
  ["POST", "/images/generations", "POST /v1/images/generations"],
  ["GET", "/models", "GET /v1/models"],
  ["POST", "/v1/v1/embeddings", "POST /v1/embeddings"],
  ["POST", "/V1/Embeddings", "POST /v1/embeddings"],
  ["POST", "/proxy/api/embed", "POST /api/embed"],
  ["POST", "/embed", "POST /v2/embed"],
  ["POST", "/v1/v2/embed", "POST /v2/embed"],
  ["POST", "/multimodalembeddings", "POST /v1/multimodalembeddings"],
])("%s %s suggests %s", (method, path, meant) => {
  const error = unknownUrl(method, path);

  expect(error.code).toBe("unknown_url");
  expect(error.message).toBe(`Invalid URL (${method} ${path}). Did you mean ${meant}?`);
});

test.each(["/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/audio/speech", "/", "/e"])(
  "%s, which does not exist, lists the alternatives",
  (path) => {
    expect(unknownUrl("POST", path).message).toBe(
      `Invalid URL (POST ${path}). This gateway creates embeddings and images. It has: POST /v1/embeddings, ` +
        "POST /v1/engines/{model}/embeddings, POST /v1/multimodalembeddings, POST /v1/images/generations, POST /v1/images/edits, POST /v1/content_provenance_checks, POST /v1/files, " +
        "GET /v1/models, GET /v1/models/{model}.",
    );
  },
);

test.each(["/api/generate", "/api/chat", "/api/pull"])("%s lists the paths for Ollama clients", (path) => {
  expect(unknownUrl("POST", path).message).toContain(
    "It has: POST /api/embed, POST /api/embeddings, GET /api/tags, POST /api/show, GET /api/ps, GET /api/version.",
  );
});

test("/v2/rerank lists the paths for Cohere clients", () => {
  expect(unknownUrl("POST", "/v2/rerank").message).toContain("It has: POST /v2/embed.");
});

test("an Azure path lists the paths for Azure clients, and nothing of the admin API", () => {
  const { message } = unknownUrl("POST", "/openai/deployments/m/chat/completions");

  expect(message).toContain("It has: POST /openai/deployments/{model}/embeddings, ");
  expect(message).not.toContain("admin");
});

test("a long path is cut", () => {
  expect(unknownUrl("GET", `/${"a".repeat(5000)}`).message.length).toBeLessThan(600);
});
