/**
 * Simulates a provider that answers and reports calls. On the page a person plays both the caller and the agent, then
 * hangs up. The report is sent to the URL of a channel, signed with its secret, and repeated until it is accepted.
 */
import { SECOND_MS } from '../time.ts'
import { createActivity } from '../activity.ts'
import type {
  SimulatorEnvironment,
  PhoneAction,
  PhoneMessage,
  Phones,
  SimulatedProvider,
} from '../provider.ts'
import { createTimers } from '../timers.ts'
import { createCalls, type Call, type Calls } from './calls.ts'
import { REPORT_FORMATS } from './write-report.ts'

/** Numbers that are reserved for fiction. */
const CALLERS = [
  { number: '12025550131', name: 'Sara Haddad' },
  { number: '12025550132', name: 'عمر الحسن' },
]

/** The options of the simulator. */
export type VoiceOptions = {
  /** The delay between two attempts to post a report. */
  retryMs?: number
}

/** Creates the simulator of voice agents: callers' phones, and the reports of ended calls. */
export function createVoiceSimulator(
  { origin, clock }: SimulatorEnvironment,
  { retryMs = SECOND_MS }: VoiceOptions,
): SimulatedProvider {
  const activity = createActivity()
  const timers = createTimers(activity, () => {})
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const now = () => clock.now().getTime()
  const calls = createCalls({ now, changed, activity, timers, retryMs })
  return {
    name: 'voice',
    title: 'Phone calls',
    baseUrl: `${origin}/simulator/voice`,
    answer(_request, response) {
      response.writeHead(404).end()
      return Promise.resolve()
    },
    phones: {
      ...phonesOf(calls),
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

function phonesOf(calls: Calls): Omit<Phones, 'onChange'> {
  const acts = actsOf(calls)
  return {
    accountLabel: 'Line',
    newPerson: [
      { name: 'url', label: 'Report URL', placeholder: 'Report URL' },
      { name: 'secret', label: 'Secret', placeholder: 'Secret' },
      { name: 'provider', label: 'Format', placeholder: REPORT_FORMATS.join(', ') },
    ],
    list(accountId) {
      const accounts = [...calls.lines.values()].map(({ id, provider }) => ({
        id,
        label: `${provider} ${id.slice(0, 8)}`,
      }))
      const chosen = accounts.find(({ id }) => id === accountId)?.id ?? accounts[0]?.id ?? null
      const people = CALLERS.map(({ number, name }) => {
        const lastText =
          calls
            .of(chosen ?? '', number)
            .at(-1)
            ?.turns.at(-1)?.text ?? ''
        return { id: number, name, detail: `+${number}`, lastText, unread: 0 }
      })
      return { chosen, accounts, people, waiting: '' }
    },
    chat({ accountId, personId }) {
      const theirs = calls.of(accountId, personId)
      const on = theirs.find(({ report }) => report === null)
      return {
        name: CALLERS.find(({ number }) => number === personId)?.name ?? personId,
        detail: `+${personId}`,
        badge: { text: on ? 'On the phone' : 'Nobody is on the phone', isOn: on !== undefined },
        messages: theirs.flatMap(messagesOf),
        tools: [
          { label: 'Agent speaks', action: { action: 'agent' } },
          { label: 'Hide number', action: { action: 'withhold' }, isOn: !!on?.isWithheld },
          { label: 'Hang up', action: { action: 'hangUp' } },
          { label: 'Report again', action: { action: 'again' } },
          { label: 'Report with forged signature', action: { action: 'forge' } },
        ],
      }
    },
    act(action) {
      const act = Object.hasOwn(acts, action.action) ? acts[action.action] : undefined
      if (!act) throw new Error(`${action.action} cannot be done here`)
      return act(action)
    },
    file: () => undefined,
  }
}

function actsOf(calls: Calls): Record<string, (action: PhoneAction) => unknown> {
  return {
    read: () => {},
    addPerson(action) {
      calls.addLine(action)
      return { id: CALLERS[0]!.number }
    },
    sendText: (action) => calls.say(action, 'caller', 'Hello'),
    agent: (action) => calls.say(action, 'agent', 'How can I help you?'),
    withhold: calls.withhold,
    hangUp: calls.hangUp,
    again: (action) => calls.again(action, false),
    forge: (action) => calls.again(action, true),
  }
}

function messagesOf({ id, turns, report }: Call): PhoneMessage[] {
  return turns.map(({ by, text, at }, place) => ({
    id: `${id}:${place}`,
    from: by === 'caller' ? 'customer' : 'business',
    at,
    text,
    buttons: [],
    note: report && place === turns.length - 1 ? report.note : '',
  }))
}
