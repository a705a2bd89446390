import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { PROVIDER_LIMITS } from '../../limits/messaging.ts'
import type { GraphClient } from './call-graph.ts'

/** `sendMs`: how long one call may take. */
export type GraphClientOptions = { dispatcher?: Dispatcher; sendMs?: number }

/** The way to the Graph API. A dispatcher that is given stays open when the client is closed. */
export function createGraphClient(
  options: GraphClientOptions = {},
): GraphClient & { close(): Promise<void> } {
  const dispatcher = options.dispatcher ?? createAgent()
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

function createAgent(): Agent {
  return new Agent({
    allowH2: false,
    connections: PROVIDER_LIMITS.connections,
    // One request on a connection at a time: a lost one is then the only one lost.
    pipelining: 1,
    connect: { timeout: PROVIDER_LIMITS.connectMs },
  })
}
