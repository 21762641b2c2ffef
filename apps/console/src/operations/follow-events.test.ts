import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventRefresher } from "./follow-events.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createFixture() {
  const refreshed: string[] = [];
  const refresher = new EventRefresher({
    invalidateQueries: async (filters) => void refreshed.push(String(filters?.queryKey?.join("/"))),
  });
  return { refreshed, refresher };
}

test("a burst of requests loads states once, the list once more when its rows are there, and sums", () => {
  const { refreshed, refresher } = createFixture();

  for (let request = 0; request < 100; request += 1) refresher.onEvent({ type: "request.finished" });
  expect(refreshed).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(refreshed).toEqual(["listUpstreams", "listRequests/newer"]);
  vi.advanceTimersByTime(8000);

  expect(refreshed).toEqual(["listUpstreams", "listRequests/newer", "listRequests/newer", "retrieveUsage"]);
});

test("the list of requests that is shown is never loaded again by an event", () => {
  const { refreshed, refresher } = createFixture();

  refresher.refreshAll();

  expect(refreshed).not.toContain("listRequests");
  expect(refreshed).toContain("listAlerts");
});
