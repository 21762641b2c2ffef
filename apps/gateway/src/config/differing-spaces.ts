import { defaultSpace } from "../domain/model.js";
import type { Fault } from "./load-config.js";
import { asObject, objectAt } from "./raw-file.js";

/**
 * Finds models whose targets give vectors of different spaces. Such vectors can not be compared, and a search over a
 * mix of them is wrong without an error; an operator who knows better gives the targets the same `space`.
 */
export function differingSpaces(file: unknown): Fault[] {
  return Object.entries(objectAt(file, "models")).flatMap(([id, model]) => {
    const { type, dimensions } = asObject(model);
    if (type !== "embedding") return [];
    const width = typeof dimensions === "number" ? dimensions : undefined;
    const spaces = Object.values(objectAt(model, "targets")).map((target) => {
      const { space, model: name } = asObject(target);
      return typeof space === "string" ? space : defaultSpace(String(name), width);
    });
    return spaces.flatMap((space, index) =>
      index === 0 || space === spaces[0]
        ? []
        : [
            {
              path: ["models", id, "targets", index],
              message: `its vector space is "${space}", but that of the first target is "${spaces[0]}"; vectors of two spaces can not be compared. If they are equal, give both the same space`,
            },
          ],
    );
  });
}
