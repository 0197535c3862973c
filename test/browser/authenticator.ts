// The authenticator of a device, as Chromium's virtual one: it confirms by itself, and may or may not give secrets (the PRF extension).
import type { CDPSession, Page } from 'playwright-core';

export type Authenticator = {
  cdp: CDPSession;
  /** How many passkeys it holds for the page's site. */
  count(): Promise<number>;
};

/** @param isSynced whether its passkeys may be copied to other devices */
export async function giveAuthenticator(page: Page, { hasPrf = true, isSynced = true } = {}): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: isSynced,
      defaultBackupState: isSynced,
    },
  });
  return {
    cdp,
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

/** The whole heap of a page, as text: every string that is still reachable stands in it. */
export async function heapOf(cdp: CDPSession): Promise<string> {
  const parts: string[] = [];
  const take = ({ chunk }: { chunk: string }) => parts.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await cdp.send('HeapProfiler.disable');
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  return parts.join('');
}

/** The bytes of every array of bytes that lives in the page, in hex. */
export async function bytesOf(page: Page, cdp: CDPSession): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ['Uint8Array', 'ArrayBuffer']) {
    const { result } = await cdp.send('Runtime.evaluate', { expression: `${kind}.prototype` });
    const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
    const { result: hex } = await cdp.send('Runtime.callFunctionOn', {
      objectId: objects.objectId ?? '',
      returnByValue: true,
      functionDeclaration: `function () {
        return [...this].filter((one) => one.byteLength > 0 && one.byteLength < 65536).map((one) =>
          [...new Uint8Array(one.buffer ?? one, one.byteOffset ?? 0, one.byteLength)]
            .map((byte) => byte.toString(16).padStart(2, '0')).join(''));
      }`,
    });
    found.push(...(hex.value as string[]));
  }
  await page.evaluate('undefined');
  return found;
}
