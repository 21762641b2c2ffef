import { type ReactNode, useState } from "react";
import { Dialog } from "../../../parts/dialog.js";

interface Question {
  /** The reason why the mask would be lost, as a sentence. */
  readonly why: string;
  readonly onDiscard: () => void;
  readonly onKeep?: () => void;
}

/** Asks before a mask is lost. With no mask to lose, it goes ahead at once. */
export type AskForMask = (question: Question) => void;

/** @param hasMask Whether a mask would be lost. */
export function useMaskGuard(hasMask: boolean): { readonly ask: AskForMask; readonly dialog: ReactNode } {
  const [question, setQuestion] = useState<Question>();
  const close = (then?: () => void) => {
    setQuestion(undefined);
    then?.();
  };
  return {
    ask: (asked) => (hasMask ? setQuestion(asked) : asked.onDiscard()),
    dialog: question && (
      <Dialog title="Discard the mask?" onClose={() => close(question.onKeep)}>
        <p>{question.why} The mask that you painted was not sent yet.</p>
        <div className="dialog-end">
          <button type="button" className="button" onClick={() => close(question.onKeep)}>
            Keep the mask
          </button>
          <button type="button" className="button danger" onClick={() => close(question.onDiscard)}>
            Discard it
          </button>
        </div>
      </Dialog>
    ),
  };
}
