import { z } from "zod";

const field = z.string().regex(/^\w{1,64}$/, "must be the name of a field");
const imagesMax = 16;

/** The names of a hosted model's fields, which differ from model to model. */
export const fieldMapSchema = z
  .strictObject({
    size: z
      .enum(["aspect_ratio", "width_height", "image_size", "size"])
      .optional()
      .describe(
        "How a size is sent: as aspect_ratio, as width and height, as image_size with width and height, or as the text in size. Absent: the model takes no size.",
      ),
    n: field.optional().describe("The field for the number of images. Absent: one call creates one image."),
    maxN: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe("Maximum images of one call, where there is a field for it."),
    image: field.optional().describe("The field of the image to edit. Absent: the model edits no images."),
    maxImages: z
      .int()
      .min(1)
      .max(imagesMax)
      .optional()
      .describe("Maximum images of one edit. If it is set, the field of the image takes a list."),
    mask: field.optional().describe("The field of the mask, in which white pixels are edited."),
    onlyEdits: z
      .boolean()
      .default(false)
      .describe("Whether the model needs an image, so that it only edits."),
    seed: field.optional().describe("The field of the seed."),
    negativePrompt: field.optional().describe("The field of the negative prompt."),
    outputFormat: field.optional().describe("The field of the format."),
    outputFormats: z
      .partialRecord(z.enum(["png", "jpeg", "webp"]), z.string().min(1))
      .default({ png: "png" })
      .describe(
        "The model's words for the formats that it can create, such as jpeg: jpg. The first is the default.",
      ),
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .describe("Fields that are sent with every request, such as { go_fast: true }."),
  })
  .refine(({ onlyEdits, image }) => !onlyEdits || image !== undefined, {
    path: ["onlyEdits"],
    message: "needs image, the field of the image to edit",
  });

export type FieldMap = z.output<typeof fieldMapSchema>;
