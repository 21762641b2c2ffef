import { useState } from "react";
import type { Schemas } from "../../operations/schemas.js";
import { TextField } from "../../parts/fields.js";
import { Empty } from "../../parts/states.js";
import { linkTo } from "../../routes/address.js";
import { modelKinds } from "../models/model-kinds.js";

type Provider = Schemas["Provider"];

/** The first step: which API the upstream has. */
export function ProviderList({ providers }: { readonly providers: readonly Provider[] }) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const fitting = providers.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(wanted));
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
      {fitting.length === 0 ? (
        <Empty>
          No provider fits. A service with OpenAI's API works with{" "}
          <a href={linkTo("/upstreams/add", { provider: "openai-compatible" })}>openai-compatible</a>.
        </Empty>
      ) : (
        <ul className="choices">
          {fitting.map(({ id, title, model_types }) => (
            <li key={id}>
              <a className="choice" href={linkTo("/upstreams/add", { provider: id })}>
                <strong>{title}</strong>
                <span className="small quiet">
                  {model_types.map((type) => modelKinds[type].name).join(", ")}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
