/** An element of a page. Text is a string, with its entities decoded. */
export interface HtmlElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
}
export type HtmlNode = HtmlElement | string;

const empty = new Set(["img", "input", "br", "wbr", "hr", "rect", "line", "path", "circle"]);
const part = /<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*")*?)(\/?)>|([^<]+)/gy;

/** Parses the HTML that the templates and markdown-it write. An element that is not closed is an error. */
export function parseHtml(html: string): HtmlNode[] {
  const root: HtmlElement = { tag: "", attributes: {}, children: [] };
  const open = [root];
  part.lastIndex = 0;
  while (part.lastIndex < html.length) {
    const at = part.lastIndex;
    const match = part.exec(html);
    const current = open.at(-1);
    if (match === null || current === undefined)
      throw new Error(`This is not HTML of ours: ${html.slice(at, at + 80)}`);
    const [, closing, tag = "", attributes = "", selfClosing, text] = match;
    if (text !== undefined) current.children.push(decode(text));
    else if (closing === "/") {
      if (current.tag !== tag) throw new Error(`</${tag}> closes <${current.tag}>.`);
      open.pop();
    } else {
      const element = { tag, attributes: attributesOf(attributes), children: [] };
      current.children.push(element);
      if (selfClosing !== "/" && !empty.has(tag)) open.push(element);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag}> is not closed.`);
  return root.children;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [name, decode(value)]),
  );
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

function decode(text: string): string {
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? "");
}
