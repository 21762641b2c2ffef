import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import { Code } from "../../parts/code-sample.js";
import { Page } from "../../parts/page.js";
import { Panel } from "../../parts/panel.js";
import { Loaded } from "../../parts/states.js";
import { When } from "../../parts/when.js";

export default function ConfigurationPage() {
  const configuration = useRetrieveConfiguration();
  return (
    <Page
      title="Configuration"
      lead="The active configuration without its secrets. Change it in the file, or on the pages of upstreams and models."
    >
      <Loaded query={configuration}>
        {({ file, text, read_at, last_refusal }) => (
          <>
            {last_refusal !== null && (
              <div className="fault" role="alert">
                <p>
                  A newer file was refused <When at={last_refusal.at} />. The configuration below is still
                  active.
                </p>
                <ul className="faults">
                  {last_refusal.faults.map((fault) => (
                    <li key={fault}>
                      <code>{fault}</code>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            <Panel title={file ?? "Built-in configuration"} actions={<ReadAt at={read_at} />}>
              <Code text={text} label="The configuration" />
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ReadAt({ at }: { readonly at: number }) {
  return (
    <span className="small quiet">
      read <When at={at} />
    </span>
  );
}
