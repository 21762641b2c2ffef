import type { Page } from "./read-pages.js";

/**
 * The Markdown of a page as the site needs it. Redoc makes every Markdown heading a section of its own, with its own
 * place in the sidebar; as HTML, headings stay inside their page. Links from file to file become addresses in the site.
 */
export function siteMarkdown({ slug, markdown }: Pick<Page, "slug" | "markdown">): string {
  const parts = markdown.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith("```") ? part : siteProse(part, slug))).join("");
}

/** What a heading is called in a link: as GitHub does it, so that a link works there and here. */
export function headingAnchor(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return kept.trim().replace(/\s/g, "-");
}

function siteProse(text: string, slug: string): string {
  return text
    .replace(/^(#{2,4}) (.+)$/gm, (_, marks: string, heading: string) =>
      htmlHeading(heading, { marks, slug }),
    )
    .replace(/\]\((?:[\w./-]*?([\w-]+)\.md)?(?:#([\w-]+))?\)/g, (_, target = slug, anchor?: string) =>
      anchor ? `](#/${target}#${headingId(target, anchor)})` : `](#/${target})`,
    );
}

function htmlHeading(heading: string, { marks, slug }: { marks: string; slug: string }): string {
  const text = heading
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
  const name = `h${marks.length + 1}`;
  return `<${name} id="${headingId(slug, headingAnchor(heading))}">${text}</${name}>`;
}

/** All pages share one document, so that an id carries the name of its page. */
function headingId(slug: string, anchor: string): string {
  return `${slug}-${anchor}`;
}
