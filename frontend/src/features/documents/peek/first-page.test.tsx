import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { documentOf } from "@/features/events/test-samples";
import { renderInApp } from "@/test-rendering";
import { FirstPage, firstPageUrl } from "./first-page";

describe("the first page of a document", () => {
  it("is a picture that loads when it comes near", () => {
    renderInApp(<FirstPage document={documentOf({ page_images: "available", title: "Policy" })} />);
    const image = screen.getByRole("img", { name: "First page of Policy" });
    expect(image).toHaveAttribute("loading", "lazy");
    expect(image).toHaveAttribute("src", "/api/v1/documents/d1/pages/1/image?width=480");
    fireEvent.error(image);
    expect(screen.getByText("Page picture not available")).toBeInTheDocument();
  });

  it("is an uploaded picture itself, unless that is heavy", () => {
    const picture = { page_images: "none", content_type: "image/png" } as const;
    expect(firstPageUrl(documentOf({ ...picture, size_bytes: 200_000 }))).toMatch(/\/original\?is_inline=true$/);
    expect(firstPageUrl(documentOf({ ...picture, size_bytes: 40_000_000 }))).toBeNull();
  });

  it("is the type alone where pages have no picture", () => {
    renderInApp(<FirstPage document={documentOf({ page_images: "none", content_type: "text/markdown" })} />);
    expect(screen.getByText("MD").parentElement).toHaveTextContent(/^MD$/);
  });

  it("says that a password is needed", () => {
    const error = { code: "encrypted", message: "", hint: null, details: null };
    renderInApp(<FirstPage document={documentOf({ page_images: "none", status: "failed", error })} />);
    expect(screen.getByText("Password-protected")).toBeInTheDocument();
    expect(screen.queryByRole("img")).toBeNull();
  });

  it("says why an unlocked file has no picture, not that it is locked", () => {
    renderInApp(<FirstPage document={documentOf({ page_images: "locked", status: "ready" })} />);
    expect(screen.getByText("No picture: passwords are not stored")).toBeInTheDocument();
    expect(screen.queryByText("Password-protected")).toBeNull();
  });
});
