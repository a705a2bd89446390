import { LIVE_LIMITS } from '../../core/limits/deliveries.ts'

/** The names of events that a stream may send; events with other names are ignored. */
const ENTITIES = [
  'appointment',
  'booking_page',
  'broadcast',
  'contact_import',
  'conversation',
  'delivery',
  'flow',
  'handover',
  'hook_url',
  'lead',
  'message',
  'reply',
  'resource',
  'service',
] as const

/** A kind of entity whose changes the stream reports. */
export type Entity = (typeof ENTITIES)[number]

/** A message from the tab that reads the stream to all tabs, itself included. */
type StreamEvent =
  /** No change of these companies is missed from here on. */
  | { kind: 'on'; companyIds: readonly string[] }
  /** The connection was lost. The stream resumes where it was, or sends `reset`. */
  | { kind: 'off' }
  /** Changes were missed, so everything that is shown has to be read again. */
  | { kind: 'reset'; companyIds: readonly string[] }
  | { kind: 'changed'; companyId: string; entity: Entity; thing: { id: string } }

/** A message between the tabs. `position` is the event after which the next stream resumes. */
type Post = { kind: 'hello' } | { kind: 'opening' } | (StreamEvent & { position: string | null })

type StreamOptions = {
  /** The company whose pages the tab shows. */
  companyId: string
  /** The key of tabs that share a stream: those of one session in one account. */
  scope: string
  /** Ends the tab's part in the stream. */
  signal: AbortSignal
  onEvent(event: StreamEvent): void
  /** Returns whether to try again after a stream was refused. */
  mayRetry(): Promise<boolean>
}

/** The delays before the retries, where the browser does not retry automatically; the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 15_000, 60_000]
/**
 * A tab that holds the stream and does not answer for this time is suspended, as a phone suspends tabs in the
 * background.
 */
const RESPONSE_TIMEOUT_MS = 4_000

/**
 * Joins the stream of changes that the tabs of a browser share. One tab holds a lock, reads the stream and posts its
 * events to the others; when it closes, the next tab takes over. Browsers give no locks to pages loaded over plain HTTP
 * from another machine: there, each tab reads a separate stream.
 */
export function joinStream({ companyId, scope, signal, onEvent, mayRetry }: StreamOptions): void {
  const name = `wasla-live ${scope}`
  const channel = openChannel(name)
  let position: string | null = null
  let hasBegun = false
  const failed = { times: 0 }
  let asleepTimer = 0
  let answer = () => {}
  let stopQueuing = () => {}

  function post(message: Post): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin only
    channel?.postMessage(message)
  }

  function deliver(event: StreamEvent): void {
    window.clearTimeout(asleepTimer)
    hasBegun ||= event.kind === 'on'
    onEvent(event)
  }

  /** Reads the stream until it is refused or another tab has taken it over. Returns whether it was refused. */
  async function read(until: AbortSignal): Promise<boolean> {
    let companyIds: readonly string[] = []
    let stream: EventSource | null = null
    let isOpening = false
    let isOn = false
    if (until.aborted) return false
    window.clearTimeout(asleepTimer)
    const { promise: isRefused, resolve: end } = Promise.withResolvers<boolean>()
    until.addEventListener('abort', () => end(false))
    const announce = (event: StreamEvent) => {
      isOpening = false
      isOn = event.kind !== 'off'
      if (isOn) failed.times = 0
      post({ ...event, position })
      deliver(event)
    }
    const look = async () => {
      const wanted = channel ? await companiesShown(name, companyId) : [companyId]
      if (until.aborted) return
      if (stream && wanted.every((id) => companyIds.includes(id))) {
        if (isOpening) return post({ kind: 'opening' })
        return announce(isOn ? { kind: 'on', companyIds } : { kind: 'off' })
      }
      stream?.close()
      isOpening = true
      companyIds = wanted
      stream = openStream(companyIds, {
        position,
        moveTo: (to) => (position = to),
        begin: (kind) => announce({ kind: hasBegun ? kind : 'on', companyIds }),
        change: (changed) => announce({ kind: 'changed', ...changed }),
        disconnect(isForGood) {
          announce({ kind: 'off' })
          if (isForGood) end(true)
        },
      })
    }
    answer = () => void look()
    answer()
    const wasRefused = await isRefused
    answer = () => {}
    ;(stream as EventSource | null)?.close()
    return wasRefused
  }

  if (channel) {
    const asleep = () => stopQueuing()
    const greet = () => {
      window.clearTimeout(asleepTimer)
      const isSeen = document.visibilityState === 'visible'
      if (isSeen) asleepTimer = window.setTimeout(asleep, RESPONSE_TIMEOUT_MS)
      post({ kind: 'hello' })
    }
    channel.addEventListener('message', ({ data }: MessageEvent<Post>) => {
      if (data.kind === 'hello') return answer()
      if (data.kind === 'opening') return window.clearTimeout(asleepTimer)
      position = data.position
      deliver(data)
    })
    greetWhenVisible(channel, { name, companyId, signal, greet })
  }
  const attempt = async (isAsleep: boolean): Promise<Outcome> => {
    const queue = (stop: () => void) => (stopQueuing = stop)
    const outcome = channel
      ? await withLock(name, { isAsleep, signal, queue, run: read })
      : outcomeOf(await read(signal))
    // The next stream cannot resume: it starts from the beginning, and everything is read again.
    if (outcome === 'refused') position = null
    return outcome
  }
  void keepTrying({ signal, failed, mayRetry, attempt })
}

