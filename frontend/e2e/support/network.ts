import type { Page } from "playwright-core";

/** Let a page send no faster than this, until the function that is returned is called. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const limit = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(bytesPerSecond);
  return async () => {
    await limit(-1);
    await session.detach();
  };
}
