import { useListModels } from "../../operations/listModels.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import { Code } from "../../parts/code-sample.js";
import { CopyButton, CopyTextButton } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { gatewayRoot } from "../../session/session-client.js";
import { samplesFor } from "../models/describe-model.js";
import { handOverText, isOnlyHere } from "./hand-over-text.js";
import { allowedModels } from "./match-models.js";
import { nameUnpriced } from "./unpriced-models.js";

interface HandOverDialogProps {
  readonly created: Schemas["CreatedKey"];
  readonly onClose: () => void;
}

/** A new secret, shown once, and the text for its owner. No stray click closes it. */
export function HandOverDialog({ created, onClose }: HandOverDialogProps) {
  const models = useListModels().data ?? [];
  const root = useRetrieveConfiguration().data?.public_url ?? gatewayRoot;
  const allowed = allowedModels(created.models, models);
  const first = allowed.find(({ isPattern, status }) => status !== "unavailable" && !isPattern);
  const sample = first && samplesFor(first, root).find(({ language }) => language === "curl")?.code;
  const text = handOverText({
    created,
    root,
    models: allowed.map(({ id }) => id),
    unpriced: nameUnpriced(allowed),
    sample,
  });
  return (
    <Dialog title={`The key ${created.name}`} onClose={onClose} stays>
      <div className="stack">
        <p>Copy it now. The gateway keeps only a digest of it, and it is not shown again.</p>
        <div className="secret">
          <code>{created.value}</code>
          <CopyButton text={created.value} label="Copy the key" />
        </div>
        <h3>For its owner</h3>
        {isOnlyHere(root) && <OnlyHere root={root} />}
        <Code text={text} label="Text to hand over" />
        <div className="dialog-end">
          <CopyTextButton text={text}>Copy text to hand over</CopyTextButton>
          <button type="button" className="button primary" onClick={onClose}>
            I have stored it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** A warning that the base URL works on this machine alone. */
function OnlyHere({ root }: { readonly root: string }) {
  return (
    <p className="notice" role="status">
      Other machines cannot reach {new URL(root).host}. Replace it in the text with the address that they use.
      Set <code>publicUrl</code> in the configuration, or <code>PUBLIC_URL</code>, and the text will have it.
    </p>
  );
}
