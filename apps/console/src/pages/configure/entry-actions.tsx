import { May } from "../../session/session-context.js";

interface EntryActionsProps {
  /** The name of the upstream, or the id of the model. */
  readonly name: string;
  readonly change: string;
  readonly remove: string;
}

/** The links that change and remove an entry of the configuration. */
export function EntryActions({ name, change, remove }: EntryActionsProps) {
  return (
    <May call="changeConfiguration">
      <a className="button" href={change}>
        Change
        <span className="visually-hidden"> {name}</span>
      </a>
      <a className="button danger" href={remove}>
        Remove
        <span className="visually-hidden"> {name}</span>
      </a>
    </May>
  );
}
