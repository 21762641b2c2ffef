import { clientFault } from "./responses/gateway-fault.js";
import { fail, GatewayRequestError, type Result, unwrap } from "./responses/result.js";

/** One page of a list. Lists in the form of OpenAI's go on after their last entry. */
export type Page<Entry> = { readonly data: readonly Entry[] } & (
  | { readonly next_cursor: string | null }
  | { readonly has_more: boolean; readonly last_id: string | null }
);

/** Fetches the page at a cursor; without one, the first. */
export type FetchPage<Entry> = (cursor: string | undefined) => Promise<Result<Page<Entry>>>;

/** Yields the entries of all pages. Each page is fetched when the one before is used up. A failed page is thrown. */
export async function* iterateList<Entry>(
  fetchPage: FetchPage<Entry>,
  start: string | undefined,
): AsyncGenerator<Entry, void, undefined> {
  let cursor = start;
  for (;;) {
    const result = await fetchPage(cursor);
    const page = unwrap(result);
    yield* page.data;
    const next = cursorAfter(page);
    if (next === null) return;
    // A page that leads to itself would never end.
    if (next === cursor)
      throw new GatewayRequestError(
        fail(result.response, clientFault("unexpected_response", "A page of the list is its own next page.")),
      );
    cursor = next;
  }
}

function cursorAfter(page: Page<unknown>): string | null {
  if ("next_cursor" in page) return page.next_cursor;
  return page.has_more ? page.last_id : null;
}
