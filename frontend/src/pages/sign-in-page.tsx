import { Center, Group, Image, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SignInForm } from "@/features/session/sign-in-form";
import { usePageTitle } from "@/shared/page-title";

export function SignInPage() {
  const { t } = useTranslation();
  usePageTitle(t("account.signIn"));
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w={380} maw="100%" gap="lg">
        <Group gap="sm" justify="center">
          <Image src="/lectern.svg" alt="" w={44} h={44} />
          <div>
            <Title order={1} size="h2">
              {t("account.signInTitle")}
            </Title>
            <Text size="sm" c="dimmed">
              {t("app.tagline")}
            </Text>
          </div>
        </Group>
        <Paper withBorder p="lg" radius="lg">
          <SignInForm />
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          {t("account.firstRun")}
        </Text>
      </Stack>
    </Center>
  );
}
