import { operationsOf, readSpec } from "../../../src/execution/validation/spec.js";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { badBodies, badForms, oddForms } from "./bad-forms.js";
import { type CaseKind, type MalformedCase, rawRequest } from "./malformed-case.js";
import { asked, boundary, encode, file, image, type Part, text } from "./write-form.js";

const path = "/v1/images/edits";
const formType = `multipart/form-data; boundary=${boundary}`;

/** Multipart forms with parts, names, files and ends that are not as they should be. */
export const forms: CaseKind = function* (random) {
  const good = encode([...asked, image("image")]);
  for (let length = 0; length < good.length - 6; length += 3) {
    yield refused(`a form cut after ${length} bytes`, send(good.subarray(0, length)));
  }
  for (const type of badTypes) yield refused(`a form as ${type.slice(0, 60)}`, send(good, type));
  for (const [name, parts] of badForms) yield refused(name, send(encode(parts)));
  for (const [name, parts] of oddForms)
    yield { name, bytes: send(encode(parts)), outcome: "taken or refused" };
  for (const [name, body] of badBodies) yield refused(name, send(body));
  yield* wrongTexts();
  for (let round = 0; round < 120; round += 1) {
    const at = random.below(good.length);
    const bytes = Buffer.concat([
      good.subarray(0, at),
      random.bytes(random.below(8)),
      good.subarray(at + random.below(8)),
    ]);
    yield { name: `a form mutated in round ${round}`, bytes: send(bytes), outcome: "taken or refused" };
  }
  for (let round = 0; round < 20; round += 1) {
    yield {
      ...refused(
        `noise for an image in round ${round}`,
        send(encode([...asked, file("image", random.bytes(1 + random.below(5000)))])),
      ),
      param: "image",
    };
    const bytes = send(good).subarray(0, 200 + random.below(good.length));
    yield {
      name: `a form left after ${bytes.length} bytes`,
      bytes,
      options: { after: "leave" },
      outcome: "left",
    };
  }
  const declared = { "content-type": formType, "content-length": "999999999999" };
  yield {
    ...refused("a form that declares a terabyte", rawRequest({ path, headers: declared })),
    status: 413,
  };
  const half = send(good, formType, { "content-length": String(good.length + 10) });
  yield { ...refused("a form that is half closed before its end", half), options: { after: "half-close" } };
  const stalled = encode(Array<Part>(200).fill(text("user", "")));
  yield refused(
    "too many parts, and the rest never comes",
    send(stalled, formType, { "content-length": "100000" }),
  );
};

/** Every non-text field, with texts of the wrong type; and every field as a file. */
function* wrongTexts(): Generator<MalformedCase> {
  const operation = operationsOf(readSpec()).find(({ id }) => id === "createImageEdit");
  const properties = operation?.bodies.get("multipart/form-data")?.properties ?? {};
  for (const [field, schema] of Object.entries(properties)) {
    const others = asked.filter(([head]) => !head.includes(`"${field}"`));
    const types = [schema.type].flat();
    if (types.includes("integer") || types.includes("boolean")) {
      for (const value of [
        "",
        " ",
        "x",
        "1.5",
        "0x1",
        "1e1",
        "-",
        "NULL",
        "NaN",
        "9".repeat(400),
        "1,2",
        "yes",
        "\u0000",
        "\u0661",
      ]) {
        const bytes = send(encode([...asked, image("image"), text(field, value)]));
        yield { ...refused(`a form with ${field} = ${value.slice(0, 10)}`, bytes), param: field };
      }
    }
    if (field === "image" || field === "mask") {
      yield { ...refused(`text for ${field}`, send(encode([...asked, text(field, "x")]))), param: field };
    } else {
      yield {
        ...refused(`a file for ${field}`, send(encode([...others, image("image"), file(field, tinyPng)]))),
        param: field,
      };
      yield refused(
        `${field} twice`,
        send(encode([...asked, image("image"), text(field, "1"), text(field, "1")])),
      );
      yield refused(
        `${field}[] and ${field}[a]`,
        send(encode([...others, image("image"), text(`${field}[]`, "1"), text(`${field}[a]`, "1")])),
      );
    }
  }
}

function refused(name: string, bytes: Buffer): MalformedCase {
  return { name, bytes, outcome: "refused" };
}

function send(body: Buffer | string, type = formType, headers: Record<string, string> = {}): Buffer {
  return rawRequest({
    path,
    headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)), ...headers },
    body,
  });
}

const badTypes = [
  "multipart/form-data",
  "multipart/form-data;",
  "multipart/form-data; boundary",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary="',
  "multipart/form-data; boundary=other",
  `multipart/form-data; boundary=${"b".repeat(5000)}`,
  "multipart/form-data; boundary=\u00ff",
  "multipart/form-data; BOUNDARY=x",
  "multipart/mixed; boundary=b0undary",
  "multipart/form-data, application/json",
  "multipart/*; boundary=b0undary",
  "application/x-www-form-urlencoded",
  `multipart/form-data; boundary=x; boundary=${boundary}`,
  "multipart/form-data; charset=utf-16; boundary=b0undary",
];
