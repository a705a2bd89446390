/**
 * Plays whoever answers calls and reports them: on the page someone is the caller and the agent, hangs up,
 * and the report goes to the address of a channel, signed with its secret, again until it is taken.
 */
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { SECOND_MS } from '../../limits/units.ts'
import { createActivity } from '../activity.ts'
import { isLoopback } from '../loopback.ts'
import { readNumber } from '../person.ts'
import type { PhoneAction, PhoneChat, PhoneMessage, SimulatedProvider } from '../provider.ts'
import { createTimers } from '../timers.ts'
import {
  PLAYED_PROVIDERS,
  writeReport,
  type PlayedProvider,
  type SimulatedCall,
} from './write-report.ts'

type Line = { id: string; url: string; secret: string; provider: PlayedProvider }
type Said = { by: 'caller' | 'agent'; text: string; at: number }
type Call = {
  id: string
  lineId: string
  number: string
  isWithheld: boolean
  startedAt: number
  turns: Said[]
  /** Null while they speak. */
  report: { endedAt: number; note: string; tries: number } | null
}

/** Numbers that were set aside for stories. */
const CALLERS = [
  { number: '12025550131', name: 'Sara Haddad' },
  { number: '12025550132', name: 'عمر الحسن' },
]
const SHOP = '+12025550130'
/** As often as Retell. */
const MOST_TRIES = 4
const ANSWER_MS = 10 * SECOND_MS

