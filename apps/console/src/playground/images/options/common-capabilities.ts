import type { Schemas } from "../../../operations/schemas.js";

type Capabilities = Schemas["ImageCapabilities"];

/** Stands for every size within the bounds of a model. */
export const anySize = "WIDTHxHEIGHT";

/** The formats that the page can show. An SVG may hold scripts, and only these become a URL. */
const shownFormats: readonly string[] = ["png", "jpeg", "webp"];

/**
 * The capabilities that several models share, so that all of them get the same request. A single model keeps its own,
 * without formats that the page cannot show.
 */
export function commonCapabilities(models: readonly [Capabilities, ...Capabilities[]]): Capabilities {
  const [first] = models;
  const shared = (valuesOf: (model: Capabilities) => readonly string[]) =>
    valuesOf(first).filter((value) => models.every((model) => valuesOf(model).includes(value)));
  return {
    sizes: commonSizes(models),
    qualities: shared(({ qualities }) => qualities),
    backgrounds: shared(({ backgrounds }) => backgrounds),
    output_formats: shared(({ output_formats }) => output_formats).filter((format) =>
      shownFormats.includes(format),
    ),
    response_formats: shared(({ response_formats }) => response_formats),
    max_n: Math.min(...models.map(({ max_n }) => max_n)),
    edits: models.every(({ edits }) => edits),
    mask: models.every(({ mask }) => mask),
    markup: models.every(({ markup }) => markup),
    max_images: Math.min(...models.map(({ max_images }) => max_images)),
    // The switch of partial images applies to those that stream.
    streaming: models.some(({ streaming }) => streaming),
    parameters: shared(({ parameters }) => parameters),
  };
}

/** The formats of the models that the page cannot show, and does not offer. */
export function hiddenFormats(models: readonly Pick<Capabilities, "output_formats">[]): string[] {
  const formats = new Set(models.flatMap(({ output_formats }) => output_formats));
  return [...formats].filter((format) => !shownFormats.includes(format));
}

function commonSizes(models: readonly Capabilities[]): string[] {
  const named = [...new Set(models.flatMap(({ sizes }) => sizes))];
  return named.filter((size) => models.every(({ sizes }) => takesSize(sizes, size)));
}

function takesSize(sizes: readonly string[], size: string): boolean {
  return sizes.includes(size) || (sizes.includes(anySize) && /^\d+x\d+$/.test(size));
}
