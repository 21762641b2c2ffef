import { type ShownModel, useListModels } from "../../operations/listModels.js";
import { hasVectorsToCompare } from "../../operations/named-target.js";
import { useRetrieveConfiguration } from "../../operations/retrieveConfiguration.js";
import type { Schemas } from "../../operations/schemas.js";
import { CopyId } from "../../parts/copy.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Filters } from "../../parts/filters.js";
import { plural } from "../../parts/format.js";
import { Page } from "../../parts/page.js";
import { Empty, Loaded } from "../../parts/states.js";
import { Table } from "../../parts/table.js";
import { changeQuery, linkTo, useAddress } from "../../routes/address.js";
import { useSheet } from "../../routes/sheet.js";
import { useMay, useSignedIn } from "../../session/session-context.js";
import { CompareTargets } from "../compare-targets.js";
import { EntryActions } from "../configure/entry-actions.js";
import { RemoveDialog } from "../configure/remove-dialog.js";
import { LastComparison } from "../last-comparison.js";
import { TargetLatency, TargetStateBadge } from "../target-state.js";
import { describeModel, describePrice, listPrices } from "./describe-model.js";
import { knownFrom } from "./known-from.js";
import { ModelBadge, ModelHealth } from "./model-health.js";
import { modelKinds } from "./model-kinds.js";
import { UseModel } from "./use-model.js";

/** More cards than this make the page slow; the search finds the rest. */
const cardsMax = 60;

export default function ModelsPage() {
  const models = useListModels();
  const isOperator = useSignedIn().session.kind === "operator";
  const mayChange = useMay("changeConfiguration");
  return (
    <Page
      title="Models"
      lead="The models that callers may use, by id."
      actions={
        mayChange && (
          <a className="button primary" href={linkTo("/models/add")}>
            Add model
          </a>
        )
      }
    >
      <Loaded query={models} shape="cards">
        {(all) => <ModelCards all={all} isOperator={isOperator} />}
      </Loaded>
    </Page>
  );
}

interface ModelCardsProps {
  readonly all: readonly ShownModel[];
  readonly isOperator: boolean;
}

function ModelCards({ all, isOperator }: ModelCardsProps) {
  const address = useAddress();
  const configuration = useRetrieveConfiguration({ isEnabled: useMay("retrieveConfiguration") });
  const use = useSheet("use");
  const remove = useSheet("remove");
  const used = all.find(({ id }) => id === use.open);
  const only = address.query.get("model");
  const search = address.query.get("search") ?? "";
  const type = address.query.get("type") ?? "";
  const fitting = all.filter(
    (model) =>
      (only === null || model.id === only) &&
      (type === "" || model.type === type) &&
      [model.id, ...model.aliases].some((id) => id.toLowerCase().includes(search.toLowerCase())),
  );
  if (all.length === 0) return <Empty>No model is offered to this key.</Empty>;
  return (
    <>
      <Filters
        count={type === "" ? 0 : 1}
        total={<Total fitting={fitting.length} all={all.length} />}
        first={
          <TextField
            label="Find"
            room="wide"
            placeholder="Id of a model"
            type="search"
            value={only ?? search}
            onChange={(event) => changeQuery(address, { search: event.target.value, model: undefined })}
          />
        }
      >
        <SelectField
          label="Type"
          value={type}
          options={[
            { value: "", label: "All types" },
            ...Object.entries(modelKinds).map(([value, { name }]) => ({ value, label: name })),
          ]}
          onChange={(value) => changeQuery(address, { type: value })}
        />
      </Filters>
      {fitting.length === 0 ? (
        <Empty
          action={
            <a className="button" href={linkTo("/models")}>
              Clear filters
            </a>
          }
        >
          No model fits.
        </Empty>
      ) : (
        <div className="cards">
          {fitting.slice(0, cardsMax).map((model) => (
            <ModelCard
              key={model.id}
              model={model}
              isInFile={configuration.data?.models[model.id] !== undefined}
              use={use.link(model.id)}
              remove={remove.link(model.id)}
            />
          ))}
        </div>
      )}
      {fitting.length > cardsMax && (
        <p className="quiet">
          The first {cardsMax} of {fitting.length} models. Search to find the others.
        </p>
      )}
      {isOperator && remove.open !== undefined && (
        <RemoveDialog name={remove.open} kind="models" onClose={remove.close} />
      )}
      {used !== undefined && (
        <Dialog title={`Use ${used.id}`} onClose={use.close}>
          <UseModel model={used} isOperator={isOperator} />
        </Dialog>
      )}
    </>
  );
}

