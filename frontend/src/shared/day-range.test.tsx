import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { DayRange } from "./day-range";

function Filter() {
  const [range, setRange] = useState<{ from?: string | undefined; to?: string | undefined }>({});
  return (
    <>
      <DayRange range={range} labels={{ from: "From", to: "To" }} onChange={setRange} />
      <output>{JSON.stringify(range)}</output>
      <button type="button" onClick={() => setRange({})}>
        Clear
      </button>
    </>
  );
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const filter = () => screen.getByRole("status").textContent;

it("refuses a range that ends before it begins, and says why", () => {
  renderInApp(<Filter />);
  type("From", "2026-11-22");
  type("To", "2026-11-21");
  expect(screen.getByLabelText("To")).toBeInvalid();
  expect(screen.getByLabelText("To")).toHaveAccessibleDescription("Choose Nov 22, 2026 or a later day.");
  expect(screen.getByLabelText("To")).toHaveValue("2026-11-21");
  expect(filter()).toBe('{"from":"2026-11-22"}');
});

it("takes a refused range once either day is corrected", () => {
  renderInApp(<Filter />);
  type("From", "2026-11-22");
  type("To", "2026-11-21");
  type("From", "2026-11-21");
  expect(screen.getByLabelText("To")).toBeValid();
  expect(filter()).toBe('{"from":"2026-11-21","to":"2026-11-21"}');
});

it("forgets a refused day when the filter is cleared", () => {
  renderInApp(<Filter />);
  type("From", "2026-11-22");
  type("To", "2026-11-21");
  fireEvent.click(screen.getByText("Clear"));
  expect(screen.getByLabelText("To")).toHaveValue("");
  expect(screen.getByLabelText("To")).toBeValid();
});
