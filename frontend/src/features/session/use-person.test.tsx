import { screen, waitFor } from "@testing-library/react";
import { it, vi } from "vitest";
import { renderInApp } from "@/test-rendering";
import { meQuery, usePerson } from "./use-session";

function Page() {
  const { person, isAnother, hasEnded } = usePerson();
  return <p>{`${person?.id ?? "nobody"}${hasEnded ? " ended" : ""}${isAnother ? " another" : ""}`}</p>;
}

it("keeps whose page it is while the session has ended, and says when somebody else comes", async () => {
  let me: string | null = null;
  vi.stubGlobal("fetch", async () =>
    me
      ? Response.json({ id: me })
      : Response.json({ status: 401, code: "unauthorized", title: "", detail: "" }, { status: 401 }),
  );
  const { client } = renderInApp(<Page />);
  const look = (id: string | null) => {
    me = id;
    return client.invalidateQueries({ queryKey: meQuery().queryKey });
  };
  await screen.findByText("nobody ended");
  await look("anna");
  await screen.findByText("anna");
  await look(null);
  await screen.findByText("anna ended");
  await look("anna");
  await screen.findByText("anna");
  await look("berta");
  await waitFor(() => screen.getByText("anna another"));
});
