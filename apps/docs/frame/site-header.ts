import { redocAddress } from "../menu.js";
import { type Html, html, trustedHtml } from "./html.js";

/** The three places of a gateway, in the order of every header: of the docs, of Redoc and of the console. */
const places = [
  { name: "Docs", address: "" },
  { name: "Reference", address: redocAddress },
  { name: "Console", address: "../console/" },
] as const;

export type PlaceName = (typeof places)[number]["name"];

/** The mark and the name, which lead home. */
export function drawBrand(root: string): Html {
  return html`<a class="brand" href="${root}"><img src="${root}icon.svg" alt="" width="24" height="24">Model Gateway</a>`;
}

/** Redoc opens a separate tab, which cannot read this tab's key. */
export function drawPlaces(root: string, current: PlaceName): Html {
  const link = (address: string) => `${root}${address}`.replace(/^\.\/(?=\.)/, "");
  return html`${places.map(
    ({ name, address }) =>
      html`<a href="${link(address)}"${name === current && trustedHtml(' aria-current="true"')}${name === "Reference" && trustedHtml(' target="_blank" rel="noopener"')}>${name}</a>`,
  )}`;
}
