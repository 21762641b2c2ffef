import type { Fault } from "./load-config.js";
import { asObject, objectAt } from "./raw-file.js";

/** Finds targets that name no upstream. It reads the raw file, so that it also speaks when other parts are at fault. */
export function unknownUpstreams(file: unknown): Fault[] {
  const upstreams = Object.keys(objectAt(file, "upstreams"));
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const targets = objectAt(model, "targets");
    return Object.entries(targets).flatMap(([index, target]) => {
      const { upstream } = asObject(target);
      if (typeof upstream !== "string" || upstreams.includes(upstream)) return [];
      return [
        {
          path: ["models", id, "targets", Number(index), "upstream"],
          message: `there is no upstream "${upstream}"; the upstreams are: ${upstreams.join(", ") || "none"}`,
        },
      ];
    });
  });
}
