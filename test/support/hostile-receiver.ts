/**
 * Merchants' servers that misbehave, over real sockets on loopback. Each row has its own host name,
 * `<row>.merchant.example`, which leads to one of them. Its response is a function of the row and of the number
 * of requests so far.
 */
import { fact } from '../../src/core/facts/fact.ts'
import { createServer, type Socket } from 'node:net'
import { OutboundError } from '../../src/infra/egress/outbound-error.ts'
import type { Resolve } from '../../src/infra/egress/resolve.ts'
import { createCertificate, type KeyPair } from '../egress/support/certificates.ts'
import { createReceiver, type Answer, type ReceivedRequest } from '../egress/support/receiver.ts'
import { freePort } from './free-port.ts'
import { listenLocally } from './local-server.ts'
import { createUnansweredPort } from '../egress/support/unanswered-port.ts'

const LOOPBACK = '127.0.0.1'
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\n\r\n'

/** The ways in which a row's server misbehaves before any response; each has a separate server. */
export type Fault =
  | 'refused'
  | 'unanswered'
  | 'expired'
  | 'other_name'
  | 'self_signed'
  | 'handshake_stalls'
  | 'plain_http'

/** `answers` gets the number of the request, from 1; for null the server never responds. */
export async function startHostileReceiver(
  authority: KeyPair,
  answers: (row: string, number: number) => Answer | null,
) {
  const requests = new Map<string, ReceivedRequest[]>()
  const connections = new Map<string, Socket>()
  const closing: { close(): Promise<void> }[] = []
  const keep = <Closable extends { close(): Promise<void> }>(closable: Closable): Closable => {
    closing.push(closable)
    return closable
  }

  const hear: Answer = (socket, request) => {
    const row = request.headers['host']?.split('.', 1)[0] ?? ''
    const ofRow = requests.get(row) ?? []
    requests.set(row, [...ofRow, request])
    connections.set(row, socket)
    answers(row, ofRow.length + 1)?.(socket, request)
  }
  const everyPath = new Proxy<Record<string, Answer>>({}, { get: () => hear })
  const serve = async (pair: KeyPair) => keep(await createReceiver(pair, everyPath))

  const good = await serve(authority)
  const day = new Date('2026-01-02')
  const faults: Record<Fault, { port: number }> = {
    refused: { port: await freePort() },
    unanswered: keep(await createUnansweredPort()),
    expired: await serve(
      await createCertificate(['*.merchant.example'], { authority, validUntil: day }),
    ),
    other_name: await serve(await createCertificate(['other.example'], { authority })),
    self_signed: await serve(await createCertificate(['*.merchant.example'])),
    handshake_stalls: keep(await listenLocally(createServer())),
    plain_http: keep(await listenLocally(createServer((socket) => socket.end(BAD_REQUEST)))),
  }
  return {
    /** The requests of a row, in their order. */
    requests: (row: string) => requests.get(row) ?? [],
    /** Bytes written to the row's last connection, and whether it is still open. */
    connection(row: string) {
      const socket = connections.get(row)
      return { bytesWritten: socket?.bytesWritten ?? 0, isOpen: socket?.destroyed === false }
    },
    /** Returns the URL of a row; with a fault, on the server that has it. */
    url: (row: string, fault?: Fault) =>
      `https://${row}.merchant.example:${(fault ? faults[fault] : good).port}/`,
    async close() {
      for (const one of closing) await one.close()
    },
  }
}

/** The addresses of a name at the first look-up, the second and so on; the last one stays. */
export type LookUp = string[] | 'servfail' | 'hangs'

/** Returns a resolver that knows the addresses of each row's name. Unknown rows lead to loopback. */
export function createHostileResolver(rows: Record<string, LookUp[]>): Resolve {
  const asked = new Map<string, number>()
  return async (host, { signal }) => {
    const row = host.split('.', 1)[0]!
    const answers = rows[row] ?? [[LOOPBACK]]
    const number = asked.get(row) ?? 0
    asked.set(row, number + 1)
    const answer = answers[Math.min(number, answers.length - 1)]!
    if (answer === 'servfail') throw new OutboundError('dns_failed', fact('name_servers_silent'))
    if (answer !== 'hangs') return answer
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
  }
}
