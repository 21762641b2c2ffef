import { type ImageProfile, imageOperationsOf, offeredFormats } from "../../../domain/image-profile.js";
import { withoutUndefined } from "../../../domain/json.js";
import type { ImageModel } from "../../../domain/model.js";
import { GatewayError } from "../../../errors.js";
import { usedBy } from "../../../images/cost.js";
import { emulatedParameters } from "../../../images/options/plan.js";
import type { Schemas } from "../../../operations.js";
import type { UsedAmounts } from "../../../usage/cost.js";
import type { ModelKind, ProbeTools } from "../kind.js";
import { checkImageModel, editsOf } from "./checks.js";
import { resolveImageModel } from "./resolve.js";
import { type ImageFile, imageSettings } from "./settings.js";

/** Models that create and edit images. */
export const image = {
  type: "image",
  trait: "images",
  mainOperation: "createImage",
  example: { prompt: "a red fox in the snow" },

  settings: imageSettings,
  check: checkImageModel,
  supports: (model, operation) => imageOperationsOf(editsOf(model)).some((one) => one === operation),
  resolve: resolveImageModel,

  operationsOf: ({ profile }) => imageOperationsOf(profile),
  describe: ({ profile }) => ({ image: describeCapabilities(profile) }),
  describeForOperators: ({ fallback = null }) => ({ fallback }),

  withoutDetours: ({ fallback: _fallback, ...model }) => model,
  derive: () => ({}),
  readListed: ({ profile: { keepsCredentials } }, { profile }) =>
    profile === undefined ? {} : { profile: { ...profile, ...(keepsCredentials && { keepsCredentials }) } },

  probe: probeImage,
  probeCost: "A probe of an image model creates an image, which may cost money",
} satisfies ModelKind<ImageModel, ImageFile>;

function describeCapabilities(profile: ImageProfile): Schemas["ImageCapabilities"] {
  return {
    sizes: [...profile.sizes],
    qualities: [...profile.qualities],
    backgrounds: [...profile.backgrounds],
    output_formats: [...offeredFormats(profile)],
    response_formats: profile.responseFormats[0] === "url" ? ["url", "b64_json"] : ["b64_json", "url"],
    max_n: 10,
    edits: profile.edits,
    mask: profile.edits && profile.mask,
    markup: profile.edits && profile.markup,
    max_images: profile.edits ? profile.maxImages : 0,
    streaming: true,
    parameters: [...new Set([...profile.parameters, ...emulatedParameters])],
  };
}

const probePrompt = "A plain grey square.";

async function probeImage(model: ImageModel, { dispatcher, context }: ProbeTools): Promise<UsedAmounts> {
  const { result } = await dispatcher.dispatch({
    operation: "createImage",
    model,
    context,
    tokens: 0,
    request: () => ({ prompt: probePrompt }),
    accept: (reply, { price, isListPrice }) => {
      if (!("images" in reply) || reply.images.data.length === 0)
        throw new GatewayError("upstream_invalid_reply", "The upstream returned no image.");
      const { data, size, quality, usage, reportedUsd, computeSeconds } = reply.images;
      const variant = { ...(size && { size }), ...(quality && { quality }) };
      return usedBy({
        price,
        images: data.map(() => variant),
        ...withoutUndefined({ isListPrice, usage, reportedUsd, computeSeconds }),
      });
    },
  });
  return result;
}
