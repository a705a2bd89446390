import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll } from 'vitest'
import {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundClient,
  type OutboundRequest,
} from '../../../src/infra/egress/outbound-client.ts'
import type { Resolve } from '../../../src/infra/egress/resolve.ts'
import { createAuthority, createCertificate, type KeyPair } from './certificates.ts'
import { createReceiver, type Answer, type Receiver } from './receiver.ts'
import { holdTimers } from '../../support/held-timers.ts'
import { waitUntil } from '../../support/wait.ts'

export type ClientOptions = Partial<Parameters<typeof createOutboundClient>[0]>

/** Every `.example` name leads to loopback, which only these tests allow. */
export const LOOPBACK = '127.0.0.1'
const toLoopback: Resolve = async () => [LOOPBACK]

/** Longer than any machine takes for a connection and a request on loopback. */
const DEADLINE_MS = 40_000
/** Rounds of the event loop within which data from a server of the same process is read. */
const ARRIVES_WITHIN_TURNS = 50

/** Sets up a receiver that answers by path, and clients that trust its authority, again for each test. */
export function outboundBench(answers: Record<string, Answer>) {
  const clients: OutboundClient[] = []
  let pair: KeyPair
  const served = {
    authority: { key: '', cert: '' },
    receiver: undefined as unknown as Receiver,
  }

  function client(options: ClientOptions = {}): OutboundClient {
    const made = createOutboundClient({
      resolve: toLoopback,
      isAllowedAddress: (address) => address === LOOPBACK,
      extraCa: [served.authority.cert],
      ...options,
    })
    clients.push(made)
    return made
  }

  /** Returns one POST with small limits and usual values for all that the test does not name. */
  const requestOf = (path: string, request: Partial<OutboundRequest>): OutboundRequest => ({
    method: 'POST',
    url: served.receiver.url(path),
    headers: [['content-type', 'application/json']],
    body: Buffer.from('{"a":1}'),
    deadlineMs: DEADLINE_MS,
    connectMs: DEADLINE_MS / 4,
    answerBytes: 2_048,
    readWholeAnswer: false,
    ...request,
  })
  const send = (path: string, request: Partial<OutboundRequest> = {}, by = client()) =>
    by.send(requestOf(path, request))

  /**
   * Sends like `send`, to a path that gives no complete answer: the deadline passes once the request and the
   * beginning of an answer have arrived.
   */
  const sendUntilDeadline: typeof send = async (path, request, by) => {
    const timers = holdTimers(DEADLINE_MS)
    try {
      const before = served.receiver.requests.length
      const answer = send(path, request, by)
      await waitUntil('the request', () => served.receiver.requests.length > before)
      for (let turn = 0; turn < ARRIVES_WITHIN_TURNS; turn += 1) await nextTurn()
      timers.elapse()
      return await answer
    } finally {
      timers.release()
    }
  }

  beforeAll(async () => {
    served.authority = await createAuthority()
    pair = await createCertificate(['receiver.example', '*.receiver.example', LOOPBACK], {
      authority: served.authority,
    })
    served.receiver = await createReceiver(pair, answers)
  })
  afterEach(async () => {
    for (const made of clients.splice(0)) made.close()
    await served.receiver.close()
    served.receiver = await createReceiver(pair, answers)
  })
  afterAll(() => served.receiver.close())
  return Object.assign(served, { client, send, sendUntilDeadline })
}

export const errorOf = (answer: OutboundAnswer): string =>
  answer.kind === 'error' ? answer.error : `answered ${answer.status}`
