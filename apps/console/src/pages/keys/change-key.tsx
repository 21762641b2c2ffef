import { useState } from "react";
import { useChangeKey } from "../../operations/changeKey.js";
import { useListModels } from "../../operations/listModels.js";
import type { Schemas } from "../../operations/schemas.js";
import { changeBody, draftOf } from "./key-draft.js";
import { KeyForm } from "./key-form.js";

interface ChangeKeyDialogProps {
  readonly accessKey: Schemas["AccessKey"];
  readonly onClose: () => void;
}

/** Changes the properties of a key that were edited, and no others. */
export function ChangeKeyDialog(props: ChangeKeyDialogProps) {
  const models = useListModels().data;
  // The draft is made once, and needs the ids to tell them from patterns.
  return models === undefined ? null : <Form {...props} known={models.map(({ id }) => id)} />;
}

function Form({ accessKey, known, onClose }: ChangeKeyDialogProps & { readonly known: readonly string[] }) {
  const change = useChangeKey();
  const [before] = useState(() => draftOf(accessKey, known));
  const [draft, setDraft] = useState(before);
  const edit = (changed: typeof draft) => {
    setDraft(changed);
    // The change may mend the fault that the gateway has found.
    change.reset();
  };
  const body = changeBody(before, draft);
  return (
    <KeyForm
      title={`Change ${accessKey.name}`}
      draft={draft}
      onChange={edit}
      onSubmit={() => change.mutate({ key: accessKey.id, body }, { onSuccess: onClose })}
      onClose={onClose}
      isPending={change.isPending}
      isDisabled={Object.keys(body).length === 0}
      error={change.error}
    >
      {change.isPending ? "Saving…" : "Save changes"}
    </KeyForm>
  );
}
