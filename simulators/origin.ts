/** One HTTP server on loopback for the APIs and pages of all simulators of a process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback, isOwnPage } from './loopback.ts'
import { readPageFile, writeFile, writeJson } from './page-answer.ts'
import type { SimulatorLog } from './provider.ts'
import type { Site } from './site.ts'
import { SECOND_MS } from './time.ts'

/** Files that the pages of all providers share. */
const SHARED_FILES = ['page.css', 'chat.css', 'page.js', 'tabs.js', 'phones.js', 'parts.js']

/** The HTTP server of all simulators. */
export type Origin = {
  /** The URL without a slash at the end. */
  url: string
  /** Answers requests by these sites from now on. */
  serve(sites: readonly Site[]): void
  close(): Promise<void>
}

/**
 * Opens the HTTP server of all simulators.
 * @throws Error if the host is not loopback or the port is in use.
 */
export async function openOrigin(host: string, port: number, log: SimulatorLog): Promise<Origin> {
  if (!isLoopback(host)) throw new Error(`A simulator listens on loopback only, not on ${host}`)
  const server = createServer({ requestTimeout: 15 * SECOND_MS, keepAliveTimeout: 75 * SECOND_MS })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), resolve)
  })
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const url = `http://${name}:${(server.address() as AddressInfo).port}`
  return {
    url,
    serve(sites) {
      const answerOne = createAnswer(sites)
      server.on('request', (request, response) => {
        const target = `${url}${request.url ?? '/'}`
        const asked = new URL(URL.canParse(target) ? target : url)
        answerOne(request, response, asked).catch((error: unknown) => {
          log(`Simulator: a response ended early: ${String(error)}`)
          response.destroy()
        })
      })
    },
    close: () => closeServer(server),
  }
}

function createAnswer(sites: readonly Site[]) {
  const tabs = sites.map(({ tab }) => tab)
  const shared = new Map(SHARED_FILES.map((name) => [`/simulator/${name}`, readPageFile(name)]))

  return async function answerOne(
    request: IncomingMessage,
    response: ServerResponse,
    asked: URL,
  ): Promise<void> {
    const path = asked.pathname
    const site = sites.find(({ has }) => has(path))
    if (site && !site.isPage(path)) return site.answer(request, response, asked)
    const { host, origin } = request.headers
    if (!isOwnPage({ ...(host ? { host } : {}), ...(origin ? { origin } : {}) })) {
      return writeJson(response, 403, { error: 'Only the page of this simulator may do that' })
    }
    const file = request.method === 'GET' ? shared.get(path) : undefined
    if (file) return writeFile(response, file)
    if (request.method === 'GET' && path === '/simulator/api/tabs') {
      return writeJson(response, 200, { tabs })
    }
    if (site) return site.answerPage(request, response, asked)
    writeJson(response, 404, { error: 'There is nothing here' })
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
