import { useState } from "react";
import { useChangeKey } from "../../operations/changeKey.js";
import { useListModels } from "../../operations/listModels.js";
import { useRetrieveKey } from "../../operations/retrieveKey.js";
import type { useRotateKey } from "../../operations/rotateKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { type Fact, Facts } from "../../parts/facts.js";
import { formatCount, formatTime } from "../../parts/format.js";
import { Fault, Loaded } from "../../parts/states.js";
import { When } from "../../parts/when.js";
import { linkTo } from "../../routes/address.js";
import { May } from "../../session/session-context.js";
import { ChangeKeyDialog } from "./change-key.js";
import { limitLabels, limitNames } from "./key-draft.js";
import { KeyStatusBadge, Spent } from "./key-state.js";
import { allowedModels } from "./match-models.js";
import { RevokeKeyDialog } from "./revoke-key.js";
import { RotateKeyDialog } from "./rotate-key.js";
import { UnpricedNote } from "./unpriced-note.js";

type AccessKey = Schemas["AccessKey"];

interface KeySheetProps {
  readonly id: string;
  /** The key as the list has it. An address may name one that the list does not show. */
  readonly listed: AccessKey | undefined;
  /** The page has it, because closing the sheet must not lose the new secret. */
  readonly rotate: ReturnType<typeof useRotateKey>;
  readonly onClose: () => void;
}

/** One key, beside the list, with its actions. */
export function KeySheet({ id, listed, rotate, onClose }: KeySheetProps) {
  const retrieved = useRetrieveKey(listed === undefined ? id : undefined);
  const key = listed ?? retrieved.data;
  return (
    <Dialog kind="sheet" title={key?.name ?? "Key"} onClose={onClose}>
      {key === undefined ? (
        <Loaded query={retrieved}>{() => null}</Loaded>
      ) : (
        <KeyDetails accessKey={key} rotate={rotate} />
      )}
    </Dialog>
  );
}

function KeyDetails({
  accessKey,
  rotate,
}: { readonly accessKey: AccessKey } & Pick<KeySheetProps, "rotate">) {
  const [opened, setOpened] = useState<"change" | "rotate" | "revoke">();
  const models = useListModels().data ?? [];
  const { id, source, status } = accessKey;
  const close = () => setOpened(undefined);
  return (
    <>
      <div className="stack">
        {accessKey.budget !== null && (
          <UnpricedNote models={allowedModels(accessKey.models, models)} isLinked />
        )}
        <Facts facts={factsOf(accessKey)} />
        <div className="row">
          <a href={linkTo("/requests", { key: id })}>Its requests</a>
          <a href={linkTo("/requests", { key: id, failed: "true" })}>Its errors</a>
        </div>
        {source === "file" ? (
          <p className="quiet">This key is in the configuration file. Change it there.</p>
        ) : (
          status !== "revoked" && (
            <May call="changeKey">
              <KeyActions accessKey={accessKey} onOpen={setOpened} />
            </May>
          )
        )}
      </div>
      {opened === "change" && <ChangeKeyDialog accessKey={accessKey} onClose={close} />}
      {opened === "rotate" && <RotateKeyDialog accessKey={accessKey} rotate={rotate} onClose={close} />}
      {opened === "revoke" && <RevokeKeyDialog accessKey={accessKey} onClose={close} />}
    </>
  );
}

function KeyActions({
  accessKey: { id, disabled },
  onOpen,
}: {
  readonly accessKey: AccessKey;
  readonly onOpen: (dialog: "change" | "rotate" | "revoke") => void;
}) {
  const change = useChangeKey();
  return (
    <>
      <div className="row">
        <button type="button" className="button" onClick={() => onOpen("change")}>
          Change
        </button>
        <button type="button" className="button" onClick={() => onOpen("rotate")}>
          Rotate
        </button>
        <button
          type="button"
          className="button"
          disabled={change.isPending}
          onClick={() => change.mutate({ key: id, body: { disabled: !disabled } })}
        >
          {disabled ? "Enable" : "Disable"}
        </button>
        <button type="button" className="button danger" onClick={() => onOpen("revoke")}>
          Revoke
        </button>
      </div>
      {change.error !== null && <Fault error={change.error} />}
    </>
  );
}

function factsOf(key: AccessKey): readonly Fact[] {
  return [
    ["Id", <CopyId key="id" id={key.id} what={key.name} />],
    ["State", <KeyStatusBadge key="state" status={key.status} />],
    ["Owner", key.owner ?? "none"],
    ["Secret", key.redacted_value ?? "in the configuration"],
    ...key.old_secrets.map(
      ({ redacted_value, expires_at }, index) =>
        [
          `Earlier secret${index === 0 ? "" : ` ${index + 1}`}`,
          `${redacted_value}, until ${formatTime(expires_at)}`,
        ] as const,
    ),
    ["Models", key.models?.join(", ") ?? "all"],
    ["Priority", key.priority],
    ["Spent", <Spent key="spent" accessKey={key} />],
    ...limitNames.flatMap((name) => {
      const limit = key.limits[name];
      return limit === null ? [] : [[limitLabels[name], formatCount(limit)] as const];
    }),
    ["Created", key.created_at === null ? "in the configuration" : formatTime(key.created_at)],
    ["Last used", <When key="used" at={key.last_used_at} />],
    ...(key.expires_at === null ? [] : ([["Expires", formatTime(key.expires_at)]] as const)),
    ...(key.revoked_at === null ? [] : ([["Revoked", formatTime(key.revoked_at)]] as const)),
  ];
}
