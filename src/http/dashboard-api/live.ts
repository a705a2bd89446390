import { isSessionLive } from '../../accounts/is-session-live.ts'
import type { LiveRoutes } from '../../contract/dashboard/routes/live.ts'
import { LIVE_LIMITS } from '../../limits/deliveries.ts'
import type { LiveMessage } from '../../live/watch-changes.ts'
import type { Role } from '../../vocabulary/accounts.ts'
import { inCompany } from './access.ts'
import type { HttpDeps } from '../http-deps.ts'
import { routes } from './routes.ts'

/**
 * What changes in a company, as server-sent events: `ready`, then one event for each thing that is new
 * or has changed, named after its noun (`delivery`), and `reset` when the lists are to be read again. A
 * client that comes back with `Last-Event-ID` goes on where it was.
 */
export const liveRoutes = routes<LiveRoutes>().get(
  '/companies/:companyId/live',
  inCompany('owner', 'admin', 'agent'),
  async (c) => {
    const { context, actor, companyId, session } = c.var
    // Of a HEAD nobody would read the stream, so nobody would end it.
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
    const body = await createEventStream(context, {
      accountId: actor.accountId,
      companyId,
      role: actor.role,
      sessionId: session.id,
      position: c.req.header('last-event-id') ?? null,
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
  companyId: string
  role: Role
  sessionId: string
  position: string | null
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
  { sessionId, ...listener }: Listener,
): Promise<ReadableStream<Uint8Array>> {
  const text = new TextEncoder()
  let end = () => {}
  let write = (_text: string) => {}
  let beatNext = new Date(clock.now().getTime() + LIVE_LIMITS.heartbeatMs)
  // Asked for before the answer begins, so that a refusal is a problem like any other.
  const stopWatching = live.watch({ ...listener, tell: (message) => write(eventsOf(message)) })
  const timer = setInterval(() => void beat(), LIVE_LIMITS.pollEveryMs)
  const stopListening = sessions.watch(sessionId, () => void look())
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
        sessionId,
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
function eventsOf(message: LiveMessage): string {
  const id = `id: ${message.position}\n`
  if (message.kind !== 'changed') return `event: ${message.kind}\n${id}data: {}\n\n`
  const last = message.things.length - 1
  return message.things
    .map(
      ({ noun, thing }, index) =>
        `event: ${noun}\n${index === last ? id : ''}data: ${JSON.stringify(thing)}\n\n`,
    )
    .join('')
}
