/**
 * A number at the played bridge: what happened that is not yet known to be taken in, what of its keys is to
 * be kept, and how it stands with its phone. As the real one it keeps nothing beyond the process: who opens
 * it brings what was kept.
 */
import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '../../limits/units.ts'

export type SimulatedLink = {
  status: 'pairing' | 'expired' | 'connecting' | 'linked' | 'logged_out' | 'replaced' | 'banned'
  qr?: string
  qrUntil?: number
  number?: string
  code?: string
}

export type Round = {
  cursor: number
  events: { event: string; data: unknown }[]
  keep: Record<string, string | null>
  link: SimulatedLink
}

export type Session = ReturnType<typeof createSession>

/** As long as WhatsApp shows one, and so many of them. */
const QR_MS = 20 * SECOND_MS
const CODES = 6

export function createSession(
  state: Readonly<Record<string, string>>,
  { now, onChange }: { now(): number; onChange(): void },
) {
  const id = randomBytes(16).toString('hex')
  const events: { seq: number; event: string; data: unknown }[] = []
  const keep = new Map<string, { seq: number; value: string | null }>()
  const names = new Set(Object.keys(state))
  let seq = 0
  let link: SimulatedLink = { status: 'connecting' }
  let waiting: (() => void)[] = []
  let codes = 0
  let timer: NodeJS.Timeout | null = null

  function moved(): void {
    for (const wake of waiting.splice(0)) wake()
    onChange()
  }

  function setLink(next: SimulatedLink): void {
    link = next
    seq += 1
    if (timer) clearTimeout(timer)
    timer = null
    moved()
  }

  function showCode(): void {
    codes += 1
    if (codes > CODES) return setLink({ status: 'expired', code: '408' })
    const qr = `2@${['SIMULATED', randomBytes(32), randomBytes(32), randomBytes(32)].map((part) => part.toString('base64')).join(',')}`
    setLink({ status: 'pairing', qr, qrUntil: now() + QR_MS })
    timer = setTimeout(showCode, QR_MS)
    timer.unref()
  }

  function setKept(name: string, value: string | null): void {
    seq += 1
    if (value === null) names.delete(name)
    else names.add(name)
    keep.set(name, { seq, value })
  }

  /** Keys move on with each message, as those of WhatsApp do. */
  function turnKeys(with_: string): void {
    setKept(`session/${with_}`, randomBytes(24).toString('base64'))
  }

  function isNews(after: number): boolean {
    return seq > after
  }

  const number = state.creds
  if (number === undefined) showCode()
  else setLink({ status: 'linked', number })

  return {
    id,
    link: () => link,
    setLink,
    /** The phone scans the code. @throws where none is shown */
    scan(by: string): void {
      if (link.status !== 'pairing') throw new Error('No code is shown')
      setKept('creds', by)
      for (let key = 1; key <= 30; key += 1)
        setKept(`pre-key/${key}`, randomBytes(32).toString('hex'))
      // Right after pairing WhatsApp wants the connection anew.
      setLink({ status: 'connecting', code: '515' })
      setLink({ status: 'linked', number: by })
    },
    /** The keys are worth nothing from now on. */
    wipe(): void {
      for (const name of [...names]) setKept(name, null)
    },
    tell(event: string, data: unknown, with_: string): void {
      seq += 1
      events.push({ seq, event, data })
      turnKeys(with_)
      moved()
    },
    turnKeys,
    waitingEvents: () => events.length,
    /** What is new after `after`, which is taken in; waits for something to be. */
    async round(after: number, waitMs: number, signal: AbortSignal): Promise<Round> {
      const taken = events.findLastIndex((event) => event.seq <= after) + 1
      if (taken > 0) {
        events.splice(0, taken)
        onChange()
      }
      for (const [name, kept] of keep) if (kept.seq <= after) keep.delete(name)
      if (!isNews(after) && waitMs > 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = setTimeout(done, waitMs)
          function done() {
            clearTimeout(end)
            signal.removeEventListener('abort', done)
            resolve()
          }
          signal.addEventListener('abort', done)
          waiting.push(done)
        })
      }
      return {
        cursor: seq,
        events: events.map(({ event, data }) => ({ event, data })),
        keep: Object.fromEntries([...keep].map(([name, { value }]) => [name, value])),
        link,
      }
    },
    end(): void {
      if (timer) clearTimeout(timer)
      for (const wake of waiting.splice(0)) wake()
      waiting = []
    },
  }
}
