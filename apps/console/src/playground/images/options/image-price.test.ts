import { expect, test } from "vitest";
import type { Schemas } from "../../../operations/schemas.js";
import { describeSum, imagePrice } from "./image-price.js";

const priced = (
  tier: number,
  images: { size: string; quality: string; usd: number }[],
  perMillionTokens?: number,
) => {
  const output = { billable: "output_image", per: 1 };
  const pricing = [
    ...images.map(({ size, quality, usd }) => ({
      ...output,
      unit: "image",
      usd,
      variant: { ...(size !== "*" && { size }), ...(quality !== "*" && { quality }) },
    })),
    ...(perMillionTokens === undefined
      ? []
      : [{ ...output, unit: "token", usd: perMillionTokens, per: 1_000_000 }]),
  ];
  return { tier, pricing } as unknown as Schemas["AdminTarget"];
};

const auto = { size: "auto", quality: "auto", count: 1 };

test("the price of the first target counts, by the nearest entry", () => {
  const targets = [
    priced(2, [{ size: "*", quality: "*", usd: 9 }]),
    priced(1, [
      { size: "*", quality: "*", usd: 0.01 },
      { size: "1024x1024", quality: "*", usd: 0.04 },
      { size: "1024x1024", quality: "high", usd: 0.17 },
    ]),
  ];
  const price = (size: string, quality: string, count: number) =>
    imagePrice(targets, { size, quality, count });

  expect(price("1024x1024", "high", 1)).toEqual({ usd: 0.17, isMaximum: false });
  expect(price("1024x1024", "low", 2)).toEqual({ usd: 0.08, isMaximum: false });
  expect(price("auto", "auto", 1)).toEqual({ usd: 0.01, isMaximum: false });
});

test("the highest price counts where the model decides", () => {
  const bySize = [
    priced(1, [
      { size: "1024x1024", quality: "low", usd: 0.01 },
      { size: "1536x1024", quality: "low", usd: 0.02 },
      { size: "1536x1024", quality: "high", usd: 0.2 },
    ]),
  ];
  const byTokens = [priced(1, [], 30)];

  expect(imagePrice(bySize, auto)).toEqual({ usd: 0.2, isMaximum: true });
  expect(imagePrice(bySize, { ...auto, quality: "low" })).toEqual({ usd: 0.02, isMaximum: true });
  expect(imagePrice(byTokens, auto)).toEqual({ usd: 0.1872, isMaximum: true });
  expect(imagePrice(byTokens, { size: "1024x1024", quality: "low", count: 2 })).toEqual({
    usd: 0.016_32,
    isMaximum: false,
  });
});

test("a price by the megapixel counts the first one and each further one", () => {
  const output = { billable: "output_image", unit: "megapixel", per: 1 };
  const pricing = [
    { ...output, usd: 0.03, variant: { megapixel: "first" } },
    { ...output, usd: 0.015, variant: { megapixel: "further" } },
  ];
  const targets = [{ tier: 1, pricing } as unknown as Schemas["AdminTarget"]];
  const price = (size: string) => imagePrice(targets, { size, quality: "auto", count: 1 });

  expect(price("1024x1024")).toEqual({ usd: 0.03, isMaximum: false });
  expect(price("1920x1080")).toEqual({ usd: 0.045, isMaximum: false });
  expect(price("auto")).toEqual({ usd: 0.045, isMaximum: true });
});

test("a free target is priced, and a price that is missing is unknown", () => {
  expect(imagePrice([priced(1, [{ size: "*", quality: "*", usd: 0 }])], auto)).toEqual({
    usd: 0,
    isMaximum: false,
  });
  expect(imagePrice(undefined, auto)).toBeUndefined();
  expect(imagePrice([priced(1, [])], auto)).toBeUndefined();
});

test("the sum names prices that are unknown, and is left out if all is free", () => {
  const about = { usd: 0.04, isMaximum: false };
  const upTo = { usd: 0.19, isMaximum: true };

  expect(describeSum([about, about])).toBe("about $0.08");
  expect(describeSum([about, upTo])).toBe("up to $0.23");
  expect(describeSum([about, undefined])).toBe("about $0.04 and 1 unknown price");
  expect(describeSum([undefined])).toBeUndefined();
  expect(describeSum([{ usd: 0, isMaximum: false }])).toBeUndefined();
});
