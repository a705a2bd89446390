/** A merchant's API over HTTPS on loopback, whose responses each test sets, and connections to it. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { authColumns } from '../../src/modules/connections/create-connection.ts'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import { listenLocally, withBody } from './local-server.ts'
import { insert } from './records/records.ts'
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

/** Answers with a status and a JSON body. */
export const json =
  (status: number, body: unknown = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

export async function startShopApi({ receiver }: Pick<World, 'receiver'>) {
  const requests: ApiRequest[] = []
  const waiting = new Set<() => void>()
  let reply: Reply = json(200)
  const answer = withBody(({ method = '', url = '', headers }, response, body) => {
    const received = { method, url, headers, body: body.toString('utf8') }
    requests.push(received)
    for (const look of waiting) look()
    reply(received, response)
  })
  const { port, close } = await listenLocally(createServer(receiver.authority, answer))
  return {
    baseUrl: `https://127.0.0.1:${port}/api`,
    requests,
    /** Sets how the server responds from now on. */
    reply(how: Reply) {
      reply = how
    },
    /** Resolves once this number of requests has arrived in total. */
    hasReceived(count: number) {
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
    close,
  }
}

export type ShopApi = Awaited<ReturnType<typeof startShopApi>>

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

/** Adds an API connection as a member makes it, by default with a bearer token. Returns its id. */
export async function connectApi(
  world: Pick<World, 'service'>,
  { companyId, baseUrl, auth, headers = [], timeoutMs = 10_000, isOn = true, ...own }: Connection,
): Promise<string> {
  const { context, keyRing } = world.service
  const now = context.clock.now()
  const { id = context.ids.uuid() } = own
  const bearer = { kind: 'bearer', token: API_TOKEN } as const
  const columns = authColumns(keyRing, { id, companyId }, auth ?? bearer)
  const said = { name: 'Shop system', baseUrl, headers: JSON.stringify(headers), timeoutMs, isOn }
  const made = { id, companyId, createdAt: now, updatedAt: now }
  await insert(world, 'apiConnection', { ...made, ...said, ...columns })
  return id
}

/** Returns a step that requests the order from the shop's system; both exits lead to the given steps. */
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