type RetryOptions = Pick<StreamOptions, 'signal' | 'mayRetry'> & {
  failed: { times: number }
  attempt(isAsleep: boolean): Promise<Outcome>
}

/** Joins the stream until the tab leaves or must not retry. The wait grows after each refusal. */
async function keepTrying({ signal, failed, mayRetry, attempt }: RetryOptions): Promise<void> {
  let isAsleep = false
  while (!signal.aborted) {
    const outcome = await attempt(isAsleep)
    isAsleep = outcome === 'asleep'
    if (outcome !== 'refused') continue
    const last = RETRY_DELAYS_MS.length - 1
    await pause(RETRY_DELAYS_MS[Math.min(failed.times, last)]!, signal)
    failed.times += 1
    if (signal.aborted || !(await mayRetry())) return
  }
}

type Outcome = 'refused' | 'asleep' | 'over'

const outcomeOf = (wasRefused: boolean): Outcome => (wasRefused ? 'refused' : 'over')

type Locked = {
  /** The tab that holds the lock does not answer, so the lock is taken from it. */
  isAsleep: boolean
  signal: AbortSignal
  /** Receives a function that stops waiting for the lock. */
  queue(stop: () => void): void
  run(until: AbortSignal): Promise<boolean>
}

/** Waits for the lock and runs, until the run has ended or another tab has taken the lock. */
async function withLock(name: string, { isAsleep, signal, queue, run }: Locked): Promise<Outcome> {
  const [lost, queued] = [new AbortController(), new AbortController()]
  let outcome: Outcome = 'over'
  queue(() => {
    outcome = 'asleep'
    queued.abort()
  })
  signal.addEventListener('abort', () => {
    lost.abort()
    queued.abort()
  })
  try {
    const how = isAsleep ? { steal: true } : { signal: queued.signal }
    return await navigator.locks.request(name, how, async () => {
      queue(() => {})
      return outcomeOf(await run(lost.signal))
    })
  } catch (error) {
    const isTaken = error instanceof DOMException && error.name === 'AbortError'
    // A browser that is set to store nothing refuses locks.
    if (!isTaken) return outcomeOf(await run(signal))
    lost.abort()
    return outcome
  }
}

type Handlers = {
  position: string | null
  moveTo(position: string): void
  /** The stream resumes, or starts again and has missed earlier changes. */
  begin(kind: 'on' | 'reset'): void
  change(changed: { companyId: string; entity: Entity; thing: { id: string } }): void
  /** `isForGood`: the browser does not retry automatically. */
  disconnect(isForGood: boolean): void
}

function openStream([first, ...also]: readonly string[], handlers: Handlers): EventSource {
  const { position } = handlers
  const asked = [
    ...(also.length > 0 ? [`also=${also.join()}`] : []),
    ...(position === null ? [] : [`after=${position}`]),
  ].join('&')
  const stream = new EventSource(`/api/companies/${first}/live${asked && `?${asked}`}`)
  let hasPosition = position !== null
  const move = ({ lastEventId }: MessageEvent<string>) => {
    if (lastEventId !== '') handlers.moveTo(lastEventId)
  }
  // A resumed stream sends no event at its start.
  stream.addEventListener('open', () => {
    if (hasPosition) handlers.begin('on')
  })
  for (const kind of ['ready', 'reset']) {
    stream.addEventListener(kind, (event: MessageEvent<string>) => {
      move(event)
      hasPosition = event.lastEventId !== ''
      handlers.begin('reset')
    })
  }
  for (const entity of ENTITIES) {
    stream.addEventListener(entity, (event: MessageEvent<string>) => {
      move(event)
      const thing = JSON.parse(event.data) as { id: string; companyId?: string }
      handlers.change({ companyId: thing.companyId ?? first!, entity, thing })
    })
  }
  // The browser stops retrying after a refusal, such as a proxy's while the service starts.
  stream.addEventListener('error', () =>
    handlers.disconnect(stream.readyState === EventSource.CLOSED),
  )
  return stream
}

/** Returns the channel between the tabs of a scope. Returns null where the browser has no channels or no locks. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return 'locks' in navigator ? new BroadcastChannel(name) : null
  } catch {
    return null
  }
}

/** Greets the tab that reads the stream when this tab opens and when it becomes visible again. */
function greetWhenVisible(
  channel: BroadcastChannel,
  {
    name,
    companyId,
    signal,
    greet,
  }: { name: string; companyId: string; signal: AbortSignal; greet(): void },
): void {
  document.addEventListener('visibilitychange', greet, { signal })
  signal.addEventListener('abort', () => channel.close())
  lockCompany(name, companyId, { signal, greet })
}

/** Holds a lock whose name contains the tab's company, for as long as the tab is open. Greets once it has the lock. */
function lockCompany(
  name: string,
  companyId: string,
  { signal, greet }: { signal: AbortSignal; greet(): void },
): void {
  const shown = navigator.locks.request(`${name} ${companyId}`, { mode: 'shared', signal }, () => {
    greet()
    return new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  shown.catch(() => undefined)
}

/** Returns the companies that tabs show, with this tab's first. */
async function companiesShown(name: string, own: string): Promise<string[]> {
  const { held = [] } = await navigator.locks.query()
  const shown = held.flatMap((lock) =>
    lock.name?.startsWith(`${name} `) ? [lock.name.slice(name.length + 1)] : [],
  )
  return [...new Set([own, ...shown])].slice(0, LIVE_LIMITS.companiesPerStream)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      resolve()
    })
  })
}
