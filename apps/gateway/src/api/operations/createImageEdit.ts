import { errorOf } from "@model-gateway/domain/errors";
import type { RequestBody } from "@model-gateway/domain/operations";
import { type EditImages, overlayNames } from "@model-gateway/domain/requests";
import { type Handler, type ValidRequest, withoutNulls } from "../../execution/handler.js";
import type { ReadLinks } from "../../images/fetch/read-links.js";
import { createJob, jobAccepted, prefersJob } from "../accept-job.js";
import {
  type AuthorizedJob,
  type ImageHandlerServices,
  imageJob,
  imagesResponse,
  passed,
} from "./createImage.js";

export interface ImageEditHandlerServices extends ImageHandlerServices {
  /** Reads the images that a JSON body names by URL. */
  readonly readLinks: ReadLinks;
}

export function createImageEdit(services: ImageEditHandlerServices): Handler<"createImageEdit"> {
  return async (valid) => {
    const job = await imageEditRequest(valid, services);
    if (prefersJob(valid)) return jobAccepted(await createJob(job, valid, services));
    return imagesResponse(await services.images.create(job));
  };
}

/** A valid request's job, whether it runs now or later. */
export async function imageEditRequest(
  valid: ValidRequest<"createImageEdit">,
  { catalog, readLinks }: Pick<ImageEditHandlerServices, "catalog" | "readLinks">,
): Promise<AuthorizedJob<"createImageEdit">> {
  const { model: modelId, ...options } = withoutNulls(scalars(valid.body));
  // Before links are read: a caller without access to the model makes the gateway fetch nothing.
  const job = imageJob("createImageEdit", { modelId, valid, catalog });
  const extras = passed(valid, job);
  const { images, ...overlays } = await readImages(valid, readLinks);
  const [first, ...others] = images;
  if (first === undefined) throw errorOf("missing_required_parameter", { param: "image" });
  const request = {
    ...options,
    ...extras,
    images: [first, ...others] as const,
    ...overlays,
  };
  return { ...job, request };
}

type EditBody = RequestBody<"createImageEdit">;
type Scalars<T> = T extends unknown ? Omit<T, "image" | "images" | "mask" | "markup"> : never;

function scalars(body: EditBody): Scalars<EditBody> {
  const {
    image: _image,
    images: _images,
    mask: _mask,
    markup: _markup,
    ...rest
  } = { image: undefined, images: undefined, ...body };
  return rest;
}

/** A form's images are files; a JSON body's are data URLs or links. */
async function readImages(
  { body, images: files, context: { signal } }: ValidRequest<"createImageEdit">,
  readLinks: ReadLinks,
): Promise<EditImages> {
  if (files !== undefined) return files;
  if (!("images" in body)) throw new Error("A form reached its handler without its files.");
  const links = body.images.map(({ image_url: url }, index) => ({
    url,
    param: `images[${index}].image_url`,
  }));
  const overlays = overlayNames.flatMap((name) => {
    const url = body[name]?.image_url;
    return url === undefined ? [] : [{ name, url, param: `${name}.image_url` }];
  });
  const read = await readLinks([...links, ...overlays], signal);
  return {
    images: read.slice(0, links.length),
    ...Object.fromEntries(overlays.map(({ name }, index) => [name, read[links.length + index]])),
  };
}
