import "i18next";
import type ask from "@/locales/en/ask.json";
import type collections from "@/locales/en/collections.json";
import type common from "@/locales/en/common.json";
import type failures from "@/locales/en/failures.json";
import type golden from "@/locales/en/golden.json";
import type home from "@/locales/en/home.json";
import type keys from "@/locales/en/keys.json";
import type notes from "@/locales/en/notes.json";
import type security from "@/locales/en/security.json";
import type sharing from "@/locales/en/sharing.json";
import type signin from "@/locales/en/signin.json";
import type system from "@/locales/en/system.json";
import type trash from "@/locales/en/trash.json";
import type users from "@/locales/en/users.json";
import type webhooks from "@/locales/en/webhooks.json";
import type why from "@/locales/en/why.json";

// Keys of `t` are checked against the English files. The first namespace needs no prefix.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: [
      "common",
      "ask",
      "collections",
      "failures",
      "golden",
      "home",
      "keys",
      "notes",
      "security",
      "sharing",
      "signin",
      "system",
      "trash",
      "users",
      "webhooks",
      "why",
    ];
    resources: {
      ask: typeof ask;
      collections: typeof collections;
      common: typeof common;
      failures: typeof failures;
      golden: typeof golden;
      home: typeof home;
      keys: typeof keys;
      notes: typeof notes;
      security: typeof security;
      sharing: typeof sharing;
      signin: typeof signin;
      system: typeof system;
      trash: typeof trash;
      users: typeof users;
      webhooks: typeof webhooks;
      why: typeof why;
    };
  }
}
