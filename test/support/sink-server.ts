/** Takes what is posted to it and does nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Nowhere = { url: string; close(): Promise<void> }

export async function startNowhere(): Promise<Nowhere> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
