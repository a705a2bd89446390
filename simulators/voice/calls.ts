/** Lines of channels and their calls. Each call is reported after its end until the report is accepted. */
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { SECOND_MS } from '../time.ts'
import type { Activity } from '../activity.ts'
import { isLoopback } from '../loopback.ts'
import type { PhoneAction } from '../provider.ts'
import type { Timers } from '../timers.ts'
import { REPORT_FORMATS, writeReport, type ReportFormat } from './write-report.ts'

/** A phone line whose calls are reported to a channel. */
export type Line = { id: string; url: string; secret: string; provider: ReportFormat }
/** A call, which is in progress until it has a report. */
export type Call = {
  id: string
  lineId: string
  number: string
  isWithheld: boolean
  startedAt: number
  turns: { by: 'caller' | 'agent'; text: string; at: number }[]
  /** Null during the call. */
  report: { endedAt: number; note: string; tries: number } | null
}

type Deps = {
  now(): number
  changed(): void
  activity: Activity
  timers: Timers
  /** Delay before the second attempt; the third waits twice as long. */
  retryMs: number
}

const SHOP = '+12025550130'
/** The number of attempts that Retell makes. */
const MAX_TRIES = 4
const ANSWER_MS = 10 * SECOND_MS

/** The calls of simulated callers. */
export type Calls = ReturnType<typeof createCalls>

/** Creates the store of lines and of simulated calls on them; each call that ends is reported to the service. */
export function createCalls(deps: Deps) {
  const { now, changed } = deps
  const lines = new Map<string, Line>()
  const calls: Call[] = []
  const of = (lineId: string, number: string) =>
    calls.filter((call) => call.lineId === lineId && call.number === number)

  /** Returns the current call, or a new one. @throws Error without a line */
  function on({ accountId = '', personId = '' }: PhoneAction): Call {
    if (!lines.has(accountId)) throw new Error('Add the line of a channel first')
    const current = of(accountId, personId).find(({ report }) => report === null)
    if (current) return current
    const call: Call = {
      id: `call-${randomBytes(8).toString('hex')}`,
      lineId: accountId,
      number: personId,
      isWithheld: false,
      startedAt: now(),
      turns: [],
      report: null,
    }
    calls.push(call)
    return call
  }

  return {
    lines,
    of,
    addLine(action: PhoneAction): void {
      const line = readLine(action)
      lines.set(line.id, line)
      changed()
    },
    say(action: PhoneAction, by: 'caller' | 'agent', without: string): void {
      const text = typeof action.text === 'string' && action.text !== '' ? action.text : without
      const { turns } = on(action)
      // Two statements with the same time would have no order.
      turns.push({ by, text, at: Math.max(now(), (turns.at(-1)?.at ?? 0) + 1) })
      changed()
    },
    withhold(action: PhoneAction): void {
      const call = on(action)
      call.isWithheld = !call.isWithheld
      changed()
    },
    hangUp(action: PhoneAction): void {
      const call = on(action)
      if (call.turns.length === 0) throw new Error('Nothing was said yet')
      call.report = { endedAt: now(), note: 'reporting', tries: 0 }
      post(deps, lines.get(call.lineId)!, call, { isForged: false })
    },
    /** Reports the last call once more. */
    again({ accountId = '', personId = '' }: PhoneAction, isForged: boolean): void {
      const last = of(accountId, personId).findLast(({ report }) => report !== null)
      if (!last) throw new Error('Hang up first')
      post(deps, lines.get(accountId)!, last, { isForged })
    },
  }
}

function readLine(action: PhoneAction): Line {
  const [url = '', secret = '', form] = ['url', 'secret', 'provider'].map((name) => {
    const typed = action[name]
    return typeof typed === 'string' ? typed.trim() : ''
  })
  const address = URL.parse(url)
  if (!address || !isLoopback(address.hostname)) {
    throw new Error('Paste the address that the page of the channel shows, on this machine')
  }
  const provider = REPORT_FORMATS.find((name) => name === form) ?? 'signed'
  return { id: address.pathname.split('/').at(-1)!, url: address.href, secret, provider }
}

function post(deps: Deps, line: Line, call: Call, how: { isForged: boolean }): void {
  const { activity, timers, changed, retryMs } = deps
  const report = call.report!
  const end = activity.begin()
  void send(line, call, how.isForged, deps.now())
    .catch(() => 0)
    .then((status) => {
      report.tries += 1
      report.note = status === 0 ? 'not answered' : `answered ${status}`
      const isTaken = status >= 200 && status < 300
      if (!isTaken && !how.isForged && report.tries < MAX_TRIES) {
        timers.after(retryMs * report.tries, () => post(deps, line, call, how))
      }
      changed()
      end()
    })
}

async function send(line: Line, call: Call, isForged: boolean, now: number): Promise<number> {
  const { id, isWithheld, number, startedAt, turns, report } = call
  const from = isWithheld ? null : `+${number}`
  const record = { id, from, to: SHOP, startedAt, endedAt: report!.endedAt, turns }
  const secret = isForged ? `${line.secret}-forged` : line.secret
  const { body, headers } = writeReport(line.provider, record, { secret, now })
  const timeouts = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS }
  const answer = await request(line.url, { method: 'POST', headers, body, ...timeouts })
  await answer.body.dump()
  return answer.statusCode
}
