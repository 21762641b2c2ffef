/** Topics that all workers of a gateway report on. */
export type SiblingTopic =
  | "metrics"
  | "keys"
  | "sessions"
  | "readiness"
  | "history"
  | "events"
  | "heal"
  | "spaces";

/** The workers of one gateway, seen from one of them. */
export interface Siblings {
  /** Sets this worker's report for when a sibling asks. */
  answer(topic: SiblingTopic, report: (detail: unknown) => unknown): void;
  /**
   * Asks all workers, this one included, and resolves with their merged reports, which are made after this call. A
   * worker that does not report in time is left out. Undefined if the supervisor does not reply in time.
   *
   * @param detail The question's subject, for the workers. It must survive JSON.
   */
  ask(topic: SiblingTopic, detail?: unknown): Promise<unknown>;
}
