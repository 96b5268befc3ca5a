import { uploads } from "@/features/uploads/uploads";
import { createStore } from "@/lib/create-store";

/** Files that were dropped or picked. The dialog asks about them next. */
const chosen = createStore<readonly File[]>([]);

export const useChosenFiles = chosen.use;

export const forgetChosenFiles = () => chosen.set([]);

/** Accept files. Uploads that a reload interrupted continue, the dialog asks about the others. */
export function offerFiles(files: readonly File[]): void {
  const lost = files.filter((file) => uploads.isLost(file));
  if (lost.length > 0) uploads.add(lost.map((file) => ({ file, options: { tags: [] } })));
  const fresh = files.filter((file) => !lost.includes(file));
  if (fresh.length > 0) chosen.set([...chosen.get(), ...fresh]);
}

/** Open the system's file chooser, or the camera of a phone. */
export function pickFiles({ isCamera = false } = {}): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = !isCamera;
  if (isCamera) {
    input.accept = "image/*";
    input.setAttribute("capture", "environment"); // browsers without a camera have no such property
  }
  input.addEventListener("change", () => offerFiles([...(input.files ?? [])]));
  input.click();
}
