/** The phones of customers who write to linked numbers, and the phone that links them. */
import type { PhoneMessage, Phones } from '../provider.ts'
import type { SimulatedBridge } from './bridge.ts'
import { createCustomers, type Customer } from './customers.ts'
import { createPhoneActions, TOOLS } from './phone-actions.ts'
import type { Session } from './session.ts'

/** Creates the phones of customers and owners as the simulator's page shows them. */
export function createQrPhones({
  bridge,
  now,
}: {
  bridge: SimulatedBridge
  now(): number
}): Phones & { changed(): void } {
  const customers = createCustomers()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const actions = createPhoneActions({ bridge, customers, now, changed })

  function messagesOf(accountId: string, { number, lid }: Customer): PhoneMessage[] {
    const theirs = customers.said.filter(
      (one) => one.accountId === accountId && one.personId === number,
    )
    const ours = bridge.sent
      .filter((one) => one.account === accountId && (one.to === number || one.to === lid))
      .map(({ id, at, text, file }): PhoneMessage => {
        const shown = file && { file: { kind: file.kind as 'image', id } }
        return { id, from: 'business', at, text, buttons: [], note: '✓', ...shown }
      })
    return [...theirs, ...ours].toSorted((a, b) => a.at - b.at)
  }

  function waitingOf(accountId: string | null): string {
    const count = bridge.sessions.get(accountId ?? '')?.waitingEvents() ?? 0
    return count === 0 ? '' : `${count} waiting to be taken in`
  }

  return {
    accountLabel: 'Linked number',
    newPerson: [
      { name: 'number', label: 'Number', placeholder: '+1 202 555 0124' },
      { name: 'name', label: 'Name', placeholder: 'Name' },
    ],
    list(accountId) {
      const accounts = [...bridge.sessions].map(([id, session]) => ({
        id,
        label: labelOf(session),
      }))
      const chosen = accounts.find(({ id }) => id === accountId)?.id ?? accounts[0]?.id ?? null
      return {
        chosen,
        accounts,
        people: customers.all().map((person) => ({
          id: person.number,
          name: person.name,
          detail: detailOf(person),
          lastText: messagesOf(chosen ?? '', person).at(-1)?.text ?? '',
          unread: 0,
        })),
        waiting: waitingOf(chosen),
      }
    },
    chat({ accountId, personId }) {
      const person = customers.of(personId)
      const session = bridge.sessions.get(accountId)
      const isOn = session?.link().status === 'linked'
      return {
        name: person.name,
        detail: detailOf(person),
        badge: session ? { text: labelOf(session), isOn } : null,
        messages: messagesOf(accountId, person),
        tools: TOOLS.map(([label, action]) => ({ label, action: { action } })),
      }
    },
    act(action) {
      const act = Object.hasOwn(actions, action.action) ? actions[action.action] : undefined
      if (!act) throw new Error(`${action.action} cannot be done here`)
      return act(action)
    },
    file(id) {
      const sent = bridge.sent.find((one) => one.id === id)?.file
      const bytes = bridge.media.get(id) ?? sent?.bytes
      return bytes && { bytes, mimeType: sent?.mimeType ?? 'image/png' }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    changed,
  }
}

const detailOf = ({ number, lid, hidesNumber }: Customer) => (hidesNumber ? lid : `+${number}`)

function labelOf(session: Session): string {
  const { status, number } = session.link()
  return number === undefined ? status.replace('_', ' ') : `+${number} (${status})`
}