export function createSimulatedVoice({
  clock,
  retryMs = SECOND_MS,
}: {
  clock: { now(): Date }
  retryMs?: number
}): SimulatedProvider {
  const activity = createActivity()
  const timers = createTimers(activity, () => {})
  const lines = new Map<string, Line>()
  const callers = new Map(CALLERS.map((caller) => [caller.number, caller]))
  const calls: Call[] = []
  const listeners = new Set<() => void>()
  const now = () => clock.now().getTime()
  const changed = () => {
    for (const listener of listeners) listener()
  }

  const callsOf = (lineId: string, number: string) =>
    calls.filter((call) => call.lineId === lineId && call.number === number)

  /** The call that is on, or a new one. */
  function callOf({ accountId, personId }: PhoneAction): Call {
    if (!lines.has(accountId ?? '')) throw new Error('Add the line of a channel first')
    const on = callsOf(accountId!, personId ?? '').find(({ report }) => report === null)
    if (on) return on
    const call: Call = {
      id: `call-${randomBytes(8).toString('hex')}`,
      lineId: accountId!,
      number: personId ?? '',
      isWithheld: false,
      startedAt: now(),
      turns: [],
      report: null,
    }
    calls.push(call)
    return call
  }

  function say(action: PhoneAction, by: Said['by'], without: string): void {
    const said = typeof action.text === 'string' && action.text !== '' ? action.text : without
    const call = callOf(action)
    // Two things said at once would have no order.
    const at = Math.max(now(), (call.turns.at(-1)?.at ?? 0) + 1)
    call.turns.push({ by, text: said, at })
    changed()
  }

  function hangUp(action: PhoneAction): void {
    const call = callOf(action)
    if (call.turns.length === 0) throw new Error('Nothing was said yet')
    call.report = { endedAt: now(), note: 'reporting', tries: 0 }
    post(call, { isForged: false })
  }

  function again(action: PhoneAction, isForged: boolean): void {
    const last = callsOf(action.accountId ?? '', action.personId ?? '').findLast(
      ({ report }) => report !== null,
    )
    if (!last) throw new Error('Hang up first')
    post(last, { isForged })
  }

  function post(call: Call, { isForged }: { isForged: boolean }): void {
    const line = lines.get(call.lineId)!
    const end = activity.begin()
    void send(line, call, isForged)
      .catch(() => 0)
      .then((status) => {
        call.report!.tries += 1
        call.report!.note = status === 0 ? 'not answered' : `answered ${status}`
        const isTaken = status >= 200 && status < 300
        if (!isTaken && !isForged && call.report!.tries < MOST_TRIES) {
          timers.after(retryMs * call.report!.tries, () => post(call, { isForged }))
        }
        changed()
        end()
      })
  }

  async function send(line: Line, call: Call, isForged: boolean): Promise<number> {
    const { id, isWithheld, number, startedAt, turns, report } = call
    const from = isWithheld ? null : `+${number}`
    const told: SimulatedCall = { id, from, to: SHOP, startedAt, endedAt: report!.endedAt, turns }
    const secret = isForged ? `${line.secret}-forged` : line.secret
    const { body, headers } = writeReport(line.provider, told, { secret, now: now() })
    const timeouts = { headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS }
    const answer = await request(line.url, { method: 'POST', headers, body, ...timeouts })
    await answer.body.dump()
    return answer.statusCode
  }

  function addLine({ url, secret, provider }: PhoneAction): { id: string } {
    const address = URL.parse(String(url ?? '').trim())
    if (!address || !isLoopback(address.hostname)) {
      throw new Error('Paste the address that the page of the channel shows, on this machine')
    }
    const played = PLAYED_PROVIDERS.find((name) => name === String(provider ?? '').trim())
    const id = address.pathname.split('/').at(-1)!
    const form = played ?? 'signed'
    lines.set(id, { id, url: address.href, secret: String(secret ?? '').trim(), provider: form })
    changed()
    return { id: CALLERS[0]!.number }
  }

  const acts: Record<string, (action: PhoneAction) => unknown> = {
    read: () => {},
    addPerson: addLine,
    sendText: (action) => say(action, 'caller', 'Hello'),
    agent: (action) => say(action, 'agent', 'How can I help you?'),
    withhold: (action) => {
      const call = callOf(action)
      call.isWithheld = !call.isWithheld
      changed()
    },
    hangUp,
    again: (action) => again(action, false),
    forge: (action) => again(action, true),
  }

  function messagesOf(call: Call): PhoneMessage[] {
    return call.turns.map(({ by, text, at }, place) => ({
      id: `${call.id}:${place}`,
      from: by === 'caller' ? 'customer' : 'business',
      at,
      text,
      buttons: [],
      note: call.report && place === call.turns.length - 1 ? call.report.note : '',
    }))
  }

  function chat(accountId: string, personId: string): PhoneChat {
    const theirs = callsOf(accountId, personId)
    const on = theirs.find(({ report }) => report === null)
    const caller = callers.get(readNumber(personId) ?? '')
    return {
      name: caller?.name ?? personId,
      detail: `+${personId}`,
      badge: { text: on ? 'On the phone' : 'Nobody is on the phone', isOn: on !== undefined },
      messages: theirs.flatMap(messagesOf),
      tools: [
        { label: 'The agent says', action: { action: 'agent' } },
        {
          label: 'Withhold the number',
          action: { action: 'withhold' },
          isOn: on?.isWithheld === true,
        },
        { label: 'Hang up', action: { action: 'hangUp' } },
        { label: 'Report it again', action: { action: 'again' } },
        { label: 'Report it forged', action: { action: 'forge' } },
      ],
    }
  }

  return {
    name: 'voice',
    title: 'Phone calls',
    mount() {},
    answer(_request, response) {
      response.writeHead(404).end()
      return Promise.resolve()
    },
    phones: {
      accountLabel: 'Line',
      newPerson: [
        {
          name: 'url',
          label: 'Address of the channel',
          placeholder: 'http://127.0.0.1:4080/webhooks/voice/…',
        },
        { name: 'secret', label: 'Secret', placeholder: 'Secret' },
        { name: 'provider', label: 'Form', placeholder: PLAYED_PROVIDERS.join(', ') },
      ],
      list(accountId) {
        const accounts = [...lines.values()].map(({ id, provider }) => ({
          id,
          label: `${provider} ${id.slice(0, 8)}`,
        }))
        const chosen = accounts.find(({ id }) => id === accountId)?.id ?? accounts[0]?.id ?? null
        return {
          chosen,
          accounts,
          people: [...callers.values()].map(({ number, name }) => ({
            id: number,
            name,
            detail: `+${number}`,
            lastText:
              callsOf(chosen ?? '', number)
                .at(-1)
                ?.turns.at(-1)?.text ?? '',
            unread: 0,
          })),
          waiting: '',
        }
      },
      chat: ({ accountId, personId }) => chat(accountId, personId),
      act(action) {
        const act = Object.hasOwn(acts, action.action) ? acts[action.action] : undefined
        if (!act) throw new Error(`${action.action} cannot be done here`)
        return act(action)
      },
      file: () => undefined,
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    idle: activity.idle,
    close() {
      timers.stop()
      return Promise.resolve()
    },
  }
}
