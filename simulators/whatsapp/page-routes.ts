import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../time.ts'
import type { Numbers } from './business-number.ts'
import type { CustomerActions } from './customer-actions.ts'
import type { IdentityActions } from './identity-actions.ts'
import type { Ledger } from './ledger.ts'
import {
  answerAction,
  createChangeNotifier,
  readPageFile,
  writeFile,
  writeJson,
} from '../page-answer.ts'
import { viewChat, viewPhones } from './page-view.ts'
import { doAction, readAction } from './read-action.ts'
import type { StatusProgress } from './status-progress.ts'
import type { TypingShown } from '../typing-shown.ts'

const ROOT = '/simulator'

/** Creates the phone page of WhatsApp at `/simulator`, and its API below `/simulator/api/`. */
export function createPage(options: {
  ledger: Ledger
  numbers: Numbers
  clock: Clock
  actions: CustomerActions & IdentityActions
  progress: StatusProgress
  typing: TypingShown
  /** Customers answer automatically, unless a person answers for them. */
  canAnswerAlone: boolean
}) {
  const { ledger, numbers, clock, actions, progress, typing, canAnswerAlone } = options
  const { book } = ledger
  const page = readPageFile('index.html')
  const notifier = createChangeNotifier()
  const stopListening = ledger.onCommit((entries) => {
    const hasNews = entries.some(({ kind }) => kind !== 'template')
    if (hasNews) notifier.notifyChange()
  })
  const stopTyping = typing.onChange(notifier.notifyChange)

  async function answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const query = url.searchParams
    const path = `${request.method} ${url.pathname.replace(/\/$/, '')}`
    if (path === `GET ${ROOT}`) {
      writeFile(response, page)
    } else if (path === 'GET /simulator/api/phones') {
      const phones = viewPhones(book, numbers, query.get('phoneNumberId'))
      writeJson(response, 200, { ...phones, canAnswerAlone })
    } else if (path === 'GET /simulator/api/chat') {
      const [id, customer] = [query.get('phoneNumberId') ?? '', query.get('customer') ?? '']
      const place = { phoneNumberId: id, customer }
      const chat = viewChat(book, numbers, place, clock.now().getTime())
      writeJson(response, 200, { ...chat, typingMs: typing.leftMs(id, customer, chat.sentAt) })
    } else if (path === 'GET /simulator/api/changes') {
      notifier.listen(response)
    } else if (path === 'POST /simulator/api/actions') {
      await answerAction(request, response, readAction, (action) =>
        doAction(action, actions, progress),
      )
    } else {
      writeJson(response, 404, { error: 'There is nothing here' })
    }
  }

  return {
    tab: { path: ROOT, title: 'WhatsApp' },
    has: (path: string) =>
      path.replace(/\/$/, '') === ROOT || /^\/simulator\/(?:graph|api)\//.test(path),
    isPage: (path: string) => !path.startsWith('/simulator/graph/'),
    answerPage,
    stop(): void {
      stopListening()
      stopTyping()
      notifier.stop()
    },
  }
}
