import { harmless, type Terminal } from "./terminal.js";

/** One stage of long work. */
export interface Stage {
  readonly name: string;
  /** From 0 to 1. Absent: it is unknown how long the stage takes. */
  readonly share?: number;
  /** Figures behind the bar. */
  readonly detail?: string;
}

/** Shows how far long work is. */
export interface Progress {
  show(stage: Stage): void;
  /** Clears the bar. Lines stay. */
  end(): void;
}

const barLength = 30;
/** Without a terminal, a stage has eleven lines at most. */
const shareStep = 0.1;

/** A bar on a terminal, else a line for each stage and for each tenth of it. With `--json` it is silent. */
export function createProgress(terminal: Terminal, { json }: { readonly json: boolean }): Progress {
  const { redraw } = terminal;
  if (redraw !== undefined) return { show: (stage) => redraw(barOf(stage)), end: () => redraw("") };
  if (json) return { show: () => undefined, end: () => undefined };
  return createLines(terminal);
}

function createLines(terminal: Terminal): Progress {
  let shown: Stage | undefined;
  return {
    show: (stage) => {
      const isFurther = (stage.share ?? 0) - (shown?.share ?? 0) >= shareStep;
      if (shown?.name === stage.name && !isFurther) return;
      shown = stage;
      terminal.print(`${textOf(stage)}\n`);
    },
    end: () => undefined,
  };
}

function barOf(stage: Stage): string {
  if (stage.share === undefined) return textOf(stage);
  const full = Math.round(Math.min(1, stage.share) * barLength);
  return `${"█".repeat(full)}${"░".repeat(barLength - full)} ${textOf(stage)}`;
}

function textOf({ name, share, detail }: Stage): string {
  const percent = share === undefined ? [] : [`${Math.floor(Math.min(1, share) * 100)} %`];
  return harmless([name, ...percent, ...(detail === undefined ? [] : [detail])].join("  "));
}
