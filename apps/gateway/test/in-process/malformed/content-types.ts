import { type CaseKind, jsonOperations, rawRequest } from "./malformed-case.js";

/** Content types and encodings that are absent, wrong, or written in a way that parsers disagree about. */
export const contentTypes: CaseKind = function* () {
  for (const { path, body } of jsonOperations) {
    const send = (headers: Record<string, string>) =>
      rawRequest({ path, headers, body: JSON.stringify(body) });
    yield { name: `${path} without a content type`, bytes: send({}), outcome: "refused", status: 415 };
    for (const type of unsupported) {
      yield {
        name: `${path} as ${type.slice(0, 60)}`,
        bytes: send({ "content-type": type }),
        outcome: "refused",
        status: 415,
      };
    }
    for (const type of strange) {
      yield {
        name: `${path} as ${type.slice(0, 60)}`,
        bytes: send({ "content-type": type }),
        outcome: "taken or refused",
      };
    }
    for (const encoding of ["br", "zstd", "gzip, identity", "x".repeat(5000), "\u00ff"]) {
      const bytes = send({ "content-type": "application/json", "content-encoding": encoding });
      yield { name: `${path} encoded as ${encoding.slice(0, 20)}`, bytes, outcome: "refused", status: 415 };
    }
    for (const encoding of ["gzip", "deflate"]) {
      const bytes = send({ "content-type": "application/json", "content-encoding": encoding });
      yield { name: `${path} that is not ${encoding}`, bytes, outcome: "refused", status: 400 };
    }
  }
};

const unsupported = [
  "",
  ";",
  "/",
  "json",
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  "*/*",
  "application/*",
  "application/json+x",
  "application/jsonp",
  "application/vnd.api+json",
  "application/json, text/plain",
  "application/json text/plain",
  "application/ json",
  "application/json/x",
  "multipart/mixed; boundary=x",
  "image/png",
  "__proto__",
  "constructor",
  "toString",
  "application/json; charset=utf-16",
  "application/json; charset=latin1",
  "\u00ff\u00fe/\u0080",
  "a".repeat(30_000),
  `${"a/".repeat(5000)}`,
];

const strange = [
  "application/json;",
  'application/json; charset="',
  "application/json;;;;",
  "application/json; =",
  "application/json; p",
  "APPLICATION/JSON",
  " application/json ",
  "application/json\t; a=b",
  `application/json; p=${"a".repeat(30_000)}`,
  `application/json${"; p=1".repeat(5000)}`,
  "application/json; boundary=x",
  "application/json; charset=UTF8",
  'application/json; q="a;b\\"c"',
  "application/json; __proto__=1; constructor=2",
];
