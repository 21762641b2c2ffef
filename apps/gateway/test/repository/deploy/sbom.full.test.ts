import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../../../../..");

test("the lists of a release name every package that an install brings, for each platform", () => {
  const folder = mkdtempSync(join(tmpdir(), "sbom-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));

  execFileSync("npm", ["run", "sbom", "--", "--out", join(folder, "%s-%v.cdx.json")], { cwd: root });

  const lists = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  const { version, dependencies } = JSON.parse(readFileSync(join(root, "apps/gateway/package.json"), "utf8"));
  expect(lists.map(({ metadata }) => metadata.component.purl).sort()).toEqual([
    `pkg:npm/%40model-gateway/client@${version}`,
    `pkg:npm/%40model-gateway/gateway@${version}`,
    `pkg:npm/%40model-gateway/local-embeddings@${version}`,
  ]);
  for (const { bomFormat, specVersion } of lists) {
    expect(bomFormat).toBe("CycloneDX");
    expect(specVersion).toBe("1.6");
  }
  const gateway = lists.find(({ metadata }) => metadata.component.name === "gateway");
  const names: string[] = gateway.components.map(({ purl }: { purl: string }) =>
    decodeURIComponent(purl.replace(/^pkg:npm\/(.+)@.+$/, "$1")),
  );
  const own = Object.keys(dependencies).filter((name) => !name.startsWith("@model-gateway/"));
  expect(names).toEqual(
    expect.arrayContaining([...own, "@img/sharp-linux-arm64", "@img/sharp-darwin-arm64"]),
  );
  expect(names).not.toContain("vitest");
});
