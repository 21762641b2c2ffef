import type { Page } from "./read-pages.js";

/**
 * Converts the Markdown of a page for the site. Redoc turns every Markdown heading into a section with an entry in the
 * sidebar; HTML headings stay inside their page. Links between files become addresses in the site.
 */
export function siteMarkdown({ slug, markdown }: Pick<Page, "slug" | "markdown">): string {
  const parts = markdown.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part) => (part.startsWith("```") ? part : siteProse(part, slug))).join("");
}

/** The anchor of a heading. It is the same as GitHub's, so a link works in both places. */
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

/** All pages share one HTML document, so an id begins with the slug of its page. */
function headingId(slug: string, anchor: string): string {
  return `${slug}-${anchor}`;
}
