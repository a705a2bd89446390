import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import {
  answerAction,
  createChangeNotifier,
  readPageFile,
  writeFile,
  writeJson,
} from './page-answer.ts'
import type { PhoneAction, SimulatedProvider } from './provider.ts'

const ACTION = z.looseObject({
  action: z.string().max(64),
  accountId: z.string().max(64).optional(),
  personId: z.string().max(64).optional(),
})

function readAction(body: unknown): PhoneAction | string {
  const read = ACTION.safeParse(body)
  return read.success ? (read.data as PhoneAction) : z.prettifyError(read.error)
}

/** The HTTP parts of a provider: its page, the API of the page, and its own API. */
export type Site = {
  /** The tab of its page. */
  tab: { path: string; title: string }
  /** Returns true if a path belongs to this provider. */
  has(path: string): boolean
  /** Returns true if a path belongs to its phones, which only their page and programs of this machine may use. */
  isPage(path: string): boolean
  answerPage(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  /** Answers a request to its API. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>
  /** Stops immediately. */
  stop(): Promise<void>
}

/** Creates the phones of a provider at `/simulator/<name>`, and its API. */
export function createSite(provider: SimulatedProvider): Site {
  const { phones, name, title } = provider
  const page = readPageFile('phones.html')
  const notifier = createChangeNotifier()
  const stopListening = phones.onChange(notifier.notifyChange)
  const root = `/simulator/${name}`

  async function answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const query = url.searchParams
    const path = `${request.method} ${url.pathname.slice(root.length).replace(/\/$/, '')}`
    const [accountId, personId] = [query.get('accountId'), query.get('personId')]
    if (path === 'GET ') {
      writeFile(response, page)
    } else if (path === 'GET /api/phones') {
      const { accountLabel, newPerson } = phones
      writeJson(response, 200, { title, accountLabel, newPerson, ...phones.list(accountId) })
    } else if (path === 'GET /api/chat' && accountId !== null && personId !== null) {
      writeJson(response, 200, phones.chat({ accountId, personId }))
    } else if (path === 'GET /api/file') {
      const file = phones.file(query.get('id') ?? '')
      if (file) writeFile(response, { content: file.bytes, type: file.mimeType })
      else writeJson(response, 404, { error: 'This file is not here any more' })
    } else if (path === 'GET /api/changes') {
      notifier.listen(response)
    } else if (path === 'POST /api/actions') {
      await answerAction(request, response, readAction, phones.act)
    } else {
      writeJson(response, 404, { error: 'There is nothing here' })
    }
  }

  return {
    tab: { path: root, title },
    has: (path) => path === root || path.startsWith(`${root}/`),
    isPage: (path) => path.replace(/\/$/, '') === root || path.startsWith(`${root}/api/`),
    answerPage,
    answer: provider.answer,
    async stop() {
      stopListening()
      notifier.stop()
      await provider.close()
    },
  }
}
