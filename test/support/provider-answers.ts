/** A provider whose responses to sends are ones that its simulator does not give. */
import { startMeta } from '../channels/loopback-meta.ts'
import type { World } from './test-service.ts'
import type { SimulatedWhatsApp } from './simulator.ts'

/**
 * Lets a server of the test answer the service's requests to WhatsApp, until nothing moves any more. Returns
 * the result of `during`, and the requests.
 */
export async function answerSends<Result>(
  { world, whatsApp }: { world: World; whatsApp: SimulatedWhatsApp },
  answer: Parameters<typeof startMeta>[0],
  during: () => Promise<Result>,
) {
  const meta = await startMeta(answer)
  world.baseUrls.simulated.whatsApp = meta.url
  try {
    const result = await during()
    await whatsApp.settle()
    return { result, seen: meta.seen }
  } finally {
    world.baseUrls.simulated.whatsApp = whatsApp.simulator.baseUrl
    await meta.stop()
  }
}

const REFUSED_FOR_NOW = JSON.stringify({ error: { message: 'busy', code: 130429 } })

/** Answers that the provider accepts no more messages for now. */
export const isBusy: Parameters<typeof startMeta>[0] = (response) =>
  void response.writeHead(429).end(REFUSED_FOR_NOW)

/** Ends the connection without an answer. */
export const isSilent: Parameters<typeof startMeta>[0] = (response) => void response.destroy()
