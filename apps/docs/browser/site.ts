/** Scripts of every page: theme, copy buttons, this gateway's address in samples, tabs, search and the try-it form. */
import { element, gatewayAddress, siteRoot } from "./elements.js";

const sampleAddress = "http://127.0.0.1:8080";
const copyIcon = "M9 9h10v10H9zM5 15V5h10";

showPlaceInMenu();
nameThisGateway();
addCopyButtons();
keepTabs();
offerTheme();
offerSearch();
offerTryIt();
searchLostPage();
followScroll();
filterCodes();
await Promise.all([sendOldAddressesOn(), sayReady()]);

/** The menu is long: the page that is open shall be in sight. */
function showPlaceInMenu(): void {
  const menu = document.querySelector<HTMLElement>("#menu");
  const current = menu?.querySelector<HTMLElement>("[aria-current]");
  if (!menu || !current) return;
  const below = current.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom;
  if (below > 0) menu.scrollTop = below + menu.clientHeight / 2;
}

/** Samples name the gateway that serves the page. Only text of code changes. */
function nameThisGateway(): void {
  const address = gatewayAddress();
  if (address === sampleAddress) return;
  for (const code of document.querySelectorAll("code")) {
    if (!code.textContent?.includes(sampleAddress)) continue;
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      node.nodeValue = (node.nodeValue ?? "").replaceAll(sampleAddress, address);
  }
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll(".code")) {
    const button = element(
      "button",
      { type: "button", class: "icon copy", "aria-label": "Copy" },
      icon(copyIcon),
    );
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "").then(() => {
        button.dataset.done = "";
        button.setAttribute("aria-label", "Copied");
        setTimeout(() => {
          delete button.dataset.done;
          button.setAttribute("aria-label", "Copy");
        }, 1500);
      });
    });
    block.append(button);
  }
}

function icon(path: string): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(namespace, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** The language that was chosen on one page is chosen on the next. */
function keepTabs(): void {
  const name = "model-gateway.language";
  const wanted = localStorage.getItem(name);
  for (const input of document.querySelectorAll<HTMLInputElement>("[data-tabs=language] input")) {
    if (input.value === wanted) input.checked = true;
    input.addEventListener("change", () => localStorage.setItem(name, input.value));
  }
}

function offerTheme(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (button === null) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const isDark =
      dataset.theme === "dark" ||
      (dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
    dataset.theme = isDark ? "light" : "dark";
    localStorage.setItem("model-gateway.theme", dataset.theme);
  });
}

function offerSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("#open-search");
  if (button === null) return;
  button.hidden = false;
  const open = () => void import("./search.js").then(({ openSearch }) => openSearch());
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey;
    if (!isSlash && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}

/** At an address that does not exist, the last words of the address may find the page that was meant. */
function searchLostPage(): void {
  const place = document.querySelector<HTMLElement>("#find");
  if (place === null) return;
  const name = location.pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  const words = name.replace(/\.\w+$/, "").split(/[^a-zA-Z0-9_]+/);
  const query = words.slice(0, 8).join(" ");
  void import("./search.js").then(({ showSearch }) => showSearch(place, query));
}

function offerTryIt(): void {
  const details = document.querySelector<HTMLDetailsElement>("#try");
  if (details === null) return;
  const load = () => void import("./try-it.js").then(({ openTryIt }) => openTryIt(details));
  if (details.open) load();
  else details.addEventListener("toggle", load, { once: true });
}

/** Marks the heading that is being read in "On this page". */
function followScroll(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".contents a")].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  if (links.size === 0) return;
  const watch = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (entered === undefined) return;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entered.target.id)?.setAttribute("aria-current", "true");
    },
    { rootMargin: "-70px 0px -70% 0px" },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(id);
    if (heading !== null) watch.observe(heading);
  }
}

function filterCodes(): void {
  const input = document.querySelector<HTMLInputElement>("#code-filter");
  const box = input?.closest<HTMLElement>(".filter");
  if (!input || !box) return;
  box.hidden = false;
  const status = box.querySelector("[role=status]");
  const items = [...document.querySelectorAll<HTMLElement>(".code-list li")];
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items)
      item.hidden = !words.every((word) => (item.textContent ?? "").toLowerCase().includes(word));
    for (const group of document.querySelectorAll<HTMLElement>(".code-group"))
      group.hidden = group.querySelector("li:not([hidden])") === null;
    if (status) status.textContent = `${items.filter(({ hidden }) => !hidden).length} codes`;
  });
}

/** Addresses of the site before it had pages: `/docs/#/configuration`. */
async function sendOldAddressesOn(): Promise<void> {
  if (!location.hash.startsWith("#/") || siteRoot() !== "./") return;
  const response = await fetch(`${siteRoot()}old-addresses.json`).catch(() => undefined);
  if (!response?.ok) return;
  const addresses: unknown = await response.json();
  const [, slug = "", anchor] = /^#\/([^#]*)(?:#(.*))?$/.exec(location.hash) ?? [];
  const target = (addresses as Record<string, string>)[slug.toLowerCase()];
  if (target === undefined) return;
  location.replace(`${target}${anchor === undefined ? "" : `#${anchor.replace(`${slug}-`, "")}`}`);
}

/** Hidden if the gateway cannot be asked. */
async function sayReady(): Promise<void> {
  const line = document.querySelector<HTMLElement>("#ready");
  if (line === null) return;
  const address = gatewayAddress();
  const response = await fetch(`${address}/readyz`, { credentials: "omit" }).catch(() => undefined);
  if (response?.status !== 200) return;
  line.replaceChildren(
    element("span", { class: "dot", "aria-hidden": "true" }, "●"),
    ` This gateway, ${address}, is ready.`,
  );
  line.hidden = false;
}
