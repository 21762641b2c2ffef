/**
 * Checks a release before anything is published: `node apps/gateway/check-release.mjs v1.1.0 host/owner/model-gateway`.
 * With `--news` it prints the section of the changelog.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [tag = "", image = "", option] = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "apps/gateway/package.json"), "utf8"));
if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not v${version}, the version of the packages.`);
if (image === "") throw new Error("Set the variable IMAGE of the repository: the name of the image.");
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const news = changelog.split(/^## /m).find((section) => section.startsWith(`${version},`));
if (news === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`);
if (option === "--news") process.stdout.write(news.replace(/^.*\n+/, ""));
