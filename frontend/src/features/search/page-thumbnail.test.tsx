import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import { hasPictures, PageThumbnail } from "./page-thumbnail";
import type { Hit } from "./use-search";

const hit = (document: string, rects: object[] = []) =>
  ({ document, document_id: "d1", title: "Policy", highlights: [{ page: 3, rects }] }) as unknown as Hit;

function refuse(code: string) {
  const answer = vi.fn(async () => Response.json({ code, detail: "" }, { status: 404 }));
  vi.stubGlobal("fetch", answer);
  return answer;
}

describe("the picture of a hit's page", () => {
  it("is fetched when it comes near, has its size from the beginning and says what it shows", () => {
    renderInApp(<PageThumbnail hit={hit("a.pdf")} pageNumber={3} />);
    const image = screen.getByRole("img", { name: "Picture of page 3 of Policy" });
    expect(image).toHaveAttribute("loading", "lazy");
    expect(image).toHaveAttribute("src", "/api/v1/documents/d1/pages/3/image?width=192");
    expect(Number(image.getAttribute("height"))).toBeGreaterThan(0);
  });

  it("keeps its place when it cannot be drawn", async () => {
    refuse("page_has_no_image");
    const { container } = renderInApp(<PageThumbnail hit={hit("a.pdf")} pageNumber={3} />);
    fireEvent.error(screen.getByRole("img"));
    await waitFor(() => expect(container.querySelector("[data-state='none']")).not.toBeNull());
  });

  it("says why when the file is protected by a password", async () => {
    const asked = refuse("page_image_locked");
    renderInApp(<PageThumbnail hit={hit("a.pdf")} pageNumber={3} />);
    fireEvent.error(screen.getByRole("img"));
    await screen.findByRole("img", { name: /^Protected by a password/ });
    expect(asked).toHaveBeenCalledOnce();
  });

  it("is not asked for where pages have no picture", () => {
    renderInApp(<PageThumbnail hit={hit("notes.md")} pageNumber={1} />);
    expect(screen.queryByRole("img")).toBeNull();
    expect(hasPictures(hit("renamed", [{ x: 0, y: 0, w: 1, h: 1 }]))).toBe(true);
  });
});
