import { expect, test } from "vitest";
import { type Cell, writeCsv } from "./csv.js";

const columns = { name: ([name]: Cell[]) => name, count: ([, count]: Cell[]) => count };

test("a table has a header line and a line for each row, each ended with CRLF", () => {
  expect(
    writeCsv(columns, [
      ["a", 1],
      ["b, c", 0.5],
    ]),
  ).toBe('name,count\r\n"a",1\r\n"b, c",0.5\r\n');
});

test("a table without rows has a header line", () => {
  expect(writeCsv(columns, [])).toBe("name,count\r\n");
});

test("null and undefined leave a cell empty; an empty string and 0 do not", () => {
  expect(
    writeCsv(columns, [
      [null, undefined],
      ["", 0],
    ]),
  ).toBe('name,count\r\n,\r\n"",0\r\n');
});

test("quotes and line breaks stay inside their cell", () => {
  expect(writeCsv(columns, [['a"b\r\nc', 1]])).toBe('name,count\r\n"a""b\r\nc",1\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x", '="a"'])(
  "%j is not written as a formula",
  (text) => {
    const table = writeCsv(columns, [[text, -1]]);

    expect(table).toBe(`name,count\r\n"'${text.replaceAll('"', '""')}",-1\r\n`);
  },
);
