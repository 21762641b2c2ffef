import { expect, test } from "vitest";
import { describeOptions } from "./image-result.js";

test("options are described in a few words", () => {
  const source = { blob: new Blob(), url: "", width: 1, height: 1 };
  const stroke = { kind: "rectangle", from: { x: 0, y: 0 }, to: { x: 1, y: 1 } } as const;
  const sent = { size: "512x512", output_format: "webp", n: 2, response_format: "b64_json" };

  expect(describeOptions({ sent, edit: undefined })).toBe("size 512x512, format webp, 2 images");
  expect(describeOptions({ sent: {}, edit: undefined })).toBe("default");
  expect(describeOptions({ sent: {}, edit: { source, strokes: [] } })).toBe("edit of the whole image");
  expect(describeOptions({ sent: {}, edit: { source, strokes: [stroke] } })).toBe("edit with a mask");
});
