import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { TextField } from "../../parts/fields.js";
import { Empty } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { modelKinds } from "../models/model-kinds.js";

type Provider = Schemas["Provider"];

/** The first step: which API the upstream has. Known services with OpenAI's API are chosen by their names. */
export function ProviderList({ providers }: { readonly providers: readonly Provider[] }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const fits = ({ id, title }: Named) => `${id} ${title}`.toLowerCase().includes(wanted);
  const fitting = providers.filter(fits);
  const services = providers.flatMap(({ id, presets }) =>
    presets.filter(fits).map((preset) => ({ ...preset, link: linkToForm(id, preset.id) })),
  );
  return (
    <>
      <search className="filters">
        <TextField
          label="Find a provider"
          room="wide"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </search>
      {fitting.length + services.length === 0 && (
        <Empty>
          No provider fits. A service with OpenAI's API works with{" "}
          <a href={linkToForm("openai-compatible")}>openai-compatible</a>.
        </Empty>
      )}
      {fitting.length > 0 && (
        <Choices of={fitting.map((provider) => ({ ...provider, link: linkToForm(provider.id) }))} />
      )}
      {services.length > 0 && (
        <>
          <h2>Services and servers with OpenAI's API</h2>
          <Choices of={services} />
        </>
      )}
    </>
  );
}

type Named = Pick<Provider, "id" | "title" | "model_types">;

function Choices({ of }: { readonly of: readonly (Named & { readonly link: string })[] }) {
  return (
    <ul className="choices">
      {of.map(({ id, title, model_types, link }) => (
        <li key={id}>
          <a className="choice" href={link}>
            <strong>{title}</strong>
            <code className="small">{id}</code>
            <span className="small quiet">{model_types.map((type) => modelKinds[type].name).join(", ")}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The form of a new upstream. */
export function linkToForm(provider: string, preset?: string): string {
  return linkTo("/upstreams/add", { provider, ...(preset !== undefined && { preset }) });
}
