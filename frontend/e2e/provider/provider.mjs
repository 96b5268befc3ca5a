/**
 * An OpenID provider for the tests: `node provider.mjs PORT APP_URL`. Any login and password are right. The groups of a
 * login are set with `PUT /test/groups/LOGIN` and a JSON list.
 */
import Provider from "oidc-provider";

const [port, app] = process.argv.slice(2);
const groups = new Map();

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "lectern",
      client_secret: "a secret of the tests 0123456789",
      redirect_uris: [`${app}/api/v1/auth/single-sign-on/callback`],
      post_logout_redirect_uris: [`${app}/`],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  cookies: { keys: ["of the tests"] },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (_, login) => ({
    accountId: login,
    claims: () => ({
      sub: login,
      email: login,
      email_verified: true,
      name: login.split("@")[0],
      groups: groups.get(login) ?? [],
    }),
  }),
});

provider.use(async (context, next) => {
  const login = context.method === "PUT" && /^\/test\/groups\/(.+)$/.exec(context.path)?.[1];
  if (!login) return next();
  let body = "";
  for await (const part of context.req) body += part;
  groups.set(decodeURIComponent(login), JSON.parse(body));
  context.status = 204;
});

provider.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
