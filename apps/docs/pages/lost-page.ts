import { html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";

/** For an address that does not exist. A script puts the search into it, with the words of the address. */
export const lostPage: SitePage = {
  address: "404.html",
  title: "No such page",
  description: "The docs have no page at this address.",
  layout: "text",
  body: html`<p class="lead">The docs have no page at this address. It may have moved.</p>
<div id="find" hidden></div>
<h2 id="begin">Where to begin</h2>
<ul><li><a href="/docs/">Overview</a></li><li><a href="/docs/guides/quick-start/">Quick start</a></li><li><a href="/docs/guides/configuration/">Configuration</a></li><li><a href="/docs/reference/">All operations</a></li><li><a href="/docs/errors/">Errors, by status and code</a></li><li><a href="/docs/guides/troubleshooting/">Troubleshooting</a></li></ul>`,
};
