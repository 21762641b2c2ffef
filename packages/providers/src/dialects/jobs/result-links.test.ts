import { expect, test } from "vitest";
import { createResultLinks } from "./result-links.js";

const read = createResultLinks({ baseUrl: "http://127.0.0.1:8080/v1", hosts: ["*.example.com", "one.test"] });

test.each([
  "https://delivery.example.com/a.png?sig=1",
  "https://eu.delivery.example.com/a.png",
  "https://one.test/a",
  "http://127.0.0.1:8080/results/a",
])("the link %s is followed", (link) => {
  expect(read(link)).toEqual({ url: link });
});

test.each([
  "http://delivery.example.com/a.png",
  "https://example.com.evil.test/a.png",
  "https://evilexample.com/a.png",
  "https://two.one.test/a",
  "http://127.0.0.1:8081/results/a",
  "https://127.0.0.1:8080/results/a",
  "data:image/png;base64,aGk=",
  "nothing",
  7,
  undefined,
])("the link %s is refused", (link) => {
  expect(() => read(link)).toThrow(expect.objectContaining({ code: "upstream_invalid_reply" }));
});
