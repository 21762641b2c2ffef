export { describeImage, type ImageDescription, UnreadableImageError } from "./image/image-file.js";
export { type PreviewOptions, previewImage } from "./image/preview.js";
export type { ImageFormat, SketchEdit, SketchOptions } from "./sketch-options.js";
export { createSketcher, type Sketcher } from "./sketcher.js";
