import { openRequestRules } from "../../execution/validation/validate.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** The operations of the spec, with the schemas of the most frequent one. */
export const requestRules = defineModule({
  name: "request rules",
  open: async ({ requestRules: rules = openRequestRules() }: BaseServices) => {
    const { operations, validator } = rules;
    for (const operation of operations)
      if (operation.id === "createEmbedding") await validator.warmUp(operation);
    return { services: { operations, validator } };
  },
});
