import { Center, Group, Image, Paper, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SignInOptions, useSignInMethods } from "@/features/session/sign-in-options";
import { PageHeading } from "@/shared/page-head";
import { usePageTitle } from "@/shared/page-title";

export function SignInPage() {
  const { t } = useTranslation();
  const { data: methods } = useSignInMethods();
  usePageTitle(t("account.signIn"));
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w={380} maw="100%" gap="lg">
        <Group gap="sm" justify="center">
          <Image src="/lectern.svg" alt="" w={44} h={44} />
          <div>
            <PageHeading>{t("account.signInTitle")}</PageHeading>
            <Text size="sm" c="dimmed">
              {t("app.tagline")}
            </Text>
          </div>
        </Group>
        <Paper withBorder p="lg" radius="lg">
          <SignInOptions />
        </Paper>
        {methods?.has_passwords === false ? null : (
          <Text size="sm" c="dimmed" ta="center">
            {t("account.firstRun")}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
