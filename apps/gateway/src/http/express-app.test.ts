import { expect, test } from "vitest";
import { normalisePath } from "./express-app.js";

test.each([
  ["/v1/models", "/v1/models"],
  ["/v1/models/a", "/v1/models/a"],
  ["/v1/models/org/model:x%20y", "/v1/models/org%2Fmodel:x%20y"],
  ["/v1/models/org%2Fmodel", "/v1/models/org%2Fmodel"],
  ["/v1/models/a+b", "/v1/models/a+b"],
  ["/v1/engines/my+model/embeddings", "/v1/engines/my%20model/embeddings"],
  ["/v1/engines/org/m%2B/embeddings", "/v1/engines/org%2Fm%2B/embeddings"],
  ["/v1/models/org/model/", "/v1/models/org%2Fmodel"],
  ["/v1/engines/org/m/embeddings/", "/v1/engines/org%2Fm/embeddings"],
  ["/openai/deployments/org/m/embeddings/", "/openai/deployments/org%2Fm/embeddings"],
  ["/v1/embeddings", "/v1/embeddings"],
  ["/openai/deployments/a/embeddings", "/openai/deployments/a/embeddings"],
  ["/openai/deployments/org/m/embeddings", "/openai/deployments/org%2Fm/embeddings"],
  ["/openai/deployments/org/m/images/edits", "/openai/deployments/org%2Fm/images/edits"],
  ["/openai/deployments/a+b/images/generations", "/openai/deployments/a+b/images/generations"],
  ["/openai/deployments/a/chat/completions", "/openai/deployments/a/chat/completions"],
])("%s is read as %s", (path, normal) => {
  expect(normalisePath(path)).toBe(normal);
});
