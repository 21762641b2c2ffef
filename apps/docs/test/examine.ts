import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Run in the page, whose types these tests do not have. */
const endTransitions = `document.fonts.ready.then(() => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
})`;

/**
 * The rules that a page breaks, and where. `place` selects a part of the page. Fade-ins are finished first: halfway,
 * colours are paler than a reader sees them.
 */
export async function examine(page: Page, place = "html"): Promise<string[]> {
  await page.evaluate(axeSource);
  return runAxe(page, place);
}

/** The same for the rules about colours alone, in a page that was examined before its theme changed. */
export function examineColours(page: Page): Promise<string[]> {
  return runAxe(page, "html", ["color-contrast", "link-in-text-block"]);
}

/** @param rules Without them, all that axe recommends. */
async function runAxe(page: Page, place: string, rules?: string[]): Promise<string[]> {
  await page.evaluate(endTransitions);
  return page.evaluate(
    async ({ place, rules }) => {
      // Only violations are described in full: there are hundreds of times as many elements that pass.
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(place, {
        resultTypes: ["violations"],
        ...(rules && { runOnly: rules }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any: [check] }) => `${id}: ${html.slice(0, 160)} ${check?.message ?? ""}`),
      );
    },
    { place, rules },
  );
}
