import { type FormEvent, useState } from "react";
import type { useCreateKey } from "../../operations/createKey.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyButton } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { optionsOf, SelectField, TextField } from "../../parts/fields.js";
import { Fault } from "../../parts/states.js";

interface CreateKeyDialogProps {
  readonly create: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
}

/** Creates a key, and then shows its secret once. No stray click closes that. */
export function CreateKeyDialog({ create, onClose }: CreateKeyDialogProps) {
  if (create.data !== undefined) return <SecretDialog created={create.data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(readForm(new FormData(event.currentTarget)));
  };
  return (
    <Dialog title="Create key" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label="Name" name="name" required maxLength={256} autoComplete="off" autoFocus />
        <TextField
          label="Owner"
          name="owner"
          maxLength={256}
          autoComplete="off"
          hint="The person or team responsible for it."
        />
        <TextField
          label="Models"
          name="models"
          autoComplete="off"
          hint="Ids or patterns with a *, separated by commas. Empty for all."
        />
        <div className="form-grid">
          <TextField label="Budget, $" name="usd" type="number" min="0.01" max="1000000" step="0.01" />
          <ChoiceField label="Each" name="per" choices={["month", "day"]} />
          <TextField label="Requests a minute" name="requests_per_minute" type="number" min="1" step="1" />
          <TextField label="Expires" name="expires" type="date" />
          <ChoiceField label="Priority" name="priority" choices={["interactive", "bulk"]} />
        </div>
        {create.error !== null && <Fault error={create.error} />}
        <div className="dialog-end">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={create.isPending}>
            {create.isPending ? "Creating…" : "Create key"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly name: string;
  /** The first is chosen. */
  readonly choices: readonly [string, ...string[]];
}

/** A select whose value the form has. */
function ChoiceField({ label, name, choices }: ChoiceFieldProps) {
  const [value, setValue] = useState(choices[0]);
  return (
    <>
      <SelectField label={label} value={value} options={optionsOf(choices)} onChange={setValue} />
      <input type="hidden" name={name} value={value} />
    </>
  );
}

/** Empty fields do not restrict the key. */
export function readForm(form: FormData): Schemas["CreateKeyRequest"] {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const models = text("models")
    .split(/[\s,]+/)
    .filter(Boolean);
  const expiresMs = Date.parse(text("expires"));
  return {
    name: text("name"),
    ...(text("owner") && { owner: text("owner") }),
    ...(models.length > 0 && { models }),
    ...(text("priority") === "bulk" && { priority: "bulk" }),
    ...(text("usd") && {
      budget: { usd: Number(text("usd")), per: text("per") === "day" ? "day" : "month" },
    }),
    ...(text("requests_per_minute") && {
      limits: { requests_per_minute: Number(text("requests_per_minute")) },
    }),
    ...(!Number.isNaN(expiresMs) && { expires_at: Math.floor(expiresMs / 1000) }),
  };
}

function SecretDialog({
  created,
  onClose,
}: {
  readonly created: Schemas["CreatedKey"];
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`The key ${created.name}`} onClose={onClose} stays>
      <p>Copy it now. The gateway keeps only a digest of it, and it is not shown again.</p>
      <div className="secret">
        <code>{created.value}</code>
        <CopyButton text={created.value} label="Copy the key" />
      </div>
      <div className="dialog-end">
        <button type="button" className="button primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
