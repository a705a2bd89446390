import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'

/** The connection pool of a provider's API, with the deadline of one call in ms. */
export type ProviderClient = { dispatcher: Dispatcher; deadlineMs: number }

/** The options of a client. `sendMs`: the deadline of a call. `connections`: the maximum per origin. */
export type ProviderClientOptions = {
  dispatcher?: Dispatcher
  sendMs?: number
  connections?: number
}

/**
 * Creates the connection pool of a provider's API, with the deadline of its calls. Closing it leaves a given dispatcher
 * open.
 */
export function createProviderClient(
  options: ProviderClientOptions = {},
): ProviderClient & { close(): Promise<void> } {
  const dispatcher = options.dispatcher ?? createAgent(options.connections)
  return {
    dispatcher,
    deadlineMs: options.sendMs ?? PROVIDER_LIMITS.sendMs,
    close: async () => {
      if (options.dispatcher === undefined) {
        await dispatcher.close()
      }
    },
  }
}

function createAgent(connections: number = PROVIDER_LIMITS.connections): Agent {
  return new Agent({
    allowH2: false,
    connections,
    // One request per connection, so that a broken connection loses only one.
    pipelining: 1,
    connect: { timeout: PROVIDER_LIMITS.connectMs },
  })
}