function Total({ fitting, all }: { readonly fitting: number; readonly all: number }) {
  if (fitting === all) return plural(all, "model");
  return (
    <>
      {fitting} of {plural(all, "model")} · <a href={linkTo("/models")}>Show all</a>
    </>
  );
}

function TargetEnd({ date, successor }: { readonly date: string; readonly successor: string | null }) {
  return (
    <span className="tone-warn">
      {date}
      {successor !== null && `, use ${successor}`}
    </span>
  );
}

interface ModelCardProps {
  readonly model: ShownModel;
  /** Whether it can be changed: a discovered model is in no file. */
  readonly isInFile: boolean;
  /** The links that open its samples, and the dialog that removes it. */
  readonly use: string;
  readonly remove: string;
}

function ModelCard({ model, isInFile, use, remove }: ModelCardProps) {
  const { id, type, description, isPattern, statusReason, targets, comparison } = model;
  return (
    <article className="panel stack model-card" aria-label={id}>
      <div>
        <div className="model-head">
          <h2>
            <CopyId id={id} what={id} link={linkTo("/models", { model: id })} />
          </h2>
          <ModelBadge model={model} />
        </div>
        <ModelHealth model={model} />
        {statusReason !== undefined && <p className="tone-bad">{statusReason}</p>}
        {description !== undefined && <p className="quiet">{description}</p>}
      </div>
      <Facts facts={[...describeModel(model), ...knownFrom(model)]} />
      {targets !== undefined && (
        <Table
          caption={`Targets of ${id}`}
          rows={targets}
          rowKey={(target) => `${target.upstream}/${target.model}`}
          columns={[
            {
              head: "Target",
              cell: ({ upstream, model }) => (
                <a href={linkTo("/upstreams", { upstream, target: model })}>
                  {upstream}
                  <span className="visually-hidden"> / </span>
                  <span className="target-name mono">{model}</span>
                </a>
              ),
              value: ({ upstream, model }) => `${upstream} / ${model}`,
            },
            {
              head: "State",
              cell: (target) => <TargetStateBadge target={target} />,
              value: ({ state }) => state,
            },
            // One tier says nothing, and its column would take room from the names.
            ...(new Set(targets.map(({ tier }) => tier)).size > 1
              ? [
                  {
                    head: "Tier",
                    cell: ({ tier }: Schemas["AdminTarget"]) => tier,
                    value: ({ tier }: Schemas["AdminTarget"]) => tier,
                    kind: "number" as const,
                  },
                ]
              : []),
            {
              head: "p50 / p95",
              cell: ({ latency }) => <TargetLatency latency={latency} />,
              value: ({ latency }) => latency?.p50_ms,
              kind: "number",
            },
            {
              head: "Price",
              cell: ({ pricing }) => (
                <span title={pricing ? listPrices(pricing).join("\n") : undefined}>
                  {describePrice(pricing)}
                </span>
              ),
              kind: "nowrap",
            },
            ...(targets.some((target) => target.shutdown_date !== null)
              ? [
                  {
                    head: "Shuts down",
                    cell: ({ shutdown_date, successor }: Schemas["AdminTarget"]) =>
                      shutdown_date === null ? "–" : <TargetEnd date={shutdown_date} successor={successor} />,
                    value: ({ shutdown_date }: Schemas["AdminTarget"]) => shutdown_date,
                  },
                ]
              : []),
          ]}
        />
      )}
      {comparison !== undefined && <LastComparison comparison={comparison} />}
      <div className="row model-end">
        {!isPattern && (
          <a className="button" href={linkTo(modelKinds[type].playground, { model: id })}>
            Try it
            <span className="visually-hidden"> {id}</span>
          </a>
        )}
        <a className="button" href={use}>
          Use it in code
          <span className="visually-hidden"> {id}</span>
        </a>
        {isInFile && (
          <EntryActions name={id} change={linkTo("/models/change", { model: id })} remove={remove} />
        )}
        {hasVectorsToCompare(model) && <CompareTargets model={id} />}
      </div>
    </article>
  );
}
