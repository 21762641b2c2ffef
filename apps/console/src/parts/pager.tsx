import type { ReactNode } from "react";

/** The fields of a `useInfiniteQuery` result that the pager needs. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface PagerProps {
  readonly pages: Pages;
  /** The words of the button. */
  readonly more: string;
  /** How many rows are shown. */
  readonly children: ReactNode;
}

/** The line below a list: how much of it is shown, and the button for the next page. */
export function Pager({ pages, more, children }: PagerProps) {
  return (
    <div className="pager">
      <span className="quiet small">{children}</span>
      {pages.hasNextPage && (
        <button
          type="button"
          className="button"
          disabled={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {pages.isFetchingNextPage ? "Loading…" : more}
        </button>
      )}
    </div>
  );
}
