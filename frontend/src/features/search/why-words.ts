import { i18n } from "@/lib/i18n/i18n";
import en from "./why-words.en.json";
import italian from "./why-words.it.json";

// They come with their form: see `features/golden/words.ts`.
i18n.addResourceBundle("en", "why", en);
i18n.addResourceBundle("it", "why", italian);
