import type { OperationId } from "@model-gateway/client";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Boundary } from "./parts/boundary.js";
import { Icon, type IconName } from "./parts/icons.js";
import { GuideContext, Page } from "./parts/page.js";
import { Empty, Loading } from "./parts/states.js";
import { Switch } from "./parts/switch.js";
import { applyTimeZone, readTimeZone, type TimeZone } from "./parts/time-zone.js";
import { goTo, linkTo, useAddress } from "./routes/address.js";
import type { SearchedPage } from "./search/find-places.js";
import { SearchButton } from "./search/search-button.js";
import { gatewayRoot } from "./session/session-client.js";
import { useSignedIn } from "./session/session-context.js";
import { Places, SiteBar } from "./session/site-bar.js";
import { applyTheme, readTheme, type Theme } from "./session/theme.js";

interface Place extends Pick<SearchedPage, "parts"> {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Audience of the menu entry. */
  readonly for: "everyone" | "operator" | "caller";
  /** The operation that it shows or calls. A session without the right to it does not have the page. */
  readonly needs: OperationId;
  /** Loaded when it is opened. */
  readonly page: ComponentType;
  /** The guide to it, in the docs. */
  readonly guide: string;
  /** Other words that the search finds it by, in small letters. */
  readonly words: readonly string[];
}

const places: readonly Place[] = [
  {
    path: "/",
    name: "Overview",
    icon: "overview",
    for: "operator",
    needs: "listAlerts",
    page: lazy(() => import("./pages/overview/overview.js")),
    guide: "guides/the-console/#pages",
    words: ["alerts", "needs attention", "failures"],
  },
  {
    path: "/key",
    name: "Your key",
    icon: "keys",
    for: "caller",
    needs: "retrieveOwnKey",
    page: lazy(() => import("./pages/own-key/own-key.js")),
    guide: "guides/the-console/#a-callers-own-view",
    words: ["budget", "limits", "spend", "cost", "usage", "requests"],
  },
  {
    path: "/models",
    name: "Models",
    icon: "models",
    for: "everyone",
    needs: "listModels",
    page: lazy(() => import("./pages/models/models.js")),
    guide: "guides/model-catalog/",
    words: ["price", "aliases", "capabilities", "code samples", "add model"],
  },
  {
    path: "/embeddings",
    name: "Embeddings",
    icon: "playground",
    for: "everyone",
    needs: "createEmbedding",
    page: lazy(() => import("./playground/embeddings/embeddings.js")),
    guide: "guides/the-console/#compare-texts",
    words: ["vectors", "similarity", "playground", "nearest neighbours", "compare texts"],
  },
  {
    path: "/images",
    name: "Images",
    icon: "image",
    for: "everyone",
    needs: "createImage",
    page: lazy(() => import("./playground/images/images.js")),
    guide: "guides/the-console/#generate-and-compare-images",
    words: ["pictures", "mask", "playground", "generate", "compare prompts", "compare models"],
  },
  {
    path: "/requests",
    name: "Requests",
    icon: "requests",
    for: "operator",
    needs: "listRequests",
    page: lazy(() => import("./pages/requests/requests.js")),
    guide: "guides/troubleshooting/#requests-fail",
    words: ["errors", "log", "ledger", "history"],
  },
  {
    path: "/jobs",
    name: "Jobs",
    icon: "jobs",
    for: "everyone",
    needs: "listJobs",
    page: lazy(() => import("./pages/jobs/jobs.js")),
    guide: "guides/the-console/#jobs-and-batches",
    words: ["batches", "image jobs", "queue", "progress", "files", "cancel"],
  },
  {
    path: "/usage",
    name: "Usage",
    icon: "usage",
    for: "operator",
    needs: "retrieveUsage",
    page: lazy(() => import("./pages/usage/usage.js")),
    guide: "guides/administration/#usage",
    words: ["cost", "budget", "money", "owners", "teams", "billing"],
    parts: { "spend this month": { time: "month", by: "owner", measure: "cost_usd" } },
  },
  {
    path: "/keys",
    name: "Keys",
    icon: "keys",
    for: "operator",
    needs: "listKeys",
    page: lazy(() => import("./pages/keys/keys.js")),
    guide: "guides/administration/#keys",
    words: ["budget", "limits", "owners", "tokens", "callers", "rotate", "revoke", "secrets"],
    parts: { "create key": { create: "key" } },
  },
  {
    path: "/upstreams",
    name: "Upstreams",
    icon: "upstreams",
    for: "operator",
    needs: "listUpstreams",
    page: lazy(() => import("./pages/upstreams/upstreams.js")),
    guide: "guides/scheduling/#unhealthy-targets",
    words: ["targets", "health", "providers", "outage", "try now"],
    parts: {
      "failover rehearsal": { section: "rehearsal" },
      "what if it is down": { section: "rehearsal" },
      "vector-space doctor": { section: "doctor" },
      "compare targets": { section: "doctor" },
      "same vectors": { section: "doctor" },
    },
  },
  {
    path: "/configuration",
    name: "Configuration",
    icon: "configuration",
    for: "operator",
    needs: "retrieveConfiguration",
    page: lazy(() => import("./pages/configuration/configuration.js")),
    guide: "guides/configuration/",
    words: ["settings", "yaml", "file"],
  },
];

/** A page that another one leads to. It is not in the menu. */
interface InnerPlace extends Pick<Place, "path" | "name" | "for" | "needs" | "page" | "guide"> {
  /** The path of the menu entry that it belongs to. */
  readonly under: string;
}

