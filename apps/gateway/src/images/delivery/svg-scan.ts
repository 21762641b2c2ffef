const depthMax = 1000;
/** A byte takes three nanoseconds. */
const bytesPerStep = 64 * 1024;
const sizeAttributes: ReadonlySet<string> = new Set(["width", "height", "viewBox"]);
const sizeLengthMax = 200;
/** A document type has some hundred letters. */
const declarationLengthMax = 1000;
const byteOrderMark = "\xef\xbb\xbf";
const manifestElement = "c2pa:manifest";

const isSpace = byteTable((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
const isName = byteTable((byte) => /[\w.:-]/.test(String.fromCharCode(byte)));
const isAttributeName = byteTable((byte) => byte > 0x20 && !/[=<>"'/]/.test(String.fromCharCode(byte)));

function byteTable(test: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (test(byte) ? 1 : 0));
}

/** Attributes of the root element. */
export type Attributes = ReadonlyMap<string, string>;

/** Reads the markup of an XML document piece by piece. Its work grows with the text and no faster. */
export class SvgScan {
  readonly #bytes: Buffer;
  /** A letter for each byte: all markup is ASCII. */
  readonly #text: string;
  #at: number;
  readonly #open: string[] = [];
  #hasRoot = false;
  readonly #root = new Map<string, string>();
  /** The element whose start tag is read. */
  #tag: string | undefined;
  /** Whether a space has ended what comes before in the tag. */
  #isSpaced = false;
  /** The end of a comment or other part that is skipped. */
  #skippedTo: string | undefined;
  hasManifest = false;
  /** Whether the last piece took as long as thousands of others. */
  isLong = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#text = bytes.toString("latin1");
    this.#at = this.#text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  }

  /** Reads the next piece of markup. False at the end of the text. */
  readNext(): boolean {
    const start = this.#at;
    const isMore = this.#readPiece();
    this.isLong = this.#at - start > bytesPerStep / 2;
    return isMore;
  }

  /** The attributes of the root element, once the text has ended. */
  end(): Attributes {
    if (!this.#hasRoot || this.#open.length > 0) throw new Error("The SVG is truncated or empty.");
    return this.#root;
  }

  #readPiece(): boolean {
    if (this.#skippedTo !== undefined) this.#skipTo(this.#skippedTo);
    else if (this.#tag !== undefined) this.#readInTag(this.#tag);
    else if (this.#findMarkup()) this.#readMarkup();
    else return this.#at < this.#text.length;
    return true;
  }

  #readMarkup(): void {
    if (this.#startsWith("<!--")) this.#skippedTo = "-->";
    else if (this.#startsWith("<![CDATA[") && this.#open.length > 0) this.#skippedTo = "]]>";
    else if (this.#startsWith("<?")) this.#readInstruction();
    else if (this.#startsWith("<!")) this.#readDeclaration();
    else if (this.#startsWith("</")) this.#readEnd();
    else this.#readStart();
  }

  /** Goes to the next `<`. False at the end, and where there are more spaces than one piece has. */
  #findMarkup(): boolean {
    const text = this.#text;
    if (this.#open.length > 0) {
      const found = text.indexOf("<", this.#at);
      this.#at = found === -1 ? text.length : found;
      return found !== -1;
    }
    this.#at = this.#after(isSpace, this.#at);
    if (this.#at === text.length || this.#isAtSpace()) return false;
    if (text[this.#at] !== "<") throw new Error("The SVG has text outside its root element.");
    return true;
  }

  #readInstruction(): void {
    // A style sheet in XSLT can write scripts.
    if (/^<\?xml-stylesheet/i.test(this.#text.slice(this.#at, this.#at + 16)))
      throw new Error("The SVG has a style sheet instruction.");
    this.#skippedTo = "?>";
  }

  #readDeclaration(): void {
    const start = this.#at;
    this.#at = this.#find(">", start) + 1;
    const declaration = this.#text.slice(start, Math.min(this.#at, start + declarationLengthMax));
    // Entities can multiply to gigabytes.
    if (this.#hasRoot || !/^<!DOCTYPE\s[^[]*>$/i.test(declaration))
      throw new Error("The SVG has internal declarations.");
  }

  #readEnd(): void {
    const end = this.#after(isName, this.#at + 2);
    const name = this.#text.slice(this.#at + 2, end);
    this.#at = this.#after(isSpace, end);
    if (this.#text[this.#at] !== ">" || this.#open.pop() !== name)
      throw new Error("The SVG has a misplaced end tag.");
    this.#at += 1;
  }

  #readStart(): void {
    const end = this.#after(isName, this.#at + 1);
    const name = this.#text.slice(this.#at + 1, end);
    if (!/^[A-Za-z_]/.test(name)) throw new Error("The SVG has a damaged tag.");
    refuseActiveElement(name);
    this.hasManifest ||= name === manifestElement;
    this.#tag = name;
    this.#at = end;
  }

  /** Reads an attribute, or the end of the tag. */
  #readInTag(name: string): void {
    const start = this.#at;
    this.#at = this.#after(isSpace, start);
    this.#isSpaced ||= this.#at > start;
    if (this.#isAtSpace()) return;
    if (this.#startsWith(">")) this.#endTag(name, this.#at + 1);
    else if (this.#startsWith("/>")) this.#endTag(name, this.#at + 2);
    else if (this.#isSpaced) this.#readAttribute(this.#at);
    else throw new Error("The SVG has a damaged tag.");
    this.#isSpaced = false;
  }

  #readAttribute(start: number): void {
    const text = this.#text;
    const nameEnd = this.#after(isAttributeName, start);
    const equals = this.#after(isSpace, nameEnd);
    const quoteAt = this.#after(isSpace, equals + 1);
    const quote = text[quoteAt];
    if (nameEnd === start || text[equals] !== "=" || (quote !== '"' && quote !== "'"))
      throw new Error("The SVG has a damaged tag.");
    const end = this.#find(quote, quoteAt + 1);
    const [name, value] = [text.slice(start, nameEnd), text.slice(quoteAt + 1, end)];
    refuseActiveAttribute(name, value);
    if (this.#open.length === 0 && sizeAttributes.has(name))
      this.#root.set(name, value.slice(0, sizeLengthMax));
    this.#at = end + 1;
  }

  #endTag(name: string, end: number): void {
    const isEmpty = this.#text[end - 2] === "/";
    if (this.#open.length === 0) {
      if (name !== "svg" || this.#hasRoot || isEmpty) throw new Error("The data is not one SVG element.");
      this.#hasRoot = true;
    }
    if (!isEmpty) this.#open.push(name);
    if (this.#open.length > depthMax) throw new Error("The SVG is nested too deeply.");
    this.#tag = undefined;
    this.#at = end;
  }

  #startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** Looks for the end of a part that is skipped, in the next bytes only. */
  #skipTo(end: string): void {
    const found = this.#text.slice(this.#at, this.#at + bytesPerStep).indexOf(end);
    if (found !== -1) this.#skippedTo = undefined;
    else if (this.#at + bytesPerStep >= this.#text.length) throw new Error("The SVG is truncated.");
    this.#at += found === -1 ? bytesPerStep - end.length + 1 : found + end.length;
  }

  /** The position of a character. */
  #find(character: string, from: number): number {
    const found = this.#text.indexOf(character, from);
    if (found === -1) throw new Error("The SVG is truncated.");
    return found;
  }

  #isAtSpace(): boolean {
    return isSpace[this.#bytes[this.#at] ?? 0] === 1;
  }

  /**
   * The position after all bytes of a class, or after as many as one piece has: no name is so long. A loop over the text
   * takes several times as long.
   */
  #after(isInClass: Uint8Array, from: number): number {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, from + bytesPerStep);
    let at = from;
    while (at < end && isInClass[bytes[at] ?? 0] === 1) at += 1;
    return at;
  }
}

/** Browsers ignore the case of names when an SVG is part of a page. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

const activeElements: ReadonlySet<string> = new Set(["script", "foreignobject", "handler"]);

function refuseActiveElement(name: string): void {
  const local = localName(name);
  if (activeElements.has(local)) throw new Error(`The SVG has a ${local} element.`);
}

function refuseActiveAttribute(name: string, value: string): void {
  const local = localName(name);
  if (local.startsWith("on")) throw new Error("The SVG has an event handler.");
  if (local === "href" && hasScriptScheme(value)) throw new Error("The SVG has a script link.");
}

/** Browsers skip controls and spaces before a scheme. */
function hasScriptScheme(url: string): boolean {
  const at = Math.max(0, url.search(/[^\0-\x20]/));
  return url.slice(at, at + "javascript:".length).toLowerCase() === "javascript:";
}
