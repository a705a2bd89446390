import type { HookResponse } from '../../src/contract/hook-response.ts'

export const ORDER = {
  customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
  order: { number: '1043' },
}

/** Posts to a hook URL as a shop does. */
export async function askHook(
  url: string,
  body: unknown = ORDER,
  headers: Record<string, string> = {},
): Promise<HookResponse & { http: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  return { http: response.status, ...((await response.json()) as HookResponse) }
}
