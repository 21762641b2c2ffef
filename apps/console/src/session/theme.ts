/** The operator's choice; `system` follows the system. It is not secret, so it outlives the tab. */
export type Theme = "system" | "light" | "dark";

const name = "model-gateway.theme";

export function readTheme(): Theme {
  const stored = localStorage.getItem(name);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(name);
    delete document.documentElement.dataset.theme;
    return;
  }
  localStorage.setItem(name, theme);
  document.documentElement.dataset.theme = theme;
}