const upstreamForm = lazy(() => import("./pages/configure/upstream-form.js"));
const modelForm = lazy(() => import("./pages/configure/model-form.js"));

/** Common to the forms for upstreams and models. */
const form = {
  for: "operator",
  needs: "changeConfiguration",
  guide: "guides/the-console/#add-an-upstream",
} as const;

const innerPlaces: readonly InnerPlace[] = [
  { ...form, path: "/upstreams/add", name: "Add upstream", under: "/upstreams", page: upstreamForm },
  { ...form, path: "/upstreams/change", name: "Change upstream", under: "/upstreams", page: upstreamForm },
  { ...form, path: "/models/add", name: "Add model", under: "/models", page: modelForm },
  { ...form, path: "/models/change", name: "Change model", under: "/models", page: modelForm },
];

/** The menu, and the page of the address beside it. */
export function Frame() {
  const { session, signOut } = useSignedIn();
  const { path } = useAddress();
  const isMeant = (place: Pick<Place, "for">) => place.for === "everyone" || place.for === session.kind;
  const isAllowed = (place: Pick<Place, "needs">) => session.operations.includes(place.needs);
  const menu = places.filter((one) => isMeant(one) && isAllowed(one));
  const inner = innerPlaces.find((one) => one.path === path);
  const place = path === "/" ? menu[0] : (inner ?? places.find((one) => one.path === path));
  const isRefused = place !== undefined && !isMeant(place);
  const first = linkTo(menu[0]?.path ?? "/");
  // Above the page: it is drawn again with the times of the other zone.
  const [timeZone, setTimeZone] = useState(readTimeZone);
  const chooseTimeZone = (zone: TimeZone) => {
    applyTimeZone(zone);
    setTimeZone(zone);
  };
  // An operator's page may be in a link that a caller follows, or in the address that they signed in at.
  useEffect(() => {
    if (isRefused) goTo(first, { replace: true });
  }, [isRefused, first]);
  return (
    <>
      <button
        type="button"
        className="button skip"
        onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}
      >
        Skip to the page
      </button>
      <div className="frame">
        <Side menu={menu} current={inner?.under ?? place?.path}>
          <ThemeSwitch />
          <Switch label="Time zone" options={timeZones} chosen={timeZone} onChange={chooseTimeZone} />
          <p className="who small quiet">
            {`Signed in as ${session.name}${session.role === null || session.role === session.name ? "" : `, role ${session.role}`}`}
          </p>
          <button type="button" className="button" onClick={signOut}>
            <Icon name="out" size={16} />
            Sign out
          </button>
        </Side>
        <main className="main" id="main">
          <Boundary key={place?.path}>
            <Suspense fallback={<Loading />}>
              {place === undefined ? (
                <UnknownPage />
              ) : isRefused ? (
                <Loading />
              ) : !isAllowed(place) ? (
                <PageOfOtherRoles name={place.name} role={session.role} />
              ) : (
                <GuideContext value={docsLink(place.guide)}>
                  <place.page key={place.path} />
                </GuideContext>
              )}
            </Suspense>
          </Boundary>
        </main>
      </div>
    </>
  );
}

interface SideProps {
  readonly menu: readonly Place[];
  /** The path of the current page in the menu. */
  readonly current: string | undefined;
  /** Settings and the session. */
  readonly children: ReactNode;
}

/** The header, and the menu with everything that belongs to no page. On a phone the menu opens below the header. */
function Side({ menu, current, children }: SideProps) {
  const address = useAddress();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address]);
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === "Escape") setOpen(false);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isOpen]);
  return (
    <>
      <SiteBar>
        <SearchButton pages={menu} />
        <button
          type="button"
          className="button menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "close" : "requests"} size={16} />
          Menu
        </button>
      </SiteBar>
      <aside className={isOpen ? "side open" : "side"} id="menu" aria-label="Menu">
        <nav aria-label="Pages">
          <ul className="menu">
            {menu.map((one) => (
              <li key={one.path}>
                <a href={linkTo(one.path)} aria-current={one.path === current ? "page" : undefined}>
                  <Icon name={one.icon} />
                  {one.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="side-end">
          <nav className="side-places" aria-label="Places">
            <Places />
          </nav>
          {children}
        </div>
      </aside>
    </>
  );
}

function docsLink(address: string): string {
  return `${gatewayRoot}/docs/${address}`;
}

function UnknownPage() {
  return (
    <Page title="No such page">
      <Empty action={<a href={linkTo("/")}>Go to the first page</a>}>The console has no page here.</Empty>
    </Page>
  );
}

/** The address of a page that the role of the session does not include. */
function PageOfOtherRoles({ name, role }: { readonly name: string; readonly role: string | null }) {
  return (
    <Page title={name}>
      <Empty action={<a href={linkTo("/")}>Go to the first page</a>}>
        {`The role ${role} does not include this page. An administrator sets roles under "operators" in the configuration.`}
      </Empty>
    </Page>
  );
}

const themes = [
  { value: "system", name: "Auto" },
  { value: "light", name: "Light" },
  { value: "dark", name: "Dark" },
] as const;

function ThemeSwitch() {
  const [chosen, choose] = useState(readTheme);
  const change = (theme: Theme) => {
    applyTheme(theme);
    choose(theme);
  };
  return <Switch label="Theme" options={themes} chosen={chosen} onChange={change} />;
}

const timeZones = [
  { value: "local", name: "Local time" },
  { value: "utc", name: "UTC" },
] as const;
