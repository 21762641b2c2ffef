import type { ShownModel } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { pngOf } from "../opened-image.js";
import { maskOf, maskPixels } from "./mask/mask-of.js";
import { deliveryOptions, readOptions } from "./options/image-options.js";
import { type ExpectedPrice, imagePrice } from "./options/image-price.js";
import type { ImageEdit, ImageSettings } from "./results/image-result.js";
import type { Draft, PreparedRequest } from "./results/image-session.js";

/** A model that creates images. */
export type ImageModel = ShownModel & { readonly image: Schemas["ImageCapabilities"] };

/** Number of partial images to request from a model that streams. */
const partialImages = 2;

export interface Chosen {
  readonly draft: Draft;
  readonly models: readonly ImageModel[];
  /** The capabilities that the models share. */
  readonly image: Schemas["ImageCapabilities"];
}

/**
 * The models of the draft. A link that names another model leads to that one alone; a link that names none leaves the
 * choice as it was.
 */
export function modelsOf(
  { models: ids }: Pick<Draft, "models">,
  models: readonly ImageModel[],
  { wanted, first }: { readonly wanted: string | null; readonly first: ImageModel },
): readonly [ImageModel, ...ImageModel[]] {
  const [one, ...more] = ids.flatMap((id) => models.find((model) => model.id === id) ?? []);
  return one !== undefined && (wanted === null || one === first) ? [one, ...more] : [first];
}

/** A request for each model and prompt. The prompts of one model are neighbours, so that they stand side by side. */
export function settingsOf({ draft, models, image }: Chosen): readonly ImageSettings[] {
  const { prompts, chosen } = draft;
  const sent = readOptions(chosen, image);
  const edit = editOf({ draft, image });
  return models.flatMap(({ id: model }) =>
    prompts.map((prompt) => ({ model, prompt: prompt.trim(), chosen, sent, edit })),
  );
}

/** The edit that the draft asks for, as far as the models can do it. */
export function editOf({ draft: { source, strokes }, image }: Omit<Chosen, "models">): ImageEdit | undefined {
  if (source === undefined || !image.edits) return undefined;
  return { source, strokes: image.mask ? strokes : [] };
}

export function pricesOf(
  settings: readonly ImageSettings[],
  models: readonly ImageModel[],
): readonly (ExpectedPrice | undefined)[] {
  return settings.map(({ model, sent }) =>
    imagePrice(models.find(({ id }) => id === model)?.targets, {
      size: String(sent.size ?? "auto"),
      quality: String(sent.quality ?? "auto"),
      count: Number(sent.n ?? 1),
    }),
  );
}

/** The requests as they are sent. The mask is written once for all of them. */
export async function prepareRequests(chosen: Chosen): Promise<readonly PreparedRequest[]> {
  const { draft, models } = chosen;
  const edit = editOf(chosen);
  const mask = edit && (await maskFile(edit));
  return settingsOf(chosen).map((settings) => {
    const model = models.find(({ id }) => id === settings.model);
    return {
      settings,
      order: {
        model: settings.model,
        prompt: settings.prompt,
        options: { ...settings.sent, ...(model && deliveryOptions(model.image)) },
        partialImages: draft.wantsPartials && model?.image.streaming ? partialImages : undefined,
        ...(edit && { image: edit.source.blob }),
        ...(mask && { mask }),
      },
    };
  });
}

async function maskFile({ source, strokes }: ImageEdit): Promise<Blob | undefined> {
  return strokes.length === 0 ? undefined : pngOf(maskPixels(maskOf(strokes, source)), source);
}
