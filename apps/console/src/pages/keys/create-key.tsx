import { useState } from "react";
import type { useCreateKey } from "../../operations/createKey.js";
import { createBody, emptyDraft } from "./key-draft.js";
import { KeyForm } from "./key-form.js";

interface CreateKeyDialogProps {
  readonly create: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
}

/** Creates a key. The page then shows its secret once. */
export function CreateKeyDialog({ create, onClose }: CreateKeyDialogProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const change = (changed: typeof draft) => {
    setDraft(changed);
    // The change may mend the fault that the gateway has found.
    create.reset();
  };
  return (
    <KeyForm
      title="Create key"
      draft={draft}
      onChange={change}
      onSubmit={() => create.mutate(createBody(draft))}
      onClose={onClose}
      isPending={create.isPending}
      error={create.error}
    >
      {create.isPending ? "Creating…" : "Create key"}
    </KeyForm>
  );
}
