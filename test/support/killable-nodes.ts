/** Two nodes of the service on a world's database, and one address in front of both, as a balancer has it. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { createKillableService, type KillableService } from './killable-service.ts'
import { settingsOfProcess } from './killable-world.ts'
import type { World } from './test-service.ts'

/** Of the world too: all of them read the same secrets. */
export const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`

export type KillableNodes = {
  /** Both of them. */
  start(): Promise<void>
  of(turn: number): KillableService
  /** Gives each request to the next node; who is dead answers nobody. */
  url: string
  stop(): Promise<void>
  close(): Promise<void>
}

export async function createKillableNodes(
  world: World,
  env: Record<string, string>,
): Promise<KillableNodes> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-nodes-'))
  const ports = [await freePort(), await freePort()]
  const nodes = ports.map((port) =>
    createKillableService({
      ...settingsOfProcess(world, folder, { port, encryptionKeys: ENCRYPTION_KEYS }),
      LOG_LEVEL: 'info',
      ...env,
    }),
  )
  const balancer = await startBalancer(ports)
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  return {
    start: async () => {
      await Promise.all(nodes.map((node) => node.start()))
    },
    of: (turn) => nodes[turn % nodes.length]!,
    url: balancer.url,
    stop,
    async close() {
      await stop()
      await balancer.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a server that gives each request to the next of these ports. */
export async function startBalancer(ports: readonly number[]) {
  let turn = 0
  const server = createServer((request, response) => {
    turn += 1
    const { method, headers, url } = request
    const port = ports[turn % ports.length]!
    const on = ask(`http://127.0.0.1:${port}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    on.on('error', () => response.destroy())
    request.pipe(on)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
