import { type FormEvent, type ReactNode, useState } from "react";
import { useListModels } from "../../operations/listModels.js";
import { Dialog } from "../../parts/dialog.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";
import { type KeyDraft, limitLabels, limitNames, modelsOf } from "./key-draft.js";
import { allowedModels } from "./match-models.js";
import { ModelsField } from "./models-field.js";
import { UnpricedNote } from "./unpriced-note.js";

interface KeyFormProps {
  readonly title: string;
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly error: Error | null;
  /** The words of the button. */
  readonly children: ReactNode;
}

/** The fields of a key, for a new one and for a change. */
export function KeyForm(props: KeyFormProps) {
  const { title, draft, onChange, onSubmit, onClose, isPending, isDisabled = false, error, children } = props;
  const models = useListModels().data ?? [];
  const change = (some: Partial<KeyDraft>) => onChange({ ...draft, ...some });
  const isWithoutModels = modelsOf(draft)?.length === 0;
  const [isSent, setSent] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(true);
    if (!isWithoutModels) onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack key-form" onSubmit={submit}>
        <div className="form-grid">
          <TextField
            label="Name"
            required
            maxLength={256}
            autoComplete="off"
            autoFocus
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <TextField
            label="Owner"
            maxLength={256}
            autoComplete="off"
            placeholder="A person or a team"
            value={draft.owner}
            onChange={(event) => change({ owner: event.target.value })}
          />
        </div>
        <ModelsField
          draft={draft}
          fault={
            isSent && isWithoutModels ? "Tick a model, write a pattern, or allow all models." : undefined
          }
          onChange={change}
        />
        <div className="form-grid">
          <TextField
            label="Budget, $"
            type="number"
            min="0.01"
            max="1000000"
            step="0.01"
            placeholder="No budget"
            value={draft.usd}
            onChange={(event) => change({ usd: event.target.value })}
          />
          <SelectField
            label="Each"
            value={draft.per}
            options={optionsOf(["month", "day"])}
            onChange={(per) => change({ per: per === "day" ? "day" : "month" })}
          />
        </div>
        {draft.usd !== "" && <UnpricedNote models={allowedModels(modelsOf(draft), models)} />}
        <div className="form-grid">
          <TextField
            label="Expires"
            type="date"
            value={draft.expires}
            onChange={(event) => change({ expires: event.target.value })}
          />
          <SelectField
            label="Priority"
            value={draft.priority}
            options={optionsOf(["interactive", "bulk"])}
            onChange={(priority) => change({ priority: priority === "bulk" ? "bulk" : "interactive" })}
          />
        </div>
        <Limits draft={draft} onChange={change} />
        {error !== null && <Fault error={error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={isPending || isDisabled}>
            {children}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Limits({
  draft: { limits },
  onChange,
}: {
  readonly draft: KeyDraft;
  readonly onChange: (change: Pick<KeyDraft, "limits">) => void;
}) {
  const set = limitNames.filter((name) => limits[name] !== "").length;
  return (
    <details>
      <summary>{set === 0 ? "Limits: none" : `Limits: ${set}`}</summary>
      <div className="form-grid">
        {limitNames.map((name) => (
          <TextField
            key={name}
            label={limitLabels[name]}
            type="number"
            min="1"
            step="1"
            placeholder="No limit"
            value={limits[name]}
            onChange={(event) => onChange({ limits: { ...limits, [name]: event.target.value } })}
          />
        ))}
      </div>
    </details>
  );
}
