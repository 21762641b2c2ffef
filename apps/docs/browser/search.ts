import type MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";
import { excerptOf } from "../search/excerpt.js";
import { findSections, openIndex } from "../search/find-sections.js";
import { element, siteRoot } from "./elements.js";

const shownMax = 12;

const opened: {
  dialog?: HTMLDialogElement;
  index?: Promise<MiniSearch> | undefined;
  /** Once it is loaded. Results have no excerpts before. */
  texts?: readonly string[];
} = {};

/** Opens the search. The first time it makes the dialog and loads the index. */
export function openSearch(): void {
  opened.dialog ??= makeDialog();
  if (!opened.dialog.open) opened.dialog.showModal();
  opened.dialog.querySelector("input")?.select();
}

/** Puts a search into a page, with a query to begin with. */
export function showSearch(place: HTMLElement, query: string): void {
  const { input, status, results } = makeSearch();
  input.value = query;
  place.append(input, status, results);
  place.addEventListener("keydown", (event) => moveFocus(event, place));
  place.hidden = false;
  input.dispatchEvent(new Event("input"));
}

interface Search {
  readonly input: HTMLInputElement;
  readonly status: HTMLElement;
  readonly results: HTMLElement;
}

function makeSearch(): Search {
  const input = element("input", {
    type: "search",
    placeholder: "Guides, operations, error codes, a status",
    "aria-label": "Search",
    autocomplete: "off",
    spellcheck: "false",
  });
  const results = element("ul", { class: "results" });
  const status = element("p", { role: "status", class: "quiet" });
  const search = { input, status, results };
  input.addEventListener("input", () => void show(search));
  return search;
}

function makeDialog(): HTMLDialogElement {
  const { input, status, results } = makeSearch();
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
  dialog.addEventListener("keydown", (event) => moveFocus(event, dialog));
  document.body.append(dialog);
  return dialog;
}

async function show(search: Search): Promise<void> {
  const { input, results, status } = search;
  opened.index ??= loadIndex(search);
  const index = await opened.index.catch(() => undefined);
  if (index === undefined) {
    opened.index = undefined;
    status.textContent = "The search could not be loaded. Type again to retry.";
    return;
  }
  const found = findSections(index, input.value);
  status.textContent =
    input.value.trim() === "" ? "" : found.length === 0 ? "Nothing fits." : `${found.length} found`;
  results.replaceChildren(...found.slice(0, shownMax).map(drawResult));
}

async function loadIndex(search: Search): Promise<MiniSearch> {
  const response = await fetch(`${siteRoot()}search.json`);
  const index = openIndex(await response.text());
  void loadTexts().then(() => show(search));
  return index;
}

/** Without the texts, results have no excerpts. */
async function loadTexts(): Promise<void> {
  const response = await fetch(`${siteRoot()}search-texts.json`).catch(() => undefined);
  if (response?.ok) opened.texts = (await response.json()) as string[];
}

function drawResult({ id, title, heading, address, match }: SearchResult): HTMLElement {
  const text = opened.texts?.[id as number];
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
      ...(text === undefined ? [] : [drawExcerpt(text, Object.keys(match))]),
    ),
  );
}

function drawExcerpt(text: string, terms: readonly string[]): HTMLElement {
  const parts = excerptOf(text, new Set(terms)).map((part) =>
    part.isHit ? element("mark", {}, part.text) : part.text,
  );
  return element("p", {}, ...parts);
}

const kinds = [
  ["guides/", "Guide"],
  ["reference/", "Operation"],
  ["errors/#", "Guide"],
  ["errors/", "Error"],
  ["upstreams/", "Provider"],
  ["decisions/", "Decision"],
  ["examples/", "Example"],
  ["changelog/", "Changelog"],
] as const;

function moveFocus(event: KeyboardEvent, box: HTMLElement): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const links = [...box.querySelectorAll<HTMLAnchorElement>(".results a")];
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
    links[0]?.click();
    return;
  }
  if (step === 0 || links.length === 0) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
  if (next < 0) box.querySelector("input")?.focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}
