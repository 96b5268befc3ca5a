import { i18n } from "@/lib/i18n/i18n";
import en from "./words.en.json";
import italian from "./words.it.json";

// They come with their page: see `features/golden/words.ts`.
i18n.addResourceBundle("en", "collections", en);
i18n.addResourceBundle("it", "collections", italian);
