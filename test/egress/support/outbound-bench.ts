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

/** Every `.example` name leads to loopback, which is allowed here and nowhere else. */
export const LOOPBACK = '127.0.0.1'
const toLoopback: Resolve = async () => [LOOPBACK]

export type OutboundBench = {
  authority: KeyPair
  receiver: Receiver
  client(options?: ClientOptions): OutboundClient
  /** One POST with small limits; what a test does not name is ordinary. */
  send(
    path: string,
    request?: Partial<OutboundRequest>,
    client?: OutboundClient,
  ): Promise<OutboundAnswer>
  request(path: string, request?: Partial<OutboundRequest>): OutboundRequest
  /**
   * Like `send`, to a path that gives no whole answer: the deadline comes once the request and what there is of an
   * answer have arrived.
   */
  sendUntilDeadline: OutboundBench['send']
}

/** Longer than any machine takes for a connection and a request on loopback. */
const DEADLINE_MS = 40_000
/** Turns of the event loop within which what a server of the same process has written is read. */
const ARRIVES_WITHIN_TURNS = 50

/** A receiver that answers by path, and clients that trust its authority, made anew for each test. */
export function outboundBench(answers: Record<string, Answer>): OutboundBench {
  const bench: OutboundBench = {
    authority: { key: '', cert: '' },
    receiver: undefined as unknown as Receiver,
    client(options = {}) {
      const client = createOutboundClient({
        resolve: toLoopback,
        isAllowedAddress: (address) => address === LOOPBACK,
        extraCa: [bench.authority.cert],
        ...options,
      })
      clients.push(client)
      return client
    },
    send(path, request = {}, client = bench.client()) {
      return client.send(bench.request(path, request))
    },
    async sendUntilDeadline(path, request = {}, client = bench.client()) {
      const timers = holdTimers(DEADLINE_MS)
      try {
        const before = bench.receiver.requests.length
        const answer = client.send(bench.request(path, request))
        await waitUntil('the request', () => bench.receiver.requests.length > before)
        for (let turn = 0; turn < ARRIVES_WITHIN_TURNS; turn += 1) await nextTurn()
        timers.elapse()
        return await answer
      } finally {
        timers.release()
      }
    },
    request(path, request = {}) {
      return {
        method: 'POST',
        url: bench.receiver.url(path),
        headers: [['content-type', 'application/json']],
        body: Buffer.from('{"a":1}'),
        deadlineMs: DEADLINE_MS,
        connectMs: DEADLINE_MS / 4,
        answerBytes: 2_048,
        readWholeAnswer: false,
        ...request,
      }
    },
  }
  const clients: OutboundClient[] = []
  let pair: KeyPair

  beforeAll(async () => {
    bench.authority = await createAuthority()
    pair = await createCertificate(['receiver.example', '*.receiver.example', LOOPBACK], {
      authority: bench.authority,
    })
    bench.receiver = await createReceiver(pair, answers)
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await bench.receiver.close()
    bench.receiver = await createReceiver(pair, answers)
  })
  afterAll(() => bench.receiver.close())
  return bench
}

export const errorOf = (answer: OutboundAnswer): string =>
  answer.kind === 'error' ? answer.error : `answered ${answer.status}`
