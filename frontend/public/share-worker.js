// Takes files that another app shares with the installed app, and hands them to the page that opens next.
// Every other request goes to the server as without this worker. Nothing is kept offline.
const SHARED = "lectern-shared";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "POST" && new URL(request.url).pathname === "/share") event.respondWith(take(request));
});

async function take(request) {
  const form = await request.formData();
  const files = form.getAll("files").filter((value) => value instanceof File && value.size > 0);
  await caches.delete(SHARED);
  const shared = await caches.open(SHARED);
  await Promise.all(files.map((file, index) => shared.put(`/shared/${index}`, responseOf(file))));
  return Response.redirect("/documents", 303);
}

function responseOf(file) {
  const headers = {
    "Content-Type": file.type || "application/octet-stream",
    "X-Name": encodeURIComponent(file.name),
    "X-Shared-At": String(Date.now()),
  };
  return new Response(file, { headers });
}
