/** A merchant's API over HTTPS on loopback, told by each test how to answer, and connections to it. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { authColumns } from '../../src/modules/connections/create-connection.ts'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import type { World } from './test-service.ts'
import { inTime } from './wait.ts'

export type ApiRequest = {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

type Reply = (request: ApiRequest, response: ServerResponse) => void

export type ShopApi = {
  baseUrl: string
  requests: ApiRequest[]
  /** How it answers from here on. */
  reply(how: Reply): void
  /** Resolves once so many requests have come in all. */
  hasReceived(count: number): Promise<void>
  close(): Promise<void>
}

/** Answers with a status and a JSON body. */
export const json =
  (status: number, body: unknown = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

/** Takes the request and never answers. */
export const hang: Reply = () => {}

export async function startShopApi({ receiver }: Pick<World, 'receiver'>): Promise<ShopApi> {
  const requests: ApiRequest[] = []
  const waiting = new Set<() => void>()
  let reply: Reply = json(200)
  const server = createServer(receiver.authority, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const body = Buffer.concat(parts).toString('utf8')
      const received = { method, url, headers, body }
      requests.push(received)
      for (const look of waiting) look()
      reply(received, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    requests,
    reply(how) {
      reply = how
    },
    hasReceived(count) {
      const received = new Promise<void>((resolve) => {
        const look = () => {
          if (requests.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
      return inTime(`request ${count} comes in`, received, 60_000)
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const API_TOKEN = 'sk_test_credential_of_the_shop'

type Connection = {
  id?: string
  companyId: string
  baseUrl: string
  auth?: ConnectionAuth
  headers?: { name: string; value: string }[]
  timeoutMs?: number
  isOn?: boolean
}

/** Writes an API connection as a member would have made it, with a bearer token unless told. Returns its id. */
export async function connectApi(
  { service }: Pick<World, 'service'>,
  { companyId, baseUrl, auth, headers = [], timeoutMs = 10_000, isOn = true, ...own }: Connection,
): Promise<string> {
  const { db, clock, ids } = service.context
  const now = clock.now()
  const { id = ids.uuid() } = own
  const bearer = { kind: 'bearer', token: API_TOKEN } as const
  await db.kysely
    .insertInto('apiConnection')
    .values({
      id,
      companyId,
      name: 'Shop system',
      baseUrl,
      ...authColumns(service.keyRing, { id, companyId }, auth ?? bearer),
      headers: JSON.stringify(headers),
      timeoutMs,
      isOn,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

/** A step that asks the shop's system for the order, on both paths followed by what is told. */
export function callStep(
  connectionId: string,
  request: object,
  paths: { next: string | null; onFailure: string | null; keep?: object[] },
) {
  return {
    kind: 'http_request',
    request: {
      connectionId,
      method: 'GET',
      path: '/orders/{{vars.order}}',
      query: [],
      headers: [],
      body: null,
      ...request,
    },
    keep: [],
    ...paths,
  }
}
