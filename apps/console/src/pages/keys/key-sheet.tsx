import { useState } from "react";
import { useChangeKey } from "../../operations/changeKey.js";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import { useRevokeKey } from "../../operations/revokeKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { TextField } from "../../parts/fields.js";
import { formatCount, formatTime } from "../../parts/format.js";
import { Fault, Loaded } from "../../parts/states.js";
import { When } from "../../parts/when.js";
import { linkTo } from "../../routes/address.js";
import { KeyStatusBadge, Spent } from "./key-state.js";

type AccessKey = Schemas["AccessKey"];

interface KeySheetProps {
  readonly id: string;
  /** The key as the list has it. An address may name one that the list does not show. */
  readonly listed: AccessKey | undefined;
  readonly onClose: () => void;
}

/** One key, beside the list, with its actions. */
export function KeySheet({ id, listed, onClose }: KeySheetProps) {
  const retrieved = useRetrieveKey(listed === undefined ? id : undefined);
  const key = listed ?? retrieved.data;
  return (
    <Dialog kind="sheet" title={key?.name ?? "Key"} onClose={onClose}>
      {key === undefined ? <Loaded query={retrieved}>{() => null}</Loaded> : <KeyDetails accessKey={key} />}
    </Dialog>
  );
}

function KeyDetails({ accessKey }: { readonly accessKey: AccessKey }) {
  const change = useChangeKey();
  const [isRevoking, setRevoking] = useState(false);
  const { id, source, status, disabled, priority } = accessKey;
  return (
    <>
      <div className="stack">
        <Facts facts={factsOf(accessKey)} />
        <a href={linkTo("/requests", { key: id })}>Its requests</a>
        {source === "file" ? (
          <p className="quiet">This key is in the configuration, and is changed there.</p>
        ) : status === "revoked" ? null : (
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={change.isPending}
              onClick={() => change.mutate({ key: id, body: { disabled: !disabled } })}
            >
              {disabled ? "Enable" : "Disable"}
            </button>
            <button
              type="button"
              className="button"
              disabled={change.isPending}
              onClick={() =>
                change.mutate({ key: id, body: { priority: priority === "bulk" ? "interactive" : "bulk" } })
              }
            >
              {priority === "bulk" ? "Make interactive" : "Make bulk"}
            </button>
            <button type="button" className="button danger" onClick={() => setRevoking(true)}>
              Revoke
            </button>
          </div>
        )}
        {change.error !== null && <Fault error={change.error} />}
      </div>
      {isRevoking && <RevokeDialog accessKey={accessKey} onClose={() => setRevoking(false)} />}
    </>
  );
}

function factsOf(key: AccessKey): readonly Fact[] {
  const limits = Object.entries(key.limits).filter(([, value]) => value !== null);
  return [
    ["Id", <CopyId key="id" id={key.id} what={key.name} />],
    ["State", <KeyStatusBadge key="state" status={key.status} />],
    ["Owner", key.owner ?? "none"],
    ["Secret", key.redacted_value ?? "in the configuration"],
    ["Models", key.models?.join(", ") ?? "all"],
    ["Priority", key.priority],
    ["Spent", <Spent key="spent" accessKey={key} />],
    ...limits.map(
      ([name, value]) => [capitalised(name.replaceAll("_", " ")), formatCount(Number(value))] as const,
    ),
    ["Created", key.created_at === null ? "in the configuration" : formatTime(key.created_at)],
    ["Last used", <When key="used" at={key.last_used_at} />],
    ...(key.expires_at === null ? [] : ([["Expires", formatTime(key.expires_at)]] as const)),
    ...(key.revoked_at === null ? [] : ([["Revoked", formatTime(key.revoked_at)]] as const)),
  ];
}

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

interface RevokeDialogProps {
  readonly accessKey: AccessKey;
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so it asks for the name. */
function RevokeDialog({ accessKey: { id, name }, onClose }: RevokeDialogProps) {
  const revoke = useRevokeKey();
  const [typed, setTyped] = useState("");
  return (
    <Dialog title={`Revoke ${name}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          revoke.mutate(id, { onSuccess: onClose });
        }}
      >
        <p>Callers with this key are refused within a second. This cannot be undone.</p>
        <TextField
          label={`Type ${name} to go on`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {revoke.error !== null && <Fault error={revoke.error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button danger" disabled={typed !== name || revoke.isPending}>
            Revoke for good
          </button>
        </div>
      </form>
    </Dialog>
  );
}
