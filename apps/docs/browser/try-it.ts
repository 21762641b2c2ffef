import { element, gatewayAddress, siteRoot } from "./elements.js";
import { showBody } from "./show-body.js";

/** Makes the form of an operation work. It sends to this gateway only. */
export function openTryIt(details: HTMLDetailsElement): void {
  const form = details.querySelector("form");
  const result = details.querySelector<HTMLElement>(".result");
  const stop = details.querySelector<HTMLButtonElement>("[data-action=stop]");
  if (form === null || result === null || stop === null) return;
  restoreKey(form);
  details.querySelector("[data-action=forget]")?.addEventListener("click", () => forgetKey(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const abort = new AbortController();
    stop.hidden = false;
    stop.onclick = () => abort.abort();
    void send(form, result, abort.signal).finally(() => {
      stop.hidden = true;
    });
  });
}

async function send(form: HTMLFormElement, result: HTMLElement, signal: AbortSignal): Promise<void> {
  result.replaceChildren(element("p", { class: "quiet" }, "Sending…"));
  keepKey(form);
  const began = performance.now();
  try {
    const response = await fetch(addressOf(form), {
      method: form.dataset.method ?? "GET",
      headers: headersOf(form),
      ...bodyOf(form),
      credentials: "omit",
      redirect: "error",
      cache: "no-store",
      signal,
    });
    const head = element(
      "p",
      { class: response.ok ? "outcome good" : "outcome bad" },
      `${response.status} ${response.statusText}`,
    );
    const facts = element("p", { class: "quiet" });
    const body = element("div");
    result.replaceChildren(head, facts, body);
    await showBody(response, body);
    const time = `${Math.round(performance.now() - began)} ms`;
    const id = response.headers.get("x-request-id");
    facts.textContent = id === null ? time : `${time} · x-request-id ${id}`;
    linkErrorCode(body, head);
  } catch (error) {
    const text = signal.aborted ? "Stopped." : `The gateway could not be asked: ${(error as Error).message}`;
    result.append(element("p", { class: "outcome bad" }, text));
  }
}

/** An error leads to the page of its code. */
function linkErrorCode(body: HTMLElement, head: HTMLElement): void {
  const code = /"code": "(\w+)"/.exec(body.textContent ?? "")?.[1];
  if (code === undefined || !head.classList.contains("bad")) return;
  head.append(" ", element("a", { href: `${siteRoot()}errors/${code}/` }, code));
}

type Part = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function partsOf(form: HTMLFormElement, part: string): Part[] {
  return [...form.querySelectorAll<Part>(`[data-part="${part}"]`)];
}

function addressOf(form: HTMLFormElement): string {
  let path = form.dataset.path ?? "/";
  for (const { name, value } of partsOf(form, "path"))
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(
    partsOf(form, "query")
      .filter(({ value }) => value !== "")
      .map(({ name, value }) => [name, value]),
  );
  return `${gatewayAddress()}${path}${query.size > 0 ? `?${query}` : ""}`;
}

function headersOf(form: HTMLFormElement): Headers {
  const headers = new Headers();
  for (const { name, value } of partsOf(form, "header")) if (value !== "") headers.set(name, value);
  const [key] = partsOf(form, "key");
  if (key !== undefined && key.value.trim() !== "")
    headers.set("authorization", `Bearer ${key.value.trim()}`);
  if (partsOf(form, "json").length > 0) headers.set("content-type", "application/json");
  return headers;
}

function bodyOf(form: HTMLFormElement): { body?: string | FormData } {
  const [json] = partsOf(form, "json");
  if (json !== undefined) return { body: json.value };
  const fields = partsOf(form, "form");
  if (fields.length === 0) return {};
  const body = new FormData();
  for (const field of fields) {
    if (field instanceof HTMLInputElement && field.type === "file")
      for (const file of field.files ?? []) body.append(field.name, file);
    else if (field.value !== "") body.append(field.name, field.value);
  }
  return { body };
}

/** The key stays in this tab. API keys and the admin key have separate slots. */
function slotOf(form: HTMLFormElement): string {
  return `model-gateway.try.${form.dataset.key}`;
}

function restoreKey(form: HTMLFormElement): void {
  const [input] = partsOf(form, "key");
  if (input !== undefined) input.value = sessionStorage.getItem(slotOf(form)) ?? "";
}

function keepKey(form: HTMLFormElement): void {
  const [input] = partsOf(form, "key");
  if (input !== undefined && input.value !== "") sessionStorage.setItem(slotOf(form), input.value);
}

function forgetKey(form: HTMLFormElement): void {
  const [input] = partsOf(form, "key");
  sessionStorage.removeItem(slotOf(form));
  if (input !== undefined) input.value = "";
}
