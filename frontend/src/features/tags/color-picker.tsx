import { CheckIcon, ColorInput, ColorSwatch, Group, Input } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { cssColor, TAG_COLORS } from "./tag-colors";

interface ColorPickerProps {
  value: string;
  onChange: (color: string) => void;
}

/** One of the palette's colours, or any other. */
export function ColorPicker({ value, onChange }: ColorPickerProps) {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={t("tags.form.color")} component="fieldset" labelElement="div" bd={0} p={0} m={0}>
      <Group gap={6} my={4} maw={7 * 32} role="radiogroup" aria-label={t("tags.form.color")}>
        {TAG_COLORS.map((color) => (
          <ColorSwatch
            key={color}
            component="button"
            type="button"
            role="radio"
            aria-checked={value === color}
            aria-label={t(`tags.color.${color}`)}
            title={t(`tags.color.${color}`)}
            color={cssColor(color)}
            size={26}
            onClick={() => onChange(color)}
            style={{ cursor: "pointer", color: "#fff" }}
          >
            {value === color ? <CheckIcon size={12} /> : null}
          </ColorSwatch>
        ))}
      </Group>
      <ColorInput
        size="xs"
        mt={6}
        maw={7 * 32}
        aria-label={t("tags.form.otherColor")}
        placeholder={t("tags.form.otherColor")}
        format="hex"
        withEyeDropper={false}
        value={value.startsWith("#") ? value : ""}
        onChange={(color) => {
          if (/^#[0-9a-f]{6}$/i.test(color)) onChange(color.toLowerCase());
        }}
      />
    </Input.Wrapper>
  );
}
