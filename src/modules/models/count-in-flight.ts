import type { ModelAccess } from './model-access.ts'

/**
 * Runs a request to a model while its estimated tokens count as in flight. `work` receives the estimates of the
 * account's other requests in flight. Their usage is unknown, so the estimates count with the tokens of the day, or
 * concurrent requests would each find the allowance free. They are read before the recorded usage, so that a request
 * that ends meanwhile counts.
 */
export async function countInFlight<T>(
  { inFlight }: Pick<ModelAccess, 'inFlight'>,
  { accountId, tokens }: { accountId: string; tokens: number },
  work: (tokensInFlight: number) => Promise<T>,
): Promise<T> {
  const tokensInFlight = inFlight.get(accountId) ?? 0
  add(inFlight, accountId, tokens)
  try {
    return await work(tokensInFlight)
  } finally {
    add(inFlight, accountId, -tokens)
  }
}

function add(inFlight: Map<string, number>, accountId: string, tokens: number): void {
  const left = (inFlight.get(accountId) ?? 0) + tokens
  if (left > 0) inFlight.set(accountId, left)
  else inFlight.delete(accountId)
}
