/** Whether this tab is visible. A hidden tab sends no requests. */
export interface Visibility {
  isHidden(): boolean;
  subscribe(listener: () => void): () => void;
}

export const tabVisibility: Visibility = {
  isHidden: () => document.visibilityState === "hidden",
  subscribe: (listener) => {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
};

/** Resolves when the tab is seen, or when it no longer matters. */
export function untilSeen(visibility: Visibility, signal?: AbortSignal): Promise<void> {
  if (!visibility.isHidden() || signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      unsubscribe();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const unsubscribe = visibility.subscribe(() => {
      if (!visibility.isHidden()) finish();
    });
    signal?.addEventListener("abort", finish);
  });
}
