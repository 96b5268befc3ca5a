const DOTS_PER_INCH = 150;
const POINTS_PER_INCH = 72;

/** A page to draw, as pdf.js has it. */
export interface Printable {
  pageCount: number;
  draw: (pageNumber: number, scale: number) => Promise<HTMLCanvasElement>;
}

/**
 * Print pages as pictures. The browser's own viewer cannot: originals are served to frames without rights, in which it
 * does not run, and it would ask for the password of a locked file again.
 */
export async function printPages({ pageCount, draw }: Printable): Promise<void> {
  const sheets = document.createElement("div");
  sheets.className = "lectern-print";
  const addresses: string[] = [];
  try {
    for (let number = 1; number <= pageCount; number += 1) {
      const canvas = await draw(number, DOTS_PER_INCH / POINTS_PER_INCH);
      const image = document.createElement("img");
      image.src = await toAddress(canvas);
      addresses.push(image.src);
      canvas.width = 0; // returns its memory at once
      image.alt = "";
      await image.decode();
      sheets.append(image);
    }
    document.body.append(sheets);
    await new Promise((resolve) => {
      window.addEventListener("afterprint", resolve, { once: true });
      window.print();
    });
  } finally {
    sheets.remove();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}

function toAddress(canvas: HTMLCanvasElement): Promise<string> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(URL.createObjectURL(blob)) : reject(new Error("The page has no picture.")),
    ),
  );
}
