import { expect, test } from "vitest";
import { type Cell, writeCsv } from "./csv.js";

const columns = { name: ([name]: Cell[]) => name, count: ([, count]: Cell[]) => count };

test("a table has a line of names and a line for each row, each ended as the standard has it", () => {
  expect(
    writeCsv(columns, [
      ["a", 1],
      ["b, c", 0.5],
    ]),
  ).toBe('name,count\r\n"a",1\r\n"b, c",0.5\r\n');
});

test("a table without rows has its names", () => {
  expect(writeCsv(columns, [])).toBe("name,count\r\n");
});

test("what is not known is empty, and nothing is 0", () => {
  expect(
    writeCsv(columns, [
      [null, undefined],
      ["", 0],
    ]),
  ).toBe('name,count\r\n,\r\n"",0\r\n');
});

test("quotes and line ends stay inside of their cell", () => {
  expect(writeCsv(columns, [['a"b\r\nc', 1]])).toBe('name,count\r\n"a""b\r\nc",1\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x", '="a"'])(
  "%j is no formula",
  (text) => {
    const table = writeCsv(columns, [[text, -1]]);

    expect(table).toBe(`name,count\r\n"'${text.replaceAll('"', '""')}",-1\r\n`);
  },
);
