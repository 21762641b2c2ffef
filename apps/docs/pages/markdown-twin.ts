import type { SitePage } from "../frame/page-frame.js";
import { toMarkdown } from "../markdown/to-markdown.js";
import { relink, twinLink } from "../markdown/twin-links.js";

/**
 * The page as Markdown, for programs that read text. A text page is its source; a page that was drawn from the spec is
 * written back. Links lead to other twins.
 */
export function drawTwin({ address, title, layout, source, body }: SitePage): string {
  const link = (href: string) => twinLink(address, href);
  const text =
    source === undefined
      ? toMarkdown(body.text, link)
      : relink(source.markdown, (href) => link(source.resolveLink(href)));
  const hasTitle = layout === "home" || layout === "operation";
  return `${hasTitle ? "" : `# ${title}\n\n`}${text.trim()}\n`;
}
