import { expect, test } from "vitest";
import { createCodeRecorder } from "./record-codes.js";

const line = (fields: object) => `${JSON.stringify({ level: "info", msg: "request", ...fields })}\n`;

test("a code that the spec lists for the operation passes, and so does a caller that has left", () => {
  const codes = createCodeRecorder();
  codes.note([
    line({ operation: "createEmbedding", errorCode: "model_not_found", status: 404 }),
    line({ operation: "createEmbedding", errorCode: "caller_left" }),
    line({ operation: "createEmbedding", status: 200 }),
    line({ errorCode: "unknown_url", status: 404 }),
  ]);

  expect(() => codes.check()).not.toThrow();
});

test("a code at another API's path counts for the operation that it aliases", () => {
  const codes = createCodeRecorder();
  codes.note([line({ operation: "listModels", errorCode: "duplicate_parameter", status: 400 })]);

  expect(() => codes.check()).not.toThrow();
});

test("any other code fails, and the message says where to add it", () => {
  const codes = createCodeRecorder();
  codes.note([line({ operation: "listModels", errorCode: "key_revoked", status: 409 })]);

  expect(() => codes.check()).toThrow(/listModels key_revoked.*x-error-codes/);
});
