import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { embeddedOf, type Generation, isAlternative, type SystemFacts, useSystem } from "@/features/system/use-system";
import { formatNumber } from "@/lib/format";
import { type PreviewWanted, type SearchSetting, useSearchSettings } from "./use-evaluations";

export type TrialValue = number | string;

/** Something that can be tried on the golden queries before it is applied. */
export interface Trial {
  name: string;
  label: string;
  /** The values to choose from. Null means any number. */
  options: { value: string; label: string }[] | null;
  hasLongValues: boolean;
  /** The current value. Null if it is not one of the options. */
  now: TrialValue | null;
  aboutOf: (value: TrialValue) => string;
  wantedOf: (value: TrialValue) => PreviewWanted;
}

/** The settings of the search, and the models that one could search by instead. */
export function useTrials() {
  const { t } = useTranslation();
  const { data, error, refetch } = useSearchSettings();
  // without it there are the settings still
  const { data: facts } = useSystem({ isLive: false });
  const settings = (data?.items ?? []).filter(({ value, choices }) => typeof value !== "string" || choices);
  const models = facts?.embeddings.generations.filter(isAlternative) ?? [];
  const trials = settings.map((setting) => ofSetting(setting, t));
  if (facts && models.length > 0) trials.push(ofModels(models, facts, t));
  return { trials, isLoading: !data, error, refetch };
}

function ofSetting({ name, value, default: usual, choices, description }: SearchSetting, t: TFunction): Trial {
  const isSwitch = typeof value === "boolean";
  const options = isSwitch ? [true, false] : choices;
  const shown = (one: SearchSetting["value"]) => {
    if (typeof one === "boolean") return t(one ? "golden:on" : "golden:off");
    return typeof one === "string" ? t(`golden:choices.${one}`, { defaultValue: one }) : formatNumber(one);
  };
  const about = t(`golden:settings.${name}.about`, { defaultValue: description });
  return {
    name,
    label: t(`golden:settings.${name}.name`, { defaultValue: name }),
    options: options?.map((one) => ({ value: String(one), label: shown(one) })) ?? null,
    hasLongValues: false,
    now: options ? String(value) : Number(value),
    aboutOf: () => `${about} ${t("golden:settingNow", { value: shown(value), usual: shown(usual) })}`,
    wantedOf: (wanted) => ({ settings: { [name]: isSwitch ? wanted === "true" : wanted } }),
  };
}

function ofModels(models: Generation[], { embeddings, library }: SystemFacts, t: TFunction): Trial {
  const all = library.chunks;
  const aboutOf = (id: TrialValue) => {
    const said = [t("golden:model.about"), t("golden:model.now", { model: embeddings.embedding_model })];
    const chosen = models.find((one) => String(one.id) === id);
    const done = chosen ? embeddedOf(chosen, all) : all;
    if (chosen && done < all) {
      const amount = { done: formatNumber(done), all: formatNumber(all) };
      said.push(t("golden:model.part", { model: chosen.embedding_model, ...amount }));
    }
    return said.join(" ");
  };
  return {
    name: "embeddings",
    label: t("golden:model.name"),
    options: models.map(({ id, embedding_model: model, dimensions }) => ({
      value: String(id),
      label: t("golden:model.option", { model, dimensions: formatNumber(dimensions) }),
    })),
    hasLongValues: true,
    now: null,
    aboutOf,
    wantedOf: (id) => ({ embeddings: Number(id) }),
  };
}
