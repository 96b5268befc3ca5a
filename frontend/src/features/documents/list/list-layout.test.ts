import { afterEach, describe, expect, it } from "vitest";
import { chooseColumns, chooseLayout, chosenColumns, layout, readColumns } from "./list-layout";

afterEach(() => {
  chooseColumns(null);
  chooseLayout("list");
});

describe("the columns of the list", () => {
  it("are the default until somebody chooses", () => {
    expect(readColumns(null)).toBeNull();
  });

  it("are read in their order, without unknown ones", () => {
    expect(readColumns("added,colour,tags")).toEqual(["tags", "added"]);
    expect(readColumns("")).toEqual([]);
  });

  it("are kept in this browser until they are reset", () => {
    chooseColumns(["updated", "type"]);
    expect(chosenColumns.get()).toEqual(["type", "updated"]);
    expect(readColumns(localStorage.getItem("lectern-columns"))).toEqual(["type", "updated"]);
    chooseColumns(null);
    expect(chosenColumns.get()).toBeNull();
    expect(localStorage.getItem("lectern-columns")).toBeNull();
  });
});

it("the layout is kept in this browser", () => {
  chooseLayout("grid");
  expect(layout.get()).toBe("grid");
  expect(localStorage.getItem("lectern-documents-layout")).toBe("grid");
});
