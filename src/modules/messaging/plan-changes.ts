import type { EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import type { EntryKind, HandoverReason } from '../../core/vocabulary/inbox.ts'
import { contactSummary, type ContactRow } from './contact.ts'
import { conversationSummary, type ConversationRow } from './conversation.ts'

/** Who changes a conversation; of a flow the run. */
export type ChangedBy =
  | { kind: 'member'; personId: string }
  | { kind: 'flow'; runId: string }
  | { kind: 'assistant'; replyId: string | null }
  | { kind: 'service' }

export type ConversationChange =
  | {
      kind: 'hand_over'
      reason: HandoverReason
      /** For people; cut at 1,000 characters. */
      reasonText: string | null
      /** Why code handed over, where the reason says less. */
      detail?: string | null
    }
  /** By a button, which assigns it too, or by replying, which assigns nobody. */
  | { kind: 'take_over'; assigneeId: string | null }
  | { kind: 'give_back' }
  | { kind: 'assign'; assigneeId: string | null }
  /** Of a bulk close the event tells of nothing but the id. */
  | { kind: 'resolve'; isBulk: boolean }
  | { kind: 'reopen' }
  /** A line for staff; it changes nothing. */
  | { kind: 'note'; text: string }
  /** Staff has the conversation, so that this flow did not start. */
  | { kind: 'keep_out'; flow: { id: string; name: string } }
  /** The customer lets the business write no more, or again. */
  | { kind: 'reach'; isReachable: boolean }
  /** Nobody else answers: somebody of the staff is to look at it, since when. */
  | { kind: 'need_staff'; since: Date }

export type ChangeToMake = {
  companyId: string
  conversationId: string
  by: ChangedBy
  change: ConversationChange
}

export type ConversationChanged = {
  conversationId: string
  /** False: it was so already, and nothing is told of it. */
  isChanged: boolean
  /** It has come to staff or to an end: runs that go on in it are to be ended. */
  endsRuns: boolean
  turn: number
  handledBy: string
  assigneeId: string | null
}

export type Assignee = { id: string; name: string | null; email: string }

/** What the state of a conversation is decided from. */
export type ConversationState = Pick<
  ConversationRow,
  | 'id'
  | 'companyId'
  | 'channelId'
  | 'channelType'
  | 'contactId'
  | 'filedUnder'
  | 'visitorName'
  | 'status'
  | 'handledBy'
  | 'takenOverAt'
  | 'takenOverUntil'
  | 'assigneeId'
  | 'needsStaff'
  | 'waitingSince'
  | 'turn'
  | 'resolvedAt'
  | 'resolvedBy'
> & {
  companyName: string | null
  contact: Pick<ContactRow, 'id' | 'name' | 'phone'> | null
  openHandoverId: string | null
}

export type ChangeWrites = {
  opened: {
    id: string
    companyId: string
    conversationId: string
    reason: string
    reasonText: string | null
    runId: string | null
    replyId: string | null
    detail: string | null
  }[]
  closed: { id: string; how: 'returned' | 'resolved'; by: string | null }[]
  entries: {
    id: string
    companyId: string
    conversationId: string
    kind: EntryKind
    actorKind: ChangedBy['kind']
    actorId: string | null
    text: string | null
    data: Record<string, unknown>
  }[]
  /** As they are afterwards. */
  changed: Set<ConversationState>
}

const EVENT_ORDER: readonly string[] = [
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
]

export type PlanDeps = {
  ids: Ids
  now: Date
  /** Everybody whom a change assigns. */
  assignees: ReadonlyMap<string, Assignee>
}

/**
 * Decides what changes come to, one after the other: an earlier one of a conversation is there for the
 * later ones. Pure but for the ids it makes. Spec: Inbox › Who has a conversation.
 */
export function planChanges(deps: PlanDeps) {
  const writes: ChangeWrites = { opened: [], closed: [], entries: [], changed: new Set() }
  const events: EventToRaise[] = []
  return {
    make(state: ConversationState, { by, change }: ChangeToMake): ConversationChanged {
      const told = { isChanged: false, endsRuns: false }
      const making = { ...deps, state, by, writes, events, told }
      makeOne(making, change)
      const { id: conversationId, turn, handledBy, assigneeId } = state
      return { conversationId, ...told, turn, handledBy, assigneeId }
    },
    writes,
    /** In the order in which one transaction tells of them. */
    events: () =>
      events.toSorted((a, b) => EVENT_ORDER.indexOf(a.type) - EVENT_ORDER.indexOf(b.type)),
  }
}

type Making = PlanDeps & {
  state: ConversationState
  by: ChangedBy
  writes: ChangeWrites
  events: EventToRaise[]
  told: Pick<ConversationChanged, 'isChanged' | 'endsRuns'>
}

function makeOne(making: Making, change: ConversationChange): void {
  const { state, told } = making
  switch (change.kind) {
    case 'hand_over':
      return handOver(making, change)
    case 'take_over': {
      const isFromStaff = isStaffs(making)
      takeOver(making)
      if (change.assigneeId === null || change.assigneeId === state.assigneeId) return
      if (isFromStaff) set(making, { turn: state.turn + 1 })
      return assign(making, change.assigneeId)
    }
    case 'note':
      return enter(making, 'note', {}, cleanText(change.text))
    case 'keep_out':
      return enter(making, 'flow_kept_out', { flow: change.flow })
    case 'reach':
      return enter(making, change.isReachable ? 'reachable' : 'unreachable')
    case 'assign':
      // The flow goes on: it hands over by a step of its own. A joined conversation brings its assignee along.
      if (making.by.kind === 'flow' || making.by.kind === 'service')
        return assign(making, change.assigneeId)
      // Taking it away from somebody leaves it with staff, who look for what has nobody.
      if (change.assigneeId !== null && !isStaffs(making)) takeOver(making)
      else if (change.assigneeId !== state.assigneeId) set(making, { turn: state.turn + 1 })
      if (change.assigneeId === null && state.assigneeId !== null) set(making, { needsStaff: true })
      return assign(making, change.assigneeId)
    case 'give_back':
      return giveBack(making)
    case 'resolve':
      return resolve(making, change.isBulk)
    case 'reopen':
      if (!isOpen(state)) takeOver(making)
      return
    case 'need_staff':
      if (!isOpen(state)) return
      told.isChanged = !state.needsStaff
      return set(making, { needsStaff: true, waitingSince: state.waitingSince ?? change.since })
  }
}

const isOpen = ({ status }: ConversationState) => status === 'open'
const isStaffs = ({ state, now }: Making) => isOpen(state) && isStaffHandling(state, now)
const personOf = ({ by }: Making) => (by.kind === 'member' ? by.personId : null)

/** To a person, who has it until they give it back. Said again, it ends what goes on beside staff. */
function takeOver(making: Making, hasHandover = false): void {
  const { state, now, told } = making
  const wasOpen = isOpen(state)
  const isNew = !isStaffs(making)
  set(making, {
    status: 'open',
    resolvedAt: null,
    resolvedBy: null,
    handledBy: 'staff',
    takenOverUntil: null,
    takenOverAt: now,
    turn: isNew ? state.turn + 1 : state.turn,
  })
  told.endsRuns = true
  if (!isNew) return
  told.isChanged = true
  if (!hasHandover) enter(making, wasOpen ? 'taken_over' : 'reopened')
}

function handOver(
  making: Making,
  { reason, reasonText, detail = null }: Extract<ConversationChange, { kind: 'hand_over' }>,
): void {
  const { state, by, ids, now, writes, events } = making
  if (!isOpen(state)) return
  const text =
    reasonText === null ? null : cutCodePoints(cleanText(reasonText), INBOX_LIMITS.reasonTextChars)
  if (isStaffs(making)) return enter(making, 'handover_asked', { reason }, text)
  const id = ids.uuid()
  takeOver(making, true)
  const waitingSince = state.waitingSince ?? now
  set(making, { needsStaff: true, waitingSince, openHandoverId: id })
  const runId = by.kind === 'flow' ? by.runId : null
  const replyId = by.kind === 'assistant' ? by.replyId : null
  const { companyId, id: conversationId } = state
  const from = { id, companyId, conversationId, runId, replyId }
  writes.opened.push({ ...from, reason, reasonText: text, detail })
  enter(making, 'handed_over', { reason }, text)
  events.push({
    ...about(making),
    runId,
    type: 'conversation.handover',
    data: { ...shown(state), reason, reasonText: text },
  })
}

function assign(making: Making, assigneeId: string | null): void {
  const { state, assignees, events, told } = making
  const from = state.assigneeId
  if (from === assigneeId) return
  set(making, { assigneeId })
  told.isChanged = true
  enter(making, 'assigned', { assigneeId, from })
  const assignee = assigneeId === null ? null : assignees.get(assigneeId)!
  const { conversation } = shown(state)
  events.push({ ...about(making), type: 'conversation.assigned', data: { conversation, assignee } })
}

function giveBack(making: Making): void {
  const { state, told } = making
  if (!isOpen(state) || !(isStaffs(making) || state.needsStaff)) return
  closeHandover(making, 'returned')
  assign(making, null)
  set(making, {
    handledBy: 'assistant',
    takenOverUntil: null,
    needsStaff: false,
    waitingSince: null,
  })
  told.isChanged = true
  enter(making, 'given_back')
}

function resolve(making: Making, isBulk: boolean): void {
  const { state, now, events, told } = making
  if (!isOpen(state)) return
  closeHandover(making, 'resolved')
  set(making, {
    status: 'resolved',
    resolvedAt: now,
    resolvedBy: personOf(making),
    handledBy: 'assistant',
    takenOverUntil: null,
    assigneeId: null,
    needsStaff: false,
    waitingSince: null,
    turn: state.turn + 1,
  })
  told.isChanged = true
  told.endsRuns = true
  enter(making, 'resolved')
  const bare = { conversation: { id: state.id, channelId: null, channelType: null }, contact: null }
  const data = isBulk ? bare : shown(state)
  events.push({ ...about(making), type: 'conversation.resolved', data })
}

function closeHandover(making: Making, how: 'returned' | 'resolved'): void {
  const { state, writes } = making
  if (state.openHandoverId === null) return
  writes.closed.push({ id: state.openHandoverId, how, by: personOf(making) })
  set(making, { openHandoverId: null })
}

function set({ state, writes }: Making, values: Partial<ConversationState>): void {
  Object.assign(state, values)
  writes.changed.add(state)
}

function enter(
  { state, by, ids, writes }: Making,
  kind: EntryKind,
  data: Record<string, unknown> = {},
  text: string | null = null,
): void {
  const { companyId, id: conversationId } = state
  const { kind: actorKind } = by
  const actorId = actorOf(by)
  const line = { id: ids.uuid(), companyId, conversationId, kind, actorKind, actorId, text, data }
  writes.entries.push(line)
}

function actorOf(by: ChangedBy): string | null {
  switch (by.kind) {
    case 'member':
      return by.personId
    case 'flow':
      return by.runId
    case 'assistant':
      return by.replyId
    case 'service':
      return null
  }
}

function about({ state, now }: Making) {
  return {
    company: { id: state.companyId, name: state.companyName },
    occurredAt: now,
    conversationId: state.id,
    contactId: state.contactId,
  }
}

function shown(state: ConversationState) {
  return {
    conversation: conversationSummary(state),
    contact: contactSummary(state.contact, state),
  }
}
