import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'

export type ProviderClient = { dispatcher: Dispatcher; deadlineMs: number }

/** `sendMs`: how long one call may take. `connections`: to one origin, at most. */
export type ProviderClientOptions = {
  dispatcher?: Dispatcher
  sendMs?: number
  connections?: number
}

/** The way to a provider. A dispatcher that is given stays open when the client is closed. */
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
    // One request on a connection at a time: a lost one is then the only one lost.
    pipelining: 1,
    connect: { timeout: PROVIDER_LIMITS.connectMs },
  })
}
