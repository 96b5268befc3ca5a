import { i18n } from "@/lib/i18n/i18n";
import en from "./words.en.json";
import italian from "./words.it.json";

// The texts of a page that few open come with it, in both languages: the first page loads neither.
i18n.addResourceBundle("en", "golden", en);
i18n.addResourceBundle("it", "golden", italian);
