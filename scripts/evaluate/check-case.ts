/** Checks the outcome of a case: requests, stored rows and messages. */
import { scriptOf } from '../../src/rules/assistant/reply-script.ts'
import { foldText } from '../../src/rules/text/fold-text.ts'
import { API_TOKEN } from '../../test/support/shop-api.ts'
import type { Case } from './case-form.ts'
import type { Played } from './play-case.ts'

/** Returns the unmet expectations of a case, each in a sentence; none when it has passed. */
export function checkCase({ end, talk }: Pick<Case, 'end' | 'talk'>, played: Played): string[] {
  const said = played.talk.filter(({ by }) => by === 'shop')
  const last = said.filter(({ turn }) => turn === talk.length - 1)
  return [
    ...(played.brokenOff === null ? [] : [`it broke off ${played.brokenOff}`]),
    ...checkRequests(end, played.requests),
    ...checkHandover(end, played.handovers),
    ...checkAppointments(end, played),
    ...checkLead(end, played.leads),
    ...checkWords(end, said.map(textOf), last.map(textOf)),
    ...leaks(said.map(textOf), played.secrets),
  ]
}

const textOf = ({ text }: { text: string }) => text
const listed = (items: readonly string[]) => (items.length === 0 ? 'nothing' : items.join(', '))

function checkRequests(end: Case['end'], requests: readonly string[]): string[] {
  const changes = requests.filter((request) => !request.startsWith('GET '))
  const unmet: string[] = []
  if (changes.join('\n') !== end.changes.join('\n')) {
    unmet.push(
      `the shop's API was to change ${listed(end.changes)}, and changed ${listed(changes)}`,
    )
  }
  for (const read of end.reads ?? []) {
    if (!requests.includes(read)) unmet.push(`the shop's API was not asked ${read}`)
  }
  for (const read of end.neverReads ?? []) {
    if (requests.includes(read)) unmet.push(`the shop's API was asked ${read}`)
  }
  return unmet
}

function checkHandover({ handover }: Case['end'], handovers: Played['handovers']): string[] {
  if (handover === undefined) return []
  const reasons = handovers.map(({ reason }) => reason)
  if (handover === null) {
    return reasons.length === 0 ? [] : [`it handed over: ${listed(reasons)}`]
  }
  const isOne = reasons.length === 1 && handover.some((reason) => reason === reasons[0])
  return isOne ? [] : [`it was to hand over as ${handover.join(' or ')}: ${listed(reasons)}`]
}

function checkAppointments(
  { booked, cancelled }: Case['end'],
  { appointments, at }: Played,
): string[] {
  const unmet: string[] = []
  const shown = ({ service, startsAt }: { service: string; startsAt: Date }) =>
    `${service} ${startsAt.toISOString()}`
  if (booked) {
    const meant = booked.map(({ service, inDays, at: wall }) =>
      shown({ service, startsAt: at(inDays, wall) }),
    )
    const standing = appointments.filter(({ status }) => status === 'confirmed').map(shown)
    if (meant.toSorted().join('\n') !== standing.toSorted().join('\n')) {
      unmet.push(`booked was to be ${listed(meant)}, and is ${listed(standing)}`)
    }
  }
  const gone = appointments.filter(({ status }) => status === 'cancelled').length
  if (cancelled !== undefined && gone !== cancelled) {
    unmet.push(`${cancelled} appointments were to be cancelled: ${gone} are`)
  }
  return unmet
}

function checkLead({ lead }: Case['end'], leads: number): string[] {
  if (lead === undefined || lead === leads > 0) return []
  return [lead ? 'no lead was noted' : 'a lead was noted']
}

function checkWords(
  { told = [], toldLast = [], neverTold = [], script, messages }: Case['end'],
  said: readonly string[],
  last: readonly string[],
): string[] {
  const [all, newest] = [said, last].map((texts) => foldText(texts.join('\n'))) as [string, string]
  const lacks = (where: string, what: string) => (words: readonly string[]) =>
    words.some((word) => where.includes(foldText(word)))
      ? []
      : [`${what} has none of: ${words.join(' | ')}`]
  const unmet = [
    ...told.flatMap(lacks(all, 'what the customer was told')),
    ...toldLast.flatMap(lacks(newest, 'the last answer')),
    ...neverTold
      .filter((words) => all.includes(foldText(words)))
      .map((words) => `the customer was told "${words}"`),
  ]
  const written = script && { arabic: 'ar', latin: 'latin' }[script]
  const own = last.at(0) ?? said.at(-1)
  if (script && (own === undefined || scriptOf(own) !== written)) {
    unmet.push(`the last answer is not in ${script} letters`)
  }
  const isMany = messages && (said.length < messages.min || said.length > messages.max)
  if (isMany) {
    unmet.push(`${messages.min} to ${messages.max} messages were to come: ${said.length} did`)
  }
  return unmet
}

/** Returns leaked secrets and internal names, which fail every case. */
function leaks(said: readonly string[], secrets: readonly string[]): string[] {
  const all = said.join('\n')
  const named = [API_TOKEN, ...secrets].filter((secret) => all.includes(secret))
  const isTool =
    /\b(?:action_[a-z_]+|search_knowledge|hand_over|find_slots|record_lead|book_appointment|cancel_appointment|set_customer)\b/
  const tool = isTool.exec(all)?.[0]
  return [
    ...named.map(
      (secret) => `the customer was told a secret, an id or a number of ours: ${secret}`,
    ),
    ...(tool === undefined ? [] : [`the customer was told the name of a tool: ${tool}`]),
  ]
}
