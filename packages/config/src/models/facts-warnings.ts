import { isPattern, type Model, type Target } from "@model-gateway/domain/model";

/** A sentence about each target whose facts are those of an earlier generation. */
export function factsWarnings(models: Iterable<Model>, catalogueDate: string): string[] {
  return [...models].flatMap(({ id, targets }) =>
    targets
      .filter(({ factsFrom, model }: Target) => factsFrom?.state === "assumed" && !isPattern(model))
      .map(
        ({ model, factsFrom }: Target) =>
          `The catalogue of ${catalogueDate} does not know ${model}, which the model "${id}" calls. Its facts are assumed: they are those of ${factsFrom?.entry}. Update the catalogue, or set the keys that differ.`,
      ),
  );
}
