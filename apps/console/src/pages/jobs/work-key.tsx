import type { ShownBatch } from "../../operations/retrieveBatch.js";
import type { ShownJob } from "../../operations/retrieveJob.js";
import type { Fact } from "../../parts/facts.js";
import type { Column } from "../../parts/table.js";
import { linkTo } from "../../routes/address.js";
import { KeyLink } from "../key-link.js";

type Work = ShownBatch | ShownJob;

/** The key of work in a list: its name, and its owner. Only operators see the keys of others. */
export function keyColumn<Row extends Work>(): Column<Row> {
  return {
    head: "Key",
    cell: (work) =>
      "key_name" in work ? (
        <>
          <div className="whole-name">{work.key_name}</div>
          {work.key_owner !== null && <div className="whole-name quiet small">{work.key_owner}</div>}
        </>
      ) : (
        "–"
      ),
  };
}

/** The same in a sheet, with links. */
export function keyFacts(work: Work): Fact[] {
  if (!("key_name" in work)) return [];
  const { key_id, key_name, key_owner } = work;
  return [
    ["Key", <KeyLink key="key" id={key_id} name={key_name} />],
    ...(key_owner === null
      ? []
      : [
          [
            "Owner",
            <a key="owner" href={linkTo("/usage", { time: "month", by: "key", owner: key_owner })}>
              {key_owner}
            </a>,
          ] as const,
        ]),
  ];
}
