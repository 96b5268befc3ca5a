import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Hit } from "@/features/search/use-search";
import { renderInApp } from "@/test-rendering";
import { PageThumbnail } from "./hit-card";

const hit = (page_images: Hit["page_images"]) =>
  ({ document: "a.pdf", document_id: "d1", title: "Policy", page_images }) as Hit;

describe("the picture of a hit's page", () => {
  it("is fetched when it comes near, has its size from the beginning and says what it shows", () => {
    renderInApp(<PageThumbnail hit={hit("available")} pageNumber={3} />);
    const image = screen.getByRole("img", { name: "Image of page 3 of Policy" });
    expect(image).toHaveAttribute("loading", "lazy");
    expect(image).toHaveAttribute("src", "/api/v1/documents/d1/pages/3/image?width=192");
    expect(Number(image.getAttribute("height"))).toBeGreaterThan(0);
  });

  it("keeps its place when it cannot be drawn", () => {
    const { container } = renderInApp(<PageThumbnail hit={hit("available")} pageNumber={3} />);
    fireEvent.error(screen.getByRole("img"));
    expect(container.querySelector("[data-state='none']")).not.toBeNull();
  });

  it("is not asked for where the file is protected by a password, which is said instead", () => {
    const { container } = renderInApp(<PageThumbnail hit={hit("locked")} pageNumber={3} />);
    expect(screen.getByRole("img", { name: /^No page image/ })).toBeInTheDocument();
    expect(container.querySelector("img")).toBeNull();
  });

  it("is not asked for where pages have no picture", () => {
    renderInApp(<PageThumbnail hit={hit("none")} pageNumber={1} />);
    expect(screen.queryByRole("img")).toBeNull();
  });
});
