import path from "node:path";
import { rootOf } from "../frame/page-frame.js";
import { addressOfFile } from "../menu.js";
import type { ResolveLink } from "./render-markdown.js";

const ownAddress = "http://127.0.0.1:8080/docs/";
const consoleAddress = "http://127.0.0.1:8080/console/";

/** Links between Markdown files become relative site addresses, and image links point to the copied images. */
export function siteLinks(file: string): ResolveLink {
  const root = rootOf(addressOfFile(file));
  return (link) => {
    // The public site's address in a file. In the site it becomes a relative link.
    if (link.startsWith(ownAddress)) return root + link.slice(ownAddress.length);
    if (link.startsWith(consoleAddress)) return `${root}../console/${link.slice(consoleAddress.length)}`;
    if (/^(https?:|mailto:|#)/.test(link)) return link;
    const [target = "", anchor] = link.split("#");
    const found = path.posix.join(path.posix.dirname(file), target);
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    if (found.endsWith(".md")) return `${root}${addressOfFile(found)}${suffix}`;
    const image = /(?:^|\/)images\/([\w.-]+)$/.exec(found)?.[1];
    if (image !== undefined) return `${root}images/${image}`;
    return `${root}${found}${suffix}`;
  };
}
