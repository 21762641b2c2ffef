import type { ImageAnswer } from "../domain/requests.js";
import { GatewayError } from "../errors.js";
import { contentOf, type DeliveryTools, finishPicture } from "./deliver.js";
import type { MadePictures } from "./make-images.js";
import type { Delivery } from "./plan-images.js";

/**
 * Looks at every picture of an upstream's answer. One that is none is its failure, and so are fewer than were asked for,
 * unless the caller accepts them.
 */
export async function acceptAnswer(
  answer: Extract<ImageAnswer, { images: unknown }>,
  { count, allowPartial, delivery }: { count: number; allowPartial: boolean; delivery: Delivery },
  { tools, signal }: { tools: DeliveryTools; signal: AbortSignal },
): Promise<MadePictures> {
  const { created, data, quality, usage } = answer.images;
  if (data.length === 0 || data.length > count || (data.length < count && !allowPartial)) {
    throw new GatewayError(
      "upstream_invalid_answer",
      `The upstream's answer is not valid: it has ${data.length} pictures where ${count} were asked for.`,
    );
  }
  const pictures = await Promise.all(
    data.map(async (image) => ({
      finished: await finishPicture(await contentOf(image, tools, signal), delivery),
      revisedPrompt: image.revised_prompt,
    })),
  );
  return { pictures, created, quality: quality ?? delivery.quality, usage };
}
