import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { useTryUpstream } from "../../operations/tryUpstream.js";

type Request = Schemas["TryUpstreamRequest"];
type Trial = Schemas["UpstreamTrial"];

export interface TrialState {
  readonly isPending: boolean;
  readonly data?: Trial;
  readonly error?: Error;
}

/** The trials of a form, by what was tried. They are kept above its steps, so that Back shows them again. */
export interface Trials {
  of(request: Request): TrialState;
  run(request: Request, onSuccess?: (trial: Trial) => void): void;
}

const notTried: TrialState = { isPending: false };

export function useTrials(): Trials {
  const { mutateAsync } = useTryUpstream();
  const [states, setStates] = useState<Readonly<Record<string, TrialState>>>({});
  return {
    of: (request) => states[keyOf(request)] ?? notTried,
    run: (request, onSuccess) => {
      const set = (state: TrialState) => setStates((all) => ({ ...all, [keyOf(request)]: state }));
      set({ isPending: true });
      mutateAsync(request).then(
        (data) => {
          set({ isPending: false, data });
          onSuccess?.(data);
        },
        (error: Error) => set({ isPending: false, error }),
      );
    },
  };
}

function keyOf({ upstream, name, model, list_only }: Request): string {
  return JSON.stringify([upstream, name, model, list_only]);
}
