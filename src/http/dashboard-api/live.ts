import { isSessionLive } from '../../modules/accounts/is-session-live.ts'
import { companiesAmong } from '../../modules/accounts/load-company.ts'
import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import type { LiveMessage } from '../../modules/live-updates/change-stream.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { LiveQuery, type LiveRoutes } from '../../contract/dashboard/live.ts'
import { members } from './access.ts'
import type { HttpDeps } from '../http-deps.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

/**
 * Changes in a company as server-sent events: `ready`, then one event for each new or changed entity, named after it
 * (`delivery`). `reset` tells the client to read the lists again. A client that reconnects with `Last-Event-ID`, or
 * `after`, continues from there. `also` names more companies of the account; each entity then carries its company's
 * id.
 */
export const liveRoutes = routes<LiveRoutes>().get(
  '/companies/:companyId/live',
  members(),
  query(LiveQuery),
  async (c) => {
    const { context, actor, companyId, session } = c.var
    // The body of a HEAD response is never read, so a stream would never be closed.
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const { also, after } = c.req.valid('query')
    // A company that is gone, or belongs to another account, is left out, so that the others' changes still arrive.
    const others = await companiesAmong(context.db.kysely, actor, also)
    const body = await createEventStream(context, {
      accountId: actor.accountId,
      companyIds: [...new Set([companyId, ...others])],
      role: actor.role,
      sessionId: session.id,
      position: c.req.header('last-event-id') ?? after,
      saysCompany: also.length > 0,
    })
    return c.body(body, 200, HEADERS)
  },
)

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A buffering proxy would delay every change.
  'x-accel-buffering': 'no',
}

type Listener = {
  accountId: string
  companyIds: readonly string[]
  role: Role
  sessionId: string
  position: string | null
  saysCompany: boolean
}

/**
 * Opens one client's stream of live changes (server-sent events). The stream ends with the session, or when the session
 * moves to another account or to a role that receives other events. It also ends with the service, and for a reader that
 * leaves too much unread.
 * @throws limit_reached
 */
export async function createEventStream(
  {
    db,
    clock,
    log,
    live,
    sessions,
    isStopping,
  }: Pick<HttpDeps, 'db' | 'clock' | 'log' | 'live' | 'sessions' | 'isStopping'>,
  { saysCompany, ...listener }: Listener,
): Promise<ReadableStream<Uint8Array>> {
  const text = new TextEncoder()
  let end = () => {}
  let write = (_text: string) => {}
  let beatNext = new Date(clock.now().getTime() + LIVE_LIMITS.heartbeatMs)
  // The watch starts before the response, so that a refusal is an ordinary problem response.
  const stopWatching = live.watch({
    ...listener,
    send: (message) => write(eventsOf(message, saysCompany)),
  })
  const timer = setInterval(() => void beat(), LIVE_LIMITS.pollEveryMs)
  const stopListening = sessions.watch(listener.sessionId, () => void look())
  const stop = () => {
    clearInterval(timer)
    stopWatching()
    stopListening()
  }

  async function beat(): Promise<void> {
    if (isStopping()) return end()
    const now = clock.now()
    if (now < beatNext) return
    beatNext = new Date(now.getTime() + LIVE_LIMITS.heartbeatMs)
    if (await look()) write(': beat\n\n')
  }

  /** Returns whether the session is still valid; ends the stream when it is not. */
  async function look(): Promise<boolean> {
    try {
      const who = {
        sessionId: listener.sessionId,
        accountId: listener.accountId,
        roles: [listener.role],
        now: clock.now(),
      }
      if (await isSessionLive(db.kysely, who)) return true
      end()
    } catch (error) {
      log.debug({ err: error }, 'live stream ended: its session could not be loaded')
      end()
    }
    return false
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true
        end = () => {
          if (!isOpen) return
          isOpen = false
          stop()
          controller.close()
        }
        write = (chunk) => {
          if (!isOpen) return
          if ((controller.desiredSize ?? 0) <= 0) return end()
          controller.enqueue(text.encode(chunk))
        }
        write('retry: 2000\n: listening\n\n')
      },
      cancel: () => {
        stop()
        end = () => {}
        write = () => {}
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: LIVE_LIMITS.unreadBytes }),
  )
  // The session may have ended between the access check and the watch, which then reports nothing.
  await look()
  return stream
}

/**
 * Returns the events of a message. Only the last one has the position, so a reader that is disconnected before that one
 * receives all of them again.
 */
function eventsOf(message: LiveMessage, saysCompany: boolean): string {
  const id = `id: ${message.position}\n`
  if (message.kind !== 'changed') return `event: ${message.kind}\n${id}data: {}\n\n`
  const last = message.items.length - 1
  return message.items
    .map(
      ({ companyId, entity, item }, index) =>
        `event: ${entity}\n${index === last ? id : ''}data: ${JSON.stringify(saysCompany ? { companyId, ...item } : item)}\n\n`,
    )
    .join('')
}
