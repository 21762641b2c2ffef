import type MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { findSections, openIndex } from "../search/find-sections.js";
import { element, siteRoot } from "./elements.js";

const shownMax = 12;

const opened: { dialog?: HTMLDialogElement; index?: Promise<MiniSearch> } = {};

/** Opens the search. The first time it makes the dialog and loads the index. */
export function openSearch(): void {
  opened.dialog ??= makeDialog();
  opened.index ??= loadIndex();
  if (!opened.dialog.open) opened.dialog.showModal();
  opened.dialog.querySelector("input")?.select();
}

async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(`${siteRoot()}search.json`);
  return openIndex(await response.text());
}

function makeDialog(): HTMLDialogElement {
  const input = element("input", {
    type: "search",
    placeholder: "Guides, operations, error codes",
    "aria-label": "Search",
    autocomplete: "off",
    spellcheck: "false",
  });
  const results = element("ul", { class: "results" });
  const status = element("p", { role: "status", class: "quiet" });
  const close = element("button", { type: "button" }, "Close");
  const dialog = element(
    "dialog",
    { id: "search", "aria-label": "Search" },
    element("div", { class: "row" }, input, close),
    status,
    results,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  input.addEventListener("input", () => void show(input.value, { results, status }));
  dialog.addEventListener("keydown", (event) => moveFocus(event, dialog));
  document.body.append(dialog);
  return dialog;
}

interface Shown {
  readonly results: HTMLElement;
  readonly status: HTMLElement;
}

async function show(query: string, { results, status }: Shown): Promise<void> {
  const index = await opened.index?.catch(() => undefined);
  if (index === undefined) {
    opened.index = undefined as never;
    status.textContent = "The search could not be loaded. Open it again to retry.";
    return;
  }
  const found = findSections(index, query);
  status.textContent =
    query.trim() === "" ? "" : found.length === 0 ? "Nothing fits." : `${found.length} found`;
  results.replaceChildren(...found.slice(0, shownMax).map(drawResult));
}

function drawResult({ title, heading, address }: SearchResult): HTMLElement {
  const kind = kinds.find(([start]) => String(address).startsWith(start))?.[1] ?? "";
  return element(
    "li",
    {},
    element(
      "a",
      { href: `${siteRoot()}${address}` },
      element("b", {}, String(title)),
      ...(heading ? [element("span", {}, ` › ${heading}`)] : []),
      element("small", {}, kind),
    ),
  );
}

const kinds = [
  ["guides/", "Guide"],
  ["reference/", "Operation"],
  ["errors/", "Error"],
  ["upstreams/", "Provider"],
  ["decisions/", "Decision"],
  ["examples/", "Example"],
] as const;

function moveFocus(event: KeyboardEvent, dialog: HTMLElement): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>(".results a")];
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
    links[0]?.click();
    return;
  }
  if (step === 0 || links.length === 0) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
  if (next < 0) dialog.querySelector("input")?.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}
