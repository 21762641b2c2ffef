import { type HtmlElement, type HtmlNode, parseHtml } from "./parse-html.js";

/** Writes the body of a drawn page as Markdown. An element that it does not know is an error. */
export function toMarkdown(html: string, link: (href: string) => string): string {
  return new Writer(link).blocks(parseHtml(html)).join("\n\n");
}

/** Elements that only group others. */
const groups = new Set(["div", "section", "aside", "figure", "figcaption", "article"]);
/** Forms and navigation are for the browser. */
const leftOut = new Set(["nav", "form", "fieldset", "button"]);
const inlines = new Set([
  "a",
  "b",
  "strong",
  "em",
  "i",
  "code",
  "span",
  "time",
  "br",
  "wbr",
  "img",
  "kbd",
  "label",
  "input",
]);

class Writer {
  constructor(readonly link: (href: string) => string) {}

  blocks(nodes: readonly HtmlNode[]): string[] {
    const blocks: string[] = [];
    let line: HtmlNode[] = [];
    const endLine = () => {
      const text = this.inline(line).trim();
      if (text !== "") blocks.push(text);
      line = [];
    };
    for (const node of nodes) {
      if (typeof node === "string" || inlines.has(node.tag)) line.push(node);
      else {
        endLine();
        blocks.push(...this.block(node));
      }
    }
    endLine();
    return blocks;
  }

  block(element: HtmlElement): string[] {
    const { tag, attributes, children } = element;
    const names = attributes.class?.split(" ") ?? [];
    if (tag === "svg") return this.drawing(element);
    if (leftOut.has(tag) || "hidden" in attributes || names.includes("try")) return [];
    if (names.includes("tabs")) return this.tabs(element);
    if (tag === "pre") return [this.fence(element)];
    if (groups.has(tag)) return this.blocks(children);
    if (/^h[1-6]$/.test(tag)) return [`${"#".repeat(Number(tag[1]))} ${this.inline(children).trim()}`];
    if (tag === "p" || tag === "summary") return this.blocks(children);
    if (names.includes("evidence")) return [`(${this.blocks(children.slice(1)).join(" ")})`];
    if (tag === "details") return this.blocks(children);
    if (tag === "ul" || tag === "ol") return [this.list(element)];
    if (tag === "dl") return this.terms(element);
    if (tag === "table") return [this.table(element)];
    if (tag === "blockquote") return [this.blocks(children).join("\n\n").replace(/^/gm, "> ")];
    if (tag === "hr") return ["---"];
    throw new Error(`<${tag}> has no form in Markdown here.`);
  }

  /** Each panel below its title. */
  tabs({ children }: HtmlElement): string[] {
    const titles = elementsIn(children, "label").map(({ children: inner }) => this.inline(inner).trim());
    const panels = children.filter((node) => typeof node !== "string" && node.attributes.class === "panel");
    return panels.flatMap((panel, index) => [`${titles[index]}:`, ...this.blocks([panel])]);
  }

  /** The words of a diagram, which is drawn once for each width. Charts have a table beside them. */
  drawing({ attributes, children }: HtmlElement): string[] {
    const [about] = elementsIn(children, "desc");
    return about === undefined || attributes.class !== "wide" ? [] : [textOf(about)];
  }

  fence(pre: HtmlElement): string {
    const [code] = elementsIn(pre.children, "code");
    const language = code?.attributes.class?.replace("language-", "") ?? "";
    return `\`\`\`${language === "text" ? "" : language}\n${textOf(pre).trimEnd()}\n\`\`\``;
  }

  list({ tag, children }: HtmlElement): string {
    return elementsIn(children, "li")
      .map(({ children: inner }, index) => {
        const mark = tag === "ol" ? `${index + 1}. ` : "- ";
        const text = this.blocks(inner).join("\n").replace(/\n```/g, "\n\n```");
        return mark + text.replace(/\n(?!\n)/g, `\n${" ".repeat(mark.length)}`);
      })
      .join("\n");
  }

  terms({ children }: HtmlElement): string[] {
    const [terms, texts] = [elementsIn(children, "dt"), elementsIn(children, "dd")];
    return terms.map(
      (term, index) => `**${textOf(term)}**: ${this.blocks(texts[index]?.children ?? []).join("\n\n")}`,
    );
  }

  table({ children }: HtmlElement): string {
    const rows = elementsIn(children, "tr").map((row) =>
      row.children
        .filter((cell): cell is HtmlElement => typeof cell !== "string")
        .map((cell) => this.blocks(cell.children).join(" ").replaceAll("|", "\\|").replace(/\s+/g, " ")),
    );
    const [head = [], ...rest] = rows.map((cells) => `| ${cells.join(" | ")} |`);
    return [head, `|${" --- |".repeat(rows[0]?.length ?? 0)}`, ...rest].join("\n");
  }

  inline(nodes: readonly HtmlNode[]): string {
    return nodes
      .map((node) => this.inlineNode(node))
      .join("")
      .replace(/\s+/g, " ");
  }

  inlineNode(node: HtmlNode): string {
    if (typeof node === "string") return node;
    const { tag, attributes, children } = node;
    if ("hidden" in attributes || attributes["aria-hidden"] === "true" || tag === "input") return "";
    if (tag === "code") return `\`${textOf(node)}\``;
    if (tag === "br") return " ";
    if (tag === "wbr") return "";
    if (tag === "img") return `![${attributes.alt ?? ""}](${this.link(attributes.src ?? "")})`;
    const text = this.inline(children);
    if (tag === "a") return `[${text.trim()}](${this.link(attributes.href ?? "")})`;
    if (tag === "b" || tag === "strong") return `**${text.trim()}**`;
    if (attributes.class === "required") return `**${text}**`;
    if (attributes.class === "note") return `: ${text}`;
    return tag === "em" ? `*${text}*` : text;
  }
}

/** The elements with a tag, in the order of the page. Those inside a found one are not looked for. */
function elementsIn(nodes: readonly HtmlNode[], tag: string): HtmlElement[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tag === tag ? [node] : elementsIn(node.children, tag);
  });
}

function textOf(node: HtmlNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}
