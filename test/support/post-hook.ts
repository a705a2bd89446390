import type { HookResponse } from '../../src/contract/hook-response.ts'
import { waitUntil } from './wait.ts'

export const ORDER = {
  customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
  order: { number: '1043' },
}

/**
 * Returns an order of a new customer, with headers as a shop sends them: an idempotency key, and a forwarded
 * address that only this order has.
 */
export function orderOf(nth: number) {
  const customer = { ...ORDER.customer, phone: `+9665${String(10_000_000 + nth)}` }
  return {
    body: { ...ORDER, customer, order: { number: String(nth) } },
    headers: {
      'idempotency-key': `order-${nth}`,
      'x-forwarded-for': `198.18.${(nth >> 8) & 255}.${nth & 255}`,
    },
  }
}

/** Posts to a hook URL as a shop does. */
export async function postHook(
  url: string,
  body: unknown = ORDER,
  headers: Record<string, string> = {},
  withinMs?: number,
): Promise<HookResponse & { http: number }> {
  const response = await fetch(url, {
    method: 'POST',
    ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  return { http: response.status, ...((await response.json()) as HookResponse) }
}

/**
 * Posts an order as a shop does: again, with the same key, until it is accepted or `isAsking` says no. Returns
 * the id of its run, or null.
 */
export async function insistOn(
  hookUrl: string,
  nth: number,
  isAsking: () => boolean,
  withinMs: number,
): Promise<string | null> {
  const { body, headers } = orderOf(nth)
  let id: string | null = null
  const isAnswered = async () => {
    const answer = await postHook(hookUrl, body, headers).catch(() => null)
    if (answer?.http !== 202 && answer?.http !== 200) return !isAsking()
    id = answer.id
    return true
  }
  await waitUntil(`an answer to order ${nth}`, isAnswered, { withinMs, everyMs: 20 })
  return id
}
