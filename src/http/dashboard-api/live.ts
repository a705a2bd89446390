import { isSessionLive } from '../../modules/accounts/is-session-live.ts'
import { companiesAmong } from '../../modules/accounts/load-company.ts'
import type { LiveRoutes } from '../../contract/dashboard/routes/live.ts'
import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'
import type { LiveMessage } from '../../modules/live-updates/change-stream.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { LiveQuery } from '../../contract/dashboard/live.ts'
import { inCompany } from './access.ts'
import type { HttpDeps } from '../http-deps.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

/**
 * What changes in a company, as server-sent events: `ready`, then one event for each thing that is new
 * or has changed, named after its noun (`delivery`), and `reset` when the lists are to be read again. A
 * client that comes back with `Last-Event-ID`, or `after`, goes on where it was. `also` names more companies of the
 * account; each thing then says of which company it is.
 */
export const liveRoutes = routes<LiveRoutes>().get(
  '/companies/:companyId/live',
  inCompany('owner', 'admin', 'agent'),
  query(LiveQuery),
  async (c) => {
    const { context, actor, companyId, session } = c.var
    // Of a HEAD nobody would read the stream, so nobody would end it.
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const { also, after } = c.req.valid('query')
    // One that is gone, or of another account, is left out: the others' changes are told all the same.
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
  // A proxy that gathers answers would hold every change back.
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
 * The stream of one listener. It ends at once with the session, or when that goes on in another account, with a
 * role that hears other things, with the service, and for a reader that leaves too much unread.
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
  // Asked for before the answer begins, so that a refusal is a problem like any other.
  const stopWatching = live.watch({
    ...listener,
    tell: (message) => write(eventsOf(message, saysCompany)),
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

  /** Whether the session is still good; else the stream ends. */
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
      log.debug({ err: error }, 'a listener was let go, as its session could not be looked up')
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
  // A session that ended after the request was let in, and before it was watched, is told of no more.
  await look()
  return stream
}

/** Only the last line names the position: who is cut off before it gets all of them again. */
function eventsOf(message: LiveMessage, saysCompany: boolean): string {
  const id = `id: ${message.position}\n`
  if (message.kind !== 'changed') return `event: ${message.kind}\n${id}data: {}\n\n`
  const last = message.things.length - 1
  return message.things
    .map(
      ({ companyId, noun, thing }, index) =>
        `event: ${noun}\n${index === last ? id : ''}data: ${JSON.stringify(saysCompany ? { companyId, ...thing } : thing)}\n\n`,
    )
    .join('')
}
