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
  await page.evaluate(endTransitions);
  return page.evaluate(async (selector) => {
    // Only violations are described in full: there are hundreds of times as many elements that pass.
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(selector, {
      resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any: [check] }) => `${id}: ${html.slice(0, 160)} ${check?.message ?? ""}`),
    );
  }, place);
}
