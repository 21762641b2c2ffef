import { defineConfig } from "vite";

export default defineConfig({
  // Files are named relative to the page: it works behind any path prefix of a proxy.
  base: "./",
  // Preact has React's interface at a sixth of its size. React is here for its types.
  resolve: {
    alias: {
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
      react: "preact/compat",
    },
  },
  build: {
    target: "es2023",
    // The policy of the page allows no inline script and no data URL.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      // React Query marks its files for servers that render React. Here they all run in the browser.
      checks: { moduleLevelDirective: false },
      // All that two pages share is one file. Many small ones compress worse, and each is a request. The same holds for the
      // pages that a session begins with, and for the two forms, of which one leads to the other.
      output: {
        codeSplitting: {
          groups: [
            { name: "common", minShareCount: 2, priority: 2 },
            { name: "first", test: /src\/pages\/(overview|own-key|models)\//, priority: 1 },
            { name: "forms", test: /src\/pages\/configure\//, priority: 1 },
          ],
        },
      },
    },
  },
});
