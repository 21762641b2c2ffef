import { type RefObject, useEffect, useRef, useState } from "react";

/** Sentences about fields, by the names of the fields. */
export type Faults = Readonly<Record<string, string>>;

export interface FaultsOfForm {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly faults: Faults;
  /** Shows faults, and moves the focus to the first field that has one. */
  report(faults: Faults): void;
  /** Forgets the fault of a field that is being mended. */
  clear(name: string): void;
}

/** @param place The part of the form that is shown. A fault of another part has the focus when that part opens. */
export function useFaults(place: string): FaultsOfForm {
  const form = useRef<HTMLFormElement>(null);
  const [{ faults, reports }, setState] = useState<{ faults: Faults; reports: number }>({
    faults: {},
    reports: 0,
  });
  useEffect(() => {
    if (reports === 0) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    const fold = field?.closest("details");
    if (fold) fold.open = true;
    field?.focus();
  }, [reports, place]);
  return {
    form,
    faults,
    report: (found) => setState((state) => ({ faults: found, reports: state.reports + 1 })),
    clear: (name) =>
      setState((state) => {
        if (state.faults[name] === undefined) return state;
        const { [name]: _mended, ...others } = state.faults;
        return { ...state, faults: others };
      }),
  };
}
