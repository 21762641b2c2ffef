import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import type { Highlight } from "../markdown/highlight.js";
import { codeBlock } from "../markdown/render-markdown.js";
import { isFold, type MenuGroup, redocAddress } from "../menu.js";
import { drawShortComparison } from "./comparison-page.js";
import { readOn } from "./comparison-rows.js";
import { drawTabs } from "./tabs.js";

export interface HomeDrawing {
  readonly menu: readonly MenuGroup[];
  readonly highlight: Highlight;
  readonly operationCount: number;
  readonly codeCount: number;
  /** Page descriptions, by address. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** The release puts the name of the image into the command. */
const docker = `docker run --publish 8080:8080 \\
  --volume model-gateway:/data \\
  registry.example/model-gateway`;

const curl = `curl http://127.0.0.1:8080/v1/embeddings \\
  -H "Authorization: Bearer $GATEWAY_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "gte-small",
    "input": "The cat sat on the mat."
  }'`;

const javascript = `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "http://127.0.0.1:8080/v1",
  apiKey: process.env.GATEWAY_KEY,
});

const { data } = await client.embeddings.create({
  model: "gte-small",
  input: "The cat sat on the mat.",
});`;

const python = `import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["GATEWAY_KEY"],
)

response = client.embeddings.create(
    model="gte-small",
    input="The cat sat on the mat.",
)`;

const answer = `{
  "object": "list",
  "data": [
    {
      "object": "embedding",
      "index": 0,
      "embedding": [-0.0006090138, -0.03528391, …]
    }
  ],
  "model": "gte-small",
  "usage": { "prompt_tokens": 9, "total_tokens": 9 }
}`;

/** One sentence, the command, the call, the response, and then the reasons. */
export function drawHomePage(drawing: HomeDrawing): SitePage {
  const { highlight, operationCount, codeCount } = drawing;
  return {
    address: "",
    title: "Model Gateway",
    description: "One OpenAI-compatible address in front of every embedding and image model.",
    layout: "home",
    body: html`<section class="hero"><div>
<h1>One address for every embedding and image model</h1>
<p class="lead">Model Gateway speaks the OpenAI API. Keep your client and change its base URL. The gateway checks each request, picks a healthy upstream, retries, caches and counts the cost.</p>
${drawTabs({
  name: "start",
  legend: "Start it with",
  tabs: [
    {
      title: "npx",
      body: drawStart("npx @model-gateway/gateway", "It needs Node 20.19, or 22.12 or later.", highlight),
    },
    { title: "Docker", body: drawStart(docker, "The image is for x64 and arm64.", highlight) },
    {
      title: "A clone",
      body: drawStart(
        "npm start",
        "In a clone of the repository, with Node 20.19, or 22.12 or later.",
        highlight,
      ),
    },
  ],
})}
<p class="quiet">Three models run inside the gateway: no account and no configuration. It prints a key and a command to try.</p>
<p class="actions"><a class="button main" href="guides/quick-start/">Quick start</a> <a class="button" href="${redocAddress}" target="_blank" rel="noopener">API reference</a></p>
<p id="ready" class="quiet" hidden></p>
</div><div class="card">
${drawTabs({
  name: "language",
  legend: "Language",
  tabs: [
    { title: "curl", body: codeBlock(curl, "sh", highlight) },
    { title: "JavaScript", body: codeBlock(javascript, "js", highlight) },
    { title: "Python", body: codeBlock(python, "python", highlight) },
  ],
})}
<p class="quiet">The response:</p>
${codeBlock(answer, "json", highlight)}
</div></section>
<h2 id="build">Build with it</h2>
<ul class="cards">${drawCards(drawing, ["Start", "Build"])}
<li><a href="reference/">All operations</a><p>${operationCount} operations, each with curl, JavaScript and Python, and a form to try it.</p></li>
<li><a href="errors/">Error codes</a><p>${codeCount} codes, each with a page: its meaning, the remedy, and whether to retry.</p></li></ul>
<h2 id="run">Run it</h2>
<ul class="cards">${drawCards(drawing, ["Run"])}<li><a href="upstreams/providers/">Providers</a><p>The capabilities and the configuration of each provider.</p></li></ul>
<h2 id="rules">Three rules</h2>
<ul class="cards rules"><li><b>No option is ignored</b><p>If a model does not support an option, the gateway refuses the request and names the option.</p></li><li><b>Every error has one shape</b><p>Message, type, param and code, whichever part of the gateway it comes from.</p></li><li><b>Every response has an x-request-id</b><p>The log, the ledger and the console know the request by the same id.</p></li></ul>
<h2 id="why">Beside other gateways</h2>
<p>Some features that set it apart, and some that others have and it lacks, as of ${readOn}; <a href="comparison/">the whole table with its sources</a>.</p>
${drawShortComparison()}`,
  };
}

function drawStart(command: string, needs: string, highlight: Highlight): Html {
  return html`${codeBlock(command, "sh", highlight)}<p class="quiet">${needs}</p>`;
}

/** Card texts where the first sentence of the page does not fit. */
const summaries: Readonly<Record<string, string>> = {
  "guides/quick-start/": "From nothing to the first vector and the first image, in one command.",
  "guides/clients/":
    "The SDKs of OpenAI, Ollama, Cohere and Voyage, LangChain and others, with a change of address.",
  "guides/the-console/": "See and try every model, and follow activity and cost.",
  "guides/embeddings-through-the-gateway/":
    "Batches, shorter vectors, base64, caching, and vector spaces that never mix.",
  "guides/images-through-the-gateway/": "Create, edit with a mask, stream partial images, links.",
  "guides/image-jobs/": "Images that outlive their connection: wait, webhooks, never paid twice.",
  "guides/model-catalog/": "Ids, aliases, patterns, discovered models and fallbacks.",
  "guides/command-line/": "Try a model, see the state, create keys, connect another program.",
  "guides/deploy/": "npm, containers, Helm, Kubernetes or systemd; replicas, probes, backups, sizes.",
  "guides/scheduling/": "Which target serves a request: tiers, weights, retries, hedging, circuit breakers.",
  "guides/administration/": "Keys, usage and cost, by the admin API.",
  "guides/faq/": "Short answers about models, vectors, errors, cost and operation.",
  "guides/upgrading/": "The steps of an upgrade, the way back, and the notes for each version.",
  "guides/troubleshooting/": "Symptoms, their causes and remedies.",
  "guides/moving-from-litellm/": "Import the configuration of a LiteLLM proxy.",
  "guides/moving-from-bifrost/": "Import Bifrost's config.json.",
};

function drawCards({ menu, descriptions }: HomeDrawing, groups: readonly string[]): Html[] {
  return menu
    .filter(({ title }) => groups.includes(title))
    .flatMap(({ entries }) => entries.flatMap((entry) => (isFold(entry) ? [] : [entry])))
    .filter(({ address }) => address !== "" && address !== "errors/")
    .map(
      ({ title, address }) =>
        html`<li><a href="${address}">${title}</a><p>${summaries[address] ?? descriptions.get(address)}</p></li>`,
    );
}
