import { isUtf8 } from "node:buffer";

/** The text is scanned on the event loop, so it must be small. An image of shapes is. */
export const svgBytesMax = 8 * 1024 * 1024;
const depthMax = 1000;

/** Undefined where the image declares no size. */
export interface SvgMetadata {
  readonly width?: number;
  readonly height?: number;
}

/**
 * Checks that a text is one whole SVG element without scripts. Throws an error that says why it is not.
 *
 * This finds truncated and mislabelled images, and the plain ways to hide a program in one. It is not a sanitizer: a
 * page that shows an SVG must still treat it as untrusted.
 */
export function inspectSvg(content: Buffer): SvgMetadata {
  if (content.length > svgBytesMax) throw new Error(`The SVG has more than ${svgBytesMax} bytes.`);
  if (!isUtf8(content)) throw new Error("The SVG is not UTF-8.");
  const scan = new SvgScan(content.toString("utf8").replace(/^\uFEFF/, ""));
  while (scan.readNext());
  return sizeOf(scan.end());
}

type Attributes = ReadonlyMap<string, string>;

const elementStart = /<([A-Za-z_][\w.:-]*)/y;
const elementEnd = /<\/([A-Za-z_][\w.:-]*)\s*>/y;
const attributeStart = /\s+([^\s=<>"'/]+)\s*=\s*(["'])/y;
const startTagEnd = /\s*(\/?)>/y;

/** Reads the markup of an XML document from one `<` to the next. Its work grows with the text and no faster. */
class SvgScan {
  readonly #text: string;
  #at = 0;
  readonly #open: string[] = [];
  #root: Attributes | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next piece of markup. False at the end of the text. */
  readNext(): boolean {
    const start = this.#text.indexOf("<", this.#at);
    const isOutside = this.#open.length === 0;
    const between = isOutside ? this.#text.slice(this.#at, start === -1 ? undefined : start) : "";
    if (between.trim() !== "") throw new Error("The SVG has text outside its root element.");
    if (start === -1) return false;
    this.#at = start;
    if (this.#startsWith("<!--")) this.#skipTo("-->");
    else if (this.#startsWith("<![CDATA[") && !isOutside) this.#skipTo("]]>");
    else if (this.#startsWith("<?")) this.#readInstruction();
    else if (this.#startsWith("<!")) this.#readDeclaration();
    else if (this.#startsWith("</")) this.#readEnd();
    else this.#readStart();
    return true;
  }

  /** The attributes of the root element, once the text has ended. */
  end(): Attributes {
    if (this.#root === undefined || this.#open.length > 0) throw new Error("The SVG is truncated or empty.");
    return this.#root;
  }

  #readInstruction(): void {
    // A style sheet in XSLT can write scripts.
    if (/^<\?xml-stylesheet/i.test(this.#text.slice(this.#at, this.#at + 16)))
      throw new Error("The SVG has a style sheet instruction.");
    this.#skipTo("?>");
  }

  #readDeclaration(): void {
    const start = this.#at;
    this.#skipTo(">");
    const declaration = this.#text.slice(start, this.#at);
    // Entities can multiply to gigabytes.
    if (this.#root !== undefined || !/^<!DOCTYPE\s[^[]*$/i.test(declaration))
      throw new Error("The SVG has internal declarations.");
  }

  #readEnd(): void {
    const [, name] = this.#match(elementEnd) ?? [];
    if (name === undefined || this.#open.pop() !== name) throw new Error("The SVG has a misplaced end tag.");
  }

  #readStart(): void {
    const [, name] = this.#match(elementStart) ?? [];
    if (name === undefined) throw new Error("The SVG has a damaged tag.");
    refuseActiveElement(name);
    const attributes = this.#readAttributes();
    const [, slash] = this.#match(startTagEnd) ?? [];
    if (slash === undefined) throw new Error("The SVG has a damaged tag.");
    if (this.#open.length === 0) {
      if (name !== "svg" || this.#root !== undefined || slash === "/")
        throw new Error("The data is not one SVG element.");
      this.#root = attributes;
    }
    if (slash === "") this.#open.push(name);
    if (this.#open.length > depthMax) throw new Error("The SVG is nested too deeply.");
  }

  #readAttributes(): Attributes {
    const attributes = new Map<string, string>();
    for (let found = this.#match(attributeStart); found !== undefined; found = this.#match(attributeStart)) {
      const [, name = "", quote = '"'] = found;
      const start = this.#at;
      this.#skipTo(quote);
      const value = this.#text.slice(start, this.#at - 1);
      refuseActiveAttribute(name, value);
      attributes.set(name, value);
    }
    return attributes;
  }

  #startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at);
    if (found === -1) throw new Error("The SVG is truncated.");
    this.#at = found + end.length;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}

/** Browsers ignore the case of names when an SVG is part of a page. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

function refuseActiveElement(name: string): void {
  if (["script", "foreignobject", "handler"].includes(localName(name)))
    throw new Error(`The SVG has a ${localName(name)} element.`);
}

function refuseActiveAttribute(name: string, value: string): void {
  const local = localName(name);
  if (local.startsWith("on")) throw new Error("The SVG has an event handler.");
  if (local === "href" && /^\s*javascript:/i.test(value)) throw new Error("The SVG has a script link.");
}

/** In pixels: the root element's width and height, or else those of its view box. */
function sizeOf(root: Attributes): SvgMetadata {
  const pixels = (text = "") => Math.round(Number(/^(\d{1,5}(?:\.\d{1,9})?)(?:px)?$/.exec(text.trim())?.[1]));
  const [, , boxWidth, boxHeight] = (root.get("viewBox") ?? "")
    .trim()
    .slice(0, 200)
    .split(/[\s,]+/);
  const ownSize = [pixels(root.get("width")), pixels(root.get("height"))];
  const boxSize = [pixels(boxWidth), pixels(boxHeight)];
  const [width, height] = [ownSize, boxSize].find((size) => size.every((side) => side > 0)) ?? [];
  return width === undefined || height === undefined ? {} : { width, height };
}
