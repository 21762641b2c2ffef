type Child = Node | string;

/** Makes an element. Text becomes text nodes: nothing here parses HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The way from this page to the site's folder, such as "../../". */
export function siteRoot(): string {
  return document.body.dataset.root ?? "./";
}

/** The address of the gateway that serves the page, without a slash at the end; a proxy's prefix is part of it. */
export function gatewayAddress(): string {
  return new URL(`${siteRoot()}../`, location.href).href.replace(/\/$/, "");
}
