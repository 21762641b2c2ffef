import { isDeepStrictEqual } from "node:util";
import { ratesOfPrice } from "@model-gateway/catalogue/rates";
import type { Model, Target } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Price } from "@model-gateway/domain/price";
import { withoutUndefined } from "@model-gateway/runtime/json";

/** The prices of a model. Null if one is unknown, or if its targets have different ones. */
export function pricingOf({ targets }: Model): Schemas["Model"]["pricing"] {
  const [first, ...others]: readonly Target[] = targets;
  if (others.some(({ price }) => !isDeepStrictEqual(price, first?.price))) return null;
  return describeRates(first?.price);
}

/** Null if the price is unknown. */
export function describeRates(price: Price | undefined): Schemas["PriceRate"][] | null {
  if (price === undefined) return null;
  return ratesOfPrice(price).map(({ per = 1, variant, ...rate }) => ({
    ...rate,
    per,
    ...(variant && { variant: withoutUndefined(variant) }),
  }));
}
