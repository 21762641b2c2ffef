import type { Picture } from "../../domain/picture.js";
import { GatewayError } from "../../errors.js";
import { readDataUrl } from "../../images/data-url.js";
import type { RequestBody } from "../../operations.js";
import type { Relay } from "../../relay.js";
import { errand } from "./errand.js";
import type { Handler, ValidRequest } from "./handler.js";
import { withoutNulls } from "./without-nulls.js";

export function createImageEdit(relay: Relay): Handler<"createImageEdit"> {
  return async (request) => {
    const { model, ...options } = withoutNulls(scalars(request.body));
    const { images, mask } = pictures(request);
    const [first, ...others] = images;
    if (first === undefined) {
      throw new GatewayError("missing_required_parameter", "Missing required parameter: 'image'.", {
        param: "image",
      });
    }
    const edit = { ...options, images: [first, ...others] as const, ...(mask === undefined ? {} : { mask }) };
    const answer = await relay.createImageEdit(edit, errand(model, request.context));
    return "events" in answer ? answer : { body: answer.images };
  };
}

type EditBody = RequestBody<"createImageEdit">;
type Scalars<T> = T extends unknown ? Omit<T, "image" | "images" | "mask"> : never;

function scalars(body: EditBody): Scalars<EditBody> {
  const {
    image: _image,
    images: _images,
    mask: _mask,
    ...rest
  } = { image: undefined, images: undefined, ...body };
  return rest;
}

/** The pictures of a form are files; those of a JSON body are data URLs. */
function pictures({ body, pictures: files }: ValidRequest<"createImageEdit">): {
  images: readonly Picture[];
  mask?: Picture;
} {
  if (files !== undefined) return files;
  if (!("images" in body)) throw new Error("A form reached its handler without its files.");
  const images = body.images.map(({ image_url }, index) =>
    readDataUrl(image_url, `images[${index}].image_url`),
  );
  return body.mask === undefined
    ? { images }
    : { images, mask: readDataUrl(body.mask.image_url, "mask.image_url") };
}
