import { nameTarget } from "../../operations/named-target.js";
import type { Schemas } from "../../operations/schemas.js";
import { Facts } from "../../parts/facts.js";
import { describePrice } from "../models/describe-model.js";

interface ModelPricesProps {
  readonly models: Schemas["ConfigurationChange"]["models"];
}

/** The price of each target that a change sets, before a budget turns out not to count one. */
export function ModelPrices({ models }: ModelPricesProps) {
  // Each model of a pattern has the price of its name.
  const targets = models
    .filter(({ id }) => !id.includes("*"))
    .flatMap(({ id, targets }) =>
      targets.map((target) => ({
        name: targets.length > 1 ? `${id} at ${nameTarget(target)}` : id,
        pricing: target.pricing,
      })),
    );
  if (targets.length === 0) return null;
  return (
    <div>
      <h3>Prices</h3>
      <Facts facts={targets.map(({ name, pricing }) => [name, describePrice(pricing)])} />
      {targets.some(({ pricing }) => pricing === null) && (
        <p className="small tone-warn">
          Budgets do not count requests without a price. Go back to enter one, if the model costs money.
        </p>
      )}
    </div>
  );
}
