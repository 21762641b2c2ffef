import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { expect, test } from "vitest";
import { checkOutputDtype, outputDtypesOf, readOutput, readOutputDtype } from "./output-dtype.js";

test.each([
  [{}, undefined],
  [{ encoding_format: null, output_dtype: null }, undefined],
  [{ encoding_format: "base64", output_dtype: "float" }, undefined],
  [
    { encoding_format: "base64", output_dtype: "int8" },
    { dtype: "int8", param: "output_dtype" },
  ],
  [
    { encoding_format: "float", output_dtype: "int8" },
    { dtype: "int8", param: "output_dtype" },
  ],
  [{ output_dtype: "ubinary" }, { dtype: "ubinary", param: "output_dtype" }],
  [{ encoding_format: "binary" }, { dtype: "binary", param: "encoding_format" }],
  [
    { encoding_format: "uint8", output_dtype: "uint8" },
    { dtype: "uint8", param: "encoding_format" },
  ],
] as const)("%j asks for %j", (body, expected) => {
  expect(readOutputDtype(body)).toEqual(expected);
});

test.each([
  [{}, "float", undefined],
  [{ encoding_format: "float" }, "float", undefined],
  [{ encoding_format: "base64" }, "base64", undefined],
  [{ encoding_format: "base64", output_dtype: "int8" }, "float", "int8"],
  [{ encoding_format: "uint8" }, "float", "uint8"],
  [{ encoding_format: "base64", output_dtype: "binary" }, "binary", "binary"],
  [{ encoding_format: "ubinary" }, "ubinary", "ubinary"],
] as const)("the vectors for %j are written as %s", (body, form, dtype) => {
  expect(readOutput(body)).toMatchObject({ form, dtype });
});

test.each(["float", "binary"] as const)(
  "two parameters that differ are refused: int8 and %s",
  (output_dtype) => {
    expect(() => readOutputDtype({ encoding_format: "int8", output_dtype })).toThrow(
      expect.objectContaining({
        code: "invalid_value",
        param: "output_dtype",
        message: `Invalid 'output_dtype': it is '${output_dtype}', but 'encoding_format' is 'int8'; a response has one type.`,
      }),
    );
  },
);

const matryoshka = embeddingModel({ dimensions: 16, matryoshka: true });
const calibrated = { ...matryoshka, outputDtypes: new Set(["int8"] as const) };

test.each([
  ["int8 without a provider that makes it", matryoshka, "int8", undefined, "output_dtype"],
  ["a type of another provider", calibrated, "uint8", undefined, "output_dtype"],
  ["a width that is not divisible by 8", matryoshka, "ubinary", 12, "dimensions"],
  ["a model whose width is not", embeddingModel({ dimensions: 12 }), "binary", undefined, "output_dtype"],
] as const)("%s is refused", (_name, model, dtype, dimensions, param) => {
  expect(() => checkOutputDtype({ dtype, param: "output_dtype" }, model, dimensions)).toThrow(
    expect.objectContaining({ code: "unsupported_value", param }),
  );
});

test("signs need a width that is divisible by 8, and the refusal says which value does not fit", () => {
  const { dimensions: _dimensions, ...anyWidth } = embeddingModel({ matryoshka: true });
  const requested = { dtype: "binary", param: "output_dtype" } as const;
  const refused = (subject: string) =>
    expect.objectContaining({
      message: `Unsupported value: ${subject} with this model. With 'binary', the number of dimensions must be divisible by 8, and it is 12.`,
    });

  expect(() => checkOutputDtype(requested, matryoshka, undefined)).not.toThrow();
  expect(() => checkOutputDtype(requested, matryoshka, 8)).not.toThrow();
  expect(() => checkOutputDtype(requested, anyWidth, undefined)).not.toThrow();
  expect(() => checkOutputDtype(requested, matryoshka, 12)).toThrow(
    refused("'dimensions' does not support '12'"),
  );
  expect(() => checkOutputDtype(requested, embeddingModel({ dimensions: 12 }), undefined)).toThrow(
    refused("'output_dtype' does not support 'binary'"),
  );
});

test("the refusal of int8 says why, names the caller's parameter, and lists the rest", () => {
  expect(() => checkOutputDtype({ dtype: "int8", param: "encoding_format" }, matryoshka, undefined)).toThrow(
    expect.objectContaining({
      param: "encoding_format",
      message:
        "Unsupported value: 'encoding_format' does not support 'int8' with this model. Its provider does not quantise vectors to int8, and the gateway cannot: that takes the range of each dimension. Supported values are: 'float', 'binary', 'ubinary'.",
    }),
  );
});

test("integers have only the widths that every target makes itself", () => {
  const [target] = calibrated.targets;
  const requested = { dtype: "int8", param: "output_dtype" } as const;
  const flexible = { ...calibrated, targets: [{ ...target, dimensions: "pass", widths: [8] }] as const };
  const emulated = { ...calibrated, targets: [{ ...target, dimensions: "emulate" }] as const };

  expect(() => checkOutputDtype(requested, flexible, 8)).not.toThrow();
  expect(() => checkOutputDtype(requested, emulated, 16)).not.toThrow();
  const refused = (supported: string) =>
    expect.objectContaining({
      param: "dimensions",
      message: expect.stringContaining(
        `Only the provider can shorten vectors of the type 'int8'. Supported values are: ${supported}.`,
      ),
    });
  expect(() => checkOutputDtype(requested, flexible, 4)).toThrow(refused("8, 16"));
  expect(() => checkOutputDtype(requested, emulated, 8)).toThrow(refused("16"));
});

test("a width that one target of several makes is refused, and is not among those that are named", () => {
  const [target] = calibrated.targets;
  const requested = { dtype: "int8", param: "output_dtype" } as const;
  const targets = [
    { ...target, widths: [12, 8, 4] },
    { ...target, widths: [8, 4, 2] },
  ] as const;

  expect(() => checkOutputDtype(requested, { ...calibrated, targets }, 8)).not.toThrow();
  for (const width of [12, 2])
    expect(() => checkOutputDtype(requested, { ...calibrated, targets }, width)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("Supported values are: 4, 8, 16.") }),
    );
});

test("a model lists what it supports", () => {
  const { dimensions: _dimensions, ...anyWidth } = embeddingModel();

  expect(outputDtypesOf(calibrated)).toEqual(["float", "int8", "binary", "ubinary"]);
  expect(outputDtypesOf(embeddingModel({ dimensions: 12 }))).toEqual(["float"]);
  expect(outputDtypesOf(anyWidth)).toEqual(["float", "binary", "ubinary"]);
});
