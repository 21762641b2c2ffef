import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import {
  type Cell,
  type ComparisonGroup,
  type ComparisonRow,
  comparison,
  gateways,
  lacking,
  type Proof,
  providerCounts,
  readOn,
  snapshots,
} from "./comparison-rows.js";

/** Number of our providers, by model type. */
export interface OwnProviders {
  readonly embeddings: number;
  readonly images: number;
}

/** Counts the providers in the tables of the page that lists them. */
export function countProviders(markdown: string): OwnProviders {
  const count = (title: string) => {
    const section = markdown.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
    return new Set([...section.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name)).size;
  };
  return { embeddings: count("Embeddings"), images: count("Images") };
}

export function drawComparisonPage(own: OwnProviders): SitePage {
  return {
    address: "comparison/",
    title: "Comparison",
    description: "Model Gateway beside LiteLLM, Portkey, Bifrost and new-api, with sources and dates.",
    layout: "wide",
    inOrder: true,
    headings: [lacking.title, "Providers", ...comparison.map(({ title }) => title), "Sources"].map(heading),
    body: html`<p class="lead">Embedding and image features of each gateway. The source code of the others was read, not run, on ${readOn}; “no” means that it was not found in the code.</p>
<p>The others do much that this one does not, and the page begins with it. Their main purpose is chat, which Model Gateway does not serve. All four have released versions; Model Gateway has none yet. Agent Router, named Envoy AI Gateway until October 2026, and agentgateway are gateways for Kubernetes and are not in the tables.</p>
${drawGroup(lacking)}
<h2 id="providers">Providers</h2>
<p>LiteLLM and Portkey have adapters for more providers. A service that speaks OpenAI's API needs no adapter.</p>
${drawTable(["", ...gateways], [providerRow("Adapters for embeddings", own.embeddings, providerCounts.embeddings), providerRow("Adapters for images", own.images, providerCounts.images)])}
${comparison.map(drawGroup)}
<h2 id="sources">Sources</h2>
${drawTable(
  ["Gateway", "Snapshot", "Of", "Licence"],
  snapshots.map(({ name, repository, commit, date, licence }) => [
    html`${name}`,
    html`<a rel="noreferrer" href="https://github.com/${repository}/tree/${commit}">${repository}@${commit}</a>`,
    html`${date}`,
    html`${licence}`,
  ]),
)}
<p>Issue numbers are those of the gateway's own repository. A fault named here may have been fixed since the snapshot.</p>`,
  };
}

function drawGroup({ title, rows }: ComparisonGroup): Html {
  return html`<h2 id="${heading(title).id}">${title}</h2>${drawComparisonTable(rows, { withEvidence: true })}`;
}

/** The short table of the home page. */
export function drawShortComparison(): Html {
  return drawComparisonTable(
    [lacking, ...comparison].flatMap(({ rows }) => rows.filter(({ onHome }) => onHome === true)),
    { withEvidence: false },
  );
}

function drawComparisonTable(
  rows: readonly ComparisonRow[],
  { withEvidence }: { withEvidence: boolean },
): Html {
  return drawTable(
    ["", ...gateways],
    rows.map(({ what, cells, evidence, proof }) => [
      html`${what}${withEvidence && html`<details class="evidence"><summary>Evidence</summary>${evidence} Model Gateway: ${drawProof(proof)}.</details>`}`,
      ...cells.map(drawCell),
    ]),
  );
}

function drawProof(proof: Proof): Html {
  if ("test" in proof) return html`<code>apps/${proof.test}</code>`;
  if ("lacksPath" in proof) return html`its API has no <code>${proof.lacksPath}</code>`;
  return html`<a href="../${proof.page.replace(".md#", "/#")}">${proof.page}</a>`;
}

const symbols = { yes: "●", partly: "◐", no: "○" } as const;

function drawCell({ mark, note }: Cell): Html {
  return html`<span class="mark ${mark}"><span aria-hidden="true">${symbols[mark]}</span> ${mark}</span>${note !== undefined && html`<span class="note">${note}</span>`}`;
}

function providerRow(name: string, own: number, others: readonly string[]): Html[] {
  return [html`${name}`, html`${own}`, ...others.map((count) => html`${count}`)];
}

function drawTable(columns: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="table comparison" tabindex="0" role="group" aria-label="Comparison"><table><thead><tr>${columns.map((column) => (column === "" ? html`<td></td>` : html`<th scope="col">${column}</th>`))}</tr></thead><tbody>${rows.map(
    ([first, ...cells]) =>
      html`<tr><th scope="row">${first}</th>${cells.map((cell, index) => html`<td data-column="${columns[index + 1] ?? ""}">${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function heading(title: string): { level: number; text: string; id: string } {
  return { level: 2, text: title, id: title.toLowerCase().replace(/\s+/g, "-") };
}
