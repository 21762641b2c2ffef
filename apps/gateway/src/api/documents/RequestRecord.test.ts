import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { rowOf } from "../../usage/test/ledger-rows.js";
import { describeOwnRequest, describeRequest, requestFields } from "./RequestRecord.js";

const { schemas, examples } = createRequire(import.meta.url)("@model-gateway/spec/openapi.json").components;

test("the columns that are shown are the fields of the schemas", () => {
  const row = rowOf(1);

  expect(Object.keys(describeOwnRequest(row)).sort()).toEqual(fieldsOf("OwnRequest"));
  expect(Object.keys(describeRequest(row)).sort()).toEqual(fieldsOf("RequestRecord"));
});

test("the table in the spec has the columns in their order", () => {
  const [header] = examples.RequestsTable.value.split("\r\n");

  expect(header.split(",")).toEqual(requestFields);
});

/** All of them are required. */
function fieldsOf(schema: string): string[] {
  const { required, properties } = schemas[schema];
  expect(Object.keys(properties).sort()).toEqual([...required].sort());
  return Object.keys(properties).sort();
}
