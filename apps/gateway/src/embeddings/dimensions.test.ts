import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { checkDimensions, fitDimensions, shorten, takesWidth, toUnitVector } from "./dimensions.js";

test("a refused width comes with the widths that the model has", () => {
  const flexible = embeddingModel({ dimensions: 8, matryoshka: true });
  const fixed = embeddingModel({ dimensions: 8 });
  const { dimensions: _dimensions, ...unknown } = fixed;

  expect(checkDimensions(4, flexible)).toBe(4);
  expect(() => checkDimensions(9, flexible)).toThrow(
    "Invalid value for 'dimensions' = 9. Must be less than or equal to 8.",
  );
  for (const width of [4, 9])
    expect(() => checkDimensions(width, fixed)).toThrow(
      "The model 'model' does not support specifying dimensions: its vectors always have 8. Send 8, or omit 'dimensions'.",
    );
  expect(() => checkDimensions(4, unknown)).toThrow(
    "The model 'model' does not support specifying dimensions. Omit 'dimensions'.",
  );
});

test("a model of one width takes that width, and a request without one", () => {
  const fixed = embeddingModel({ dimensions: 8 });

  expect(checkDimensions(8, fixed)).toBe(8);
  expect(checkDimensions(undefined, fixed)).toBe(8);
});

test("a model that can be shortened takes any width where its own is not known", () => {
  const { dimensions: _dimensions, ...anyWidth } = embeddingModel({ matryoshka: true });

  expect(checkDimensions(4000, anyWidth)).toBe(4000);
});

test("a refusal names the parameter", () => {
  for (const matryoshka of [true, false])
    expect(() => checkDimensions(9, embeddingModel({ dimensions: 8, matryoshka }))).toThrow(
      expect.objectContaining({ param: "dimensions" }),
    );
});

test.each([
  ["a target that shortens vectors itself", {}, [4, 8, undefined]],
  ["a target with a list of widths", { widths: [4] }, [4, undefined]],
  ["a target whose vectors the gateway shortens", { dimensions: "emulate" as const }, [undefined]],
])("%s is asked for the widths that it makes", (_name, changes, taken) => {
  const [target] = embeddingModel({}, changes).targets;

  expect([4, 8, undefined].filter((width) => takesWidth(target, width))).toEqual(taken);
});

test("only a vector of the model's own width is shortened, and others are passed on to fail", () => {
  const model = embeddingModel({ dimensions: 3, matryoshka: true });
  const [native, short, other] = [
    [3, 4, 12],
    [3, 4],
    [3, 4, 12, 1],
  ].map((values) => Vector.fromNumbers(values));
  if (native === undefined || short === undefined || other === undefined) expect.fail("There are three.");

  const fitted = [native, short, other].map((vector) => fitDimensions(vector, 2, model));

  expect(fitted[0]?.toNumbers().map((value) => value.toFixed(4))).toEqual(["0.6000", "0.8000"]);
  expect(fitted.slice(1)).toEqual([short, other]);
  expect(fitDimensions(native, undefined, model)).toBe(native);
});

test("the first values are kept and normalised", () => {
  const short = shorten(Float32Array.of(3, 4, 12), 2);

  expect([...short].map((value) => value.toFixed(6))).toEqual(["0.600000", "0.800000"]);
});

test("a vector of zeros stays zero and does not become NaN", () => {
  expect(shorten(new Float32Array(4), 2)).toEqual(new Float32Array(2));
});

test("a vector of zeros has no direction, so it is not normalised", () => {
  const zeros = Vector.fromFloats(new Float32Array(4));

  expect(toUnitVector(zeros)).toBe(zeros);
});
