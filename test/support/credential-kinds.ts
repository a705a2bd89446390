/**
 * The four ways in which a connection authenticates, and a merchant's server that returns the credentials it
 * was sent.
 */
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import type { ShopApi } from './shop-api.ts'

const TOKEN = 'tok_9fQ2/x+Lm7Rz-sZ4'
const PASSWORD = 'p@ss/w0rd+secret'

/** Each of them, with the parts that must not appear anywhere. */
export const CREDENTIALS: [kind: string, auth: ConnectionAuth, secrets: string[]][] = [
  ['bearer', { kind: 'bearer', token: TOKEN }, [TOKEN]],
  ['header', { kind: 'header', name: 'X-Shop-Key', key: TOKEN }, [TOKEN]],
  ['query', { kind: 'query', name: 'shop_key', key: TOKEN }, [TOKEN, encodeURIComponent(TOKEN)]],
  [
    'basic',
    { kind: 'basic', username: 'shopuser', password: PASSWORD },
    [PASSWORD, Buffer.from(`shopuser:${PASSWORD}`).toString('base64')],
  ],
]

/** Answers with the request itself, both plainly and in Base64, as some servers do in their errors and traces. */
export const giveRequestBack: Parameters<ShopApi['reply']>[0] = (request, response) => {
  const { method, url, headers } = request
  const told = JSON.stringify({
    method,
    url,
    headers,
    path: url,
    raw: Object.entries(headers).flat(),
  })
  const debug = Buffer.from(told).toString('base64')
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ status: 'shipped', debug, request: JSON.parse(told) as unknown }))
}
