import { trustedHtml } from "./html.js";

const drawn = (path: string, size = 18) =>
  trustedHtml(
    `<svg aria-hidden="true" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`,
  );

/** Inline drawings: no font has them everywhere. */
export const icons = {
  menu: drawn('<path d="M4 7h16M4 12h16M4 17h16"/>', 20),
  search: drawn('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>'),
  theme: drawn(
    '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5v17a8.5 8.5 0 0 0 0-17z" fill="currentColor"/>',
  ),
} as const;
