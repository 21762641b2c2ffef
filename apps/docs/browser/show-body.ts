import { element } from "./elements.js";

/** A vector or an image as text is too long to read. */
const stringLettersMax = 160;
const arrayItemsMax = 12;
const textLettersMax = 200_000;
const imageTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** Shows the body of a response as it arrives: JSON, events one by one, an image, or text. */
export async function showBody(response: Response, place: HTMLElement): Promise<void> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  if (imageTypes.has(type)) return showImage(await response.blob(), place);
  if (type === "text/event-stream") return showEvents(response, place);
  const text = await response.text();
  if (type !== "application/json") return showText(text.slice(0, textLettersMax), place);
  const value: unknown = JSON.parse(text);
  for (const image of imagesIn(value)) showImage(image, place);
  showText(JSON.stringify(value, shorten, 2), place);
}

function showText(text: string, place: HTMLElement): void {
  place.append(
    element("div", { class: "code" }, element("pre", { tabindex: "0" }, element("code", {}, text))),
  );
}

function showImage(image: Blob, place: HTMLElement): void {
  const address = URL.createObjectURL(image);
  const shown = element("img", { src: address, alt: "The image that the gateway returned" });
  shown.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
  place.append(shown);
}

/** Each partial image takes the place of the one before it. */
async function showEvents(response: Response, place: HTMLElement): Promise<void> {
  const log = element("div");
  const latest = element("div");
  place.append(latest, log);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) return;
    const parts = (rest + read.value).split(/\r?\n\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) showEvent(part, { log, latest });
  }
}

function showEvent(text: string, { log, latest }: { log: HTMLElement; latest: HTMLElement }): void {
  const line = /^data: ?(.*)$/m.exec(text)?.[1];
  if (line === undefined) return;
  const value: unknown = JSON.parse(line);
  showText(JSON.stringify(value, shorten, 2), log);
  const [image] = imagesIn(value);
  if (image === undefined) return;
  latest.replaceChildren();
  showImage(image, latest);
}

/**
 * The `b64_json` images in a response or event, recognized by their first bytes. SVG is not shown: it could hold a
 * script.
 */
function imagesIn(value: unknown): Blob[] {
  const { data, b64_json } = (value ?? {}) as { data?: unknown; b64_json?: unknown };
  const texts = [
    b64_json,
    ...(Array.isArray(data) ? data.map((item) => (item as { b64_json?: unknown })?.b64_json) : []),
  ];
  return texts.filter((text) => typeof text === "string").flatMap((text) => toImage(text));
}

const signatures = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["UklGR", "image/webp"],
  ["R0lGO", "image/gif"],
] as const;

function toImage(base64: string): Blob[] {
  const type = signatures.find(([start]) => base64.startsWith(start))?.[1];
  if (type === undefined) return [];
  return [new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type })];
}

function shorten(_: string, value: unknown): unknown {
  if (typeof value === "string" && value.length > stringLettersMax)
    return `${value.slice(0, stringLettersMax)}… (${value.length.toLocaleString("en")} letters)`;
  if (Array.isArray(value) && value.length > arrayItemsMax && typeof value[0] === "number")
    return [...value.slice(0, 6), `… (${value.length.toLocaleString("en")} numbers)`];
  return value;
}
