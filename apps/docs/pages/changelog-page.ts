import { html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import type { RenderMarkdown } from "../markdown/render-markdown.js";
import type { Page } from "../read-pages.js";

/** A version that was released: "## 1.1.0, 2027-01-31". */
const release = /^## \d/m;

/** The changelog of the repository, and what is true of its versions. */
export function drawChangelogPage({ title, markdown }: Page, render: RenderMarkdown): SitePage {
  const { body, headings } = render(markdown, (link) => link);
  const hint = release.test(markdown)
    ? html`<p>Before an upgrade, read <a href="../guides/upgrading/">Upgrading</a>.</p>`
    : html`<p><b>No version has been released yet.</b> Everything below is in the repository, and will be in the first release. <a href="../guides/upgrading/">Upgrading</a> has the notes for those who run it from the repository.</p>`;
  return {
    address: "changelog/",
    title,
    description: "Changes that users notice, newest first.",
    layout: "text",
    inOrder: true,
    headings,
    body: html`${hint}${body}`,
  };
}
