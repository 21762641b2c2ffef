import { Page } from "../../parts/page.js";
import { changeQuery, useAddress } from "../../routes/address.js";
import { useSignedIn } from "../../session/session-context.js";
import { KeyField } from "../requests/key-field.js";
import { BatchList } from "./batch-list.js";
import { JobList } from "./job-list.js";

/** Work in the background: of all keys for an operator, of the own key for a caller. */
export default function JobsPage() {
  const address = useAddress();
  const isOperator = useSignedIn().session.kind === "operator";
  const key = address.query.get("key") ?? "";
  return (
    <Page
      title="Jobs"
      lead={`Batches and image jobs of ${isOperator ? "all keys" : "your key and of keys with the same owner"}, newest first. They run in the background.`}
    >
      {isOperator && (
        <search className="filters">
          <KeyField value={key} onChange={(id) => changeQuery(address, { key: id })} />
        </search>
      )}
      <BatchList {...(isOperator && key !== "" && { keyId: key })} />
      <JobList {...(isOperator && key !== "" && { keyId: key })} />
    </Page>
  );
}
