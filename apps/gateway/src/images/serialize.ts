import type { ImageBytes } from "@model-gateway/domain/image-bytes";
import type { ImagesDocument } from "@model-gateway/domain/requests";

/** Text in pieces, and its length. The pieces of an image are those it arrived in: nothing is copied. */
export interface SerializedImages {
  readonly chunks: readonly (string | Buffer)[];
  readonly bytes: number;
}

/** Writes the spec's ImagesResponse. JSON.stringify would look at every letter of an image. */
export function serializeImages({ data, ...fields }: ImagesDocument): SerializedImages {
  const chunks: (string | Buffer)[] = [`${JSON.stringify(fields).slice(0, -1)},"data":[`];
  for (const [index, image] of data.entries()) {
    if (index > 0) chunks.push(",");
    addObject(chunks, image);
  }
  chunks.push("]}");
  return withLength(chunks);
}

/** Writes an event of a stream. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function serializeEvent(event: {
  readonly type: string;
  readonly b64_json?: ImageBytes;
}): SerializedImages {
  const chunks: (string | Buffer)[] = [`event: ${event.type}\ndata: `];
  addObject(chunks, event);
  chunks.push("\n\n");
  return withLength(chunks);
}

function addObject(
  chunks: (string | Buffer)[],
  { b64_json: image, ...fields }: { readonly b64_json?: ImageBytes },
): void {
  const text = JSON.stringify(fields);
  if (image === undefined) {
    chunks.push(text);
    return;
  }
  chunks.push('{"b64_json":"', ...image.toBase64(), text === "{}" ? '"}' : `",${text.slice(1)}`);
}

function withLength(chunks: readonly (string | Buffer)[]): SerializedImages {
  const bytes = chunks.reduce(
    (sum, chunk) => sum + (typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length),
    0,
  );
  return { chunks, bytes };
}
