import icon from "@model-gateway/web/icon.svg";
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from "react";
import { Boundary } from "./parts/boundary.js";
import { Icon, type IconName } from "./parts/icons.js";
import { Page } from "./parts/page.js";
import { Empty, Loading } from "./parts/states.js";
import { linkTo, useAddress } from "./routes/address.js";
import { SearchButton } from "./search/search-button.js";
import { gatewayRoot } from "./session/session-client.js";
import { useSignedIn } from "./session/session-context.js";
import { applyTheme, readTheme, type Theme } from "./session/theme.js";

interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Audience of the menu entry. */
  readonly for: "everyone" | "operator";
  /** Loaded when it is opened. */
  readonly page: ComponentType;
}

const places: readonly Place[] = [
  {
    path: "/",
    name: "Overview",
    icon: "overview",
    for: "operator",
    page: lazy(() => import("./pages/overview/overview.js")),
  },
  {
    path: "/models",
    name: "Models",
    icon: "models",
    for: "everyone",
    page: lazy(() => import("./pages/models/models.js")),
  },
  {
    path: "/embeddings",
    name: "Embeddings",
    icon: "playground",
    for: "everyone",
    page: lazy(() => import("./playground/embeddings/embeddings.js")),
  },
  {
    path: "/images",
    name: "Images",
    icon: "image",
    for: "everyone",
    page: lazy(() => import("./playground/images/images.js")),
  },
  {
    path: "/requests",
    name: "Requests",
    icon: "requests",
    for: "operator",
    page: lazy(() => import("./pages/requests/requests.js")),
  },
  {
    path: "/usage",
    name: "Usage",
    icon: "usage",
    for: "operator",
    page: lazy(() => import("./pages/usage/usage.js")),
  },
  {
    path: "/keys",
    name: "Keys",
    icon: "keys",
    for: "operator",
    page: lazy(() => import("./pages/keys/keys.js")),
  },
  {
    path: "/upstreams",
    name: "Upstreams",
    icon: "upstreams",
    for: "operator",
    page: lazy(() => import("./pages/upstreams/upstreams.js")),
  },
  {
    path: "/configuration",
    name: "Configuration",
    icon: "configuration",
    for: "operator",
    page: lazy(() => import("./pages/configuration/configuration.js")),
  },
];

/** A page that another one leads to. It is not in the menu. */
interface InnerPlace extends Pick<Place, "path" | "name" | "for" | "page"> {
  /** The path of the menu entry that it belongs to. */
  readonly under: string;
}

const upstreamForm = lazy(() => import("./pages/configure/upstream-form.js"));
const modelForm = lazy(() => import("./pages/configure/model-form.js"));

const innerPlaces: readonly InnerPlace[] = [
  { path: "/upstreams/add", name: "Add upstream", under: "/upstreams", for: "operator", page: upstreamForm },
  {
    path: "/upstreams/change",
    name: "Change upstream",
    under: "/upstreams",
    for: "operator",
    page: upstreamForm,
  },
  { path: "/models/add", name: "Add model", under: "/models", for: "operator", page: modelForm },
  { path: "/models/change", name: "Change model", under: "/models", for: "operator", page: modelForm },
];

/** The menu, and the page of the address beside it. */
export function Frame() {
  const { session, signOut } = useSignedIn();
  const { path } = useAddress();
  const isAllowed = (place: Pick<Place, "for">) => place.for === "everyone" || session.kind === "operator";
  const menu = places.filter(isAllowed);
  const inner = innerPlaces.find((one) => one.path === path);
  const place = path === "/" ? menu[0] : (inner ?? places.find((one) => one.path === path));
  const menuPath = inner?.under ?? place?.path;
  const menuList = useRef<HTMLUListElement>(null);
  // On a phone the menu is a row that scrolls.
  useEffect(() => {
    const current = menuList.current?.querySelector(`[href="${linkTo(menuPath ?? "")}"]`);
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [menuPath]);
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
        <header className="side">
          <div className="brand">
            <img src={icon} alt="" />
            Model Gateway
          </div>
          <SearchButton pages={menu} />
          <nav aria-label="Pages">
            <ul className="menu" ref={menuList}>
              {menu.map((one) => (
                <li key={one.path}>
                  <a href={linkTo(one.path)} aria-current={one.path === menuPath ? "page" : undefined}>
                    <Icon name={one.icon} />
                    {one.name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="side-end">
            <a className="side-link" href={`${gatewayRoot}/docs/`} target="_blank" rel="noopener noreferrer">
              <Icon name="reference" />
              Reference
              <Icon name="external" size={14} />
            </a>
            <ThemeSwitch />
            <p className="who small quiet">
              {session.kind === "operator" ? "Signed in as operator" : `Signed in as ${session.name}`}
            </p>
            <button type="button" className="button" onClick={signOut}>
              <Icon name="out" size={16} />
              Sign out
            </button>
          </div>
        </header>
        <main className="main" id="main">
          <Boundary key={place?.path}>
            <Suspense fallback={<Loading />}>
              {place === undefined ? (
                <UnknownPage />
              ) : isAllowed(place) ? (
                <place.page key={place.path} />
              ) : (
                <OperatorsOnly name={place.name} />
              )}
            </Suspense>
          </Boundary>
        </main>
      </div>
    </>
  );
}

function OperatorsOnly({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Empty action={<a href={linkTo("/models")}>See the models</a>}>This needs the admin key.</Empty>
    </Page>
  );
}

function UnknownPage() {
  return (
    <Page title="No such page">
      <Empty action={<a href={linkTo("/")}>Go to the first page</a>}>The console has no page here.</Empty>
    </Page>
  );
}

const themes: readonly { readonly theme: Theme; readonly name: string }[] = [
  { theme: "system", name: "Auto" },
  { theme: "light", name: "Light" },
  { theme: "dark", name: "Dark" },
];

function ThemeSwitch() {
  const [chosen, choose] = useState(readTheme);
  return (
    <fieldset className="theme" aria-label="Theme">
      {themes.map(({ theme, name }) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          onClick={() => {
            applyTheme(theme);
            choose(theme);
          }}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
