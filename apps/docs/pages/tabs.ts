import { type Html, html, trustedHtml } from "../frame/html.js";

export interface Tabs {
  /** One group of a page has this name. The choice is kept for other pages. */
  readonly name: string;
  readonly legend: string;
  readonly tabs: readonly { readonly title: string; readonly body: Html }[];
}

/** Tabs that need no script: radio buttons, and a style that shows the panel of the one that is checked. */
export function drawTabs({ name, legend, tabs }: Tabs): Html {
  if (tabs.length === 1) return html`${tabs[0]?.body}`;
  return html`<div class="tabs" data-tabs="${name}"><fieldset><legend>${legend}</legend>${tabs.map(
    ({ title }, index) =>
      html`<label><input type="radio" name="${name}" value="${title}"${index === 0 && trustedHtml(" checked")}>${title}</label>`,
  )}</fieldset>${tabs.map(({ body }) => html`<div class="panel">${body}</div>`)}</div>`;
}
