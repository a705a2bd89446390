import type { WebhookNames } from '../../src/modules/channels/channel-adapter.ts'
import { peekRoutes } from '../../src/modules/channels/whatsapp/adapter.ts'

/** Walks over a whole body without a pause, and returns the longest slice that it would have taken. */
export function peekAt(body: Uint8Array): WebhookNames & { longestStep: number } {
  const walk = peekRoutes(body)
  let longestStep = 0
  for (;;) {
    const { done, value } = walk.next()
    if (done) return { ...value, longestStep }
    longestStep = Math.max(longestStep, value)
  }
}
