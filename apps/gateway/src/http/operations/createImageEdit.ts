import type { ImageInput } from "../../domain/image-input.js";
import { GatewayError } from "../../errors.js";
import type { ReadLinks } from "../../images/fetch/read-links.js";
import type { RequestBody } from "../../operations.js";
import { type Handler, type ValidRequest, withoutNulls } from "../handler.js";
import { type ImageHandlerServices, imageJob, imagesResponse } from "./createImage.js";

/** @param readLinks Reads the images that a JSON body names by URL. */
export function createImageEdit(
  { catalog, images: service }: ImageHandlerServices,
  readLinks: ReadLinks,
): Handler<"createImageEdit"> {
  return async (valid) => {
    const { model, ...options } = withoutNulls(scalars(valid.body));
    const { images, mask } = await readImages(valid, readLinks);
    const [first, ...others] = images;
    if (first === undefined) {
      throw new GatewayError("missing_required_parameter", "Missing required parameter: 'image'.", {
        param: "image",
      });
    }
    const request = {
      ...options,
      images: [first, ...others] as const,
      ...(mask === undefined ? {} : { mask }),
    };
    const job = imageJob("createImageEdit", { modelId: model, request, valid, catalog });
    return imagesResponse(await service.create(job));
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

/** The images of a form are files; those of a JSON body are data URLs or links. */
async function readImages(
  { body, images: files, context: { signal } }: ValidRequest<"createImageEdit">,
  readLinks: ReadLinks,
): Promise<{ images: readonly ImageInput[]; mask?: ImageInput }> {
  if (files !== undefined) return files;
  if (!("images" in body)) throw new Error("A form reached its handler without its files.");
  const links = body.images.map(({ image_url: url }, index) => ({
    url,
    param: `images[${index}].image_url`,
  }));
  const maskLinks = body.mask === undefined ? [] : [{ url: body.mask.image_url, param: "mask.image_url" }];
  const read = await readLinks([...links, ...maskLinks], signal);
  const mask = read[links.length];
  return { images: read.slice(0, links.length), ...(mask === undefined ? {} : { mask }) };
}
