import type { ReactNode } from "react";
import { Dialog } from "../../parts/dialog.js";
import { type Loadable, Loaded } from "../../parts/states.js";
import { RequestFacts, type ShownRequest } from "./request-facts.js";

interface RequestSheetProps {
  /** The request as the list has it. An address may name one that the list does not show. */
  readonly listed: ShownRequest | undefined;
  /** Loads one that is not listed. */
  readonly retrieved: Loadable<ShownRequest>;
  readonly onClose: () => void;
  /** Shown below the facts. */
  readonly children?: ReactNode;
}

/** One request, beside the list. */
export function RequestSheet({ listed, retrieved, onClose, children }: RequestSheetProps) {
  return (
    <Dialog kind="sheet" title="Request" onClose={onClose}>
      {listed === undefined ? (
        <Loaded query={retrieved}>{(request) => <RequestFacts request={request} />}</Loaded>
      ) : (
        <RequestFacts request={listed} />
      )}
      {children}
    </Dialog>
  );
}
