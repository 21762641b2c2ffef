import type { ContentInput } from "@model-gateway/domain/content-input";
import { withContext } from "@model-gateway/domain/errors";
import type { EmbeddingModel } from "@model-gateway/domain/model";
import { isContent } from "@model-gateway/domain/requests";
import type { ConvertContent } from "../images/convert-content.js";
import type { KeyedInput } from "./inputs.js";

interface ConvertedInputs {
  readonly inputs: readonly KeyedInput[];
  readonly convertedImages: number;
}

/** Converts the images that a model does not take. An image that cannot be converted is the caller's fault. */
export async function convertInputs(
  given: readonly KeyedInput[],
  { inputImages }: EmbeddingModel,
  { convertContent, caller }: { readonly convertContent: ConvertContent; readonly caller: string },
): Promise<ConvertedInputs> {
  if (inputImages === undefined) return { inputs: given, convertedImages: 0 };
  let convertedImages = 0;
  const inputs: KeyedInput[] = [];
  for (const keyed of given) {
    const { key, input } = keyed;
    const converted = isContent(input) ? convertContent(input, inputImages, caller) : undefined;
    if (converted === undefined || !isContent(input)) {
      inputs.push(keyed);
      continue;
    }
    const taken = await converted.catch((failure: unknown) => {
      throw withContext(failure, { inputKey: key });
    });
    convertedImages += changedParts(input, taken);
    inputs.push({ key, input: taken });
  }
  return { inputs, convertedImages };
}

function changedParts({ parts }: ContentInput, converted: ContentInput): number {
  return parts.filter((part, index) => part !== converted.parts[index]).length;
}
