import { GatewayError } from "@model-gateway/domain/errors";
import { type ImageProfile, offeredFormats } from "@model-gateway/domain/image-profile";
import type { ImageModel } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { usedBy } from "../../images/cost.js";
import { emulatedParameters } from "../../images/options/plan.js";
import type { UsedAmounts } from "../../usage/cost.js";
import type { ProbeTools, ServedKind } from "./served-kind.js";

export const servedImage: ServedKind<ImageModel> = {
  describe: ({ profile }) => ({ image: describeCapabilities(profile) }),
  describeForOperators: ({ fallback = null }) => ({ fallback }),
  probe: probeImage,
  probeCost: "A probe of an image model creates an image, which may cost money",
};

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
