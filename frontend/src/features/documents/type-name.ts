import type { TFunction } from "i18next";

/** "Word (DOCX)" for its media type; the media type itself where it has no name. */
export const typeName = (type: string, t: TFunction) =>
  t(`documents.typeName.${type.replace(/[/.+-]/g, "_")}`, { defaultValue: type });
