import path from "node:path";
import { redocAddress } from "../menu.js";
import { consoleLink } from "./console-link.js";

/** The address of a page as Markdown: "guides/deploy/" is also at "guides/deploy.md", and home at "index.md". */
export function twinOf(address: string): string {
  return address === "" ? "index.md" : `${address.slice(0, -1)}.md`;
}

/** A link of a page, for its twin: it leads to the twin of the other page, or to the same file. */
export function twinLink(address: string, href: string): string {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const inConsole = consoleLink.exec(href)?.[1];
  if (inConsole !== undefined)
    return `${"../".repeat(twinOf(address).split("/").length)}console/${inConsole}`;
  const { pathname, hash } = new URL(href, `http://site/${address}`);
  const target = decodeURIComponent(pathname.slice(1));
  const isPage = (target === "" || target.endsWith("/")) && target !== redocAddress;
  const found = isPage ? twinOf(target) : target;
  const way = path.posix.relative(path.posix.dirname(twinOf(address)), found);
  return `${way}${found.endsWith("/") ? "/" : ""}${hash}`;
}

/** Markdown with each link and image outside of code replaced. */
export function relink(markdown: string, link: (href: string) => string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```$|`[^`\n]+`)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${link(href)})`),
    )
    .join("");
}
