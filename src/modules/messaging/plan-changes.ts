import type { EventToRaise } from '../events/raise-event.ts'
import type { Ids } from '../../core/ids.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { isStaffHandling } from '../../rules/messaging/take-over.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import type { EntryKind, HandoverReason } from '../../core/vocabulary/inbox.ts'
import { contactSummary, type ContactRow } from './contact.ts'
import { conversationSummary, type ConversationRow } from './conversation.ts'

/** The actor of a change: a member, a flow's run, an assistant's reply or the service. */
export type ChangedBy =
  | { kind: 'member'; personId: string }
  | { kind: 'flow'; runId: string }
  | { kind: 'assistant'; replyId: string | null }
  | { kind: 'service' }

/** A change of a conversation's handling or status. */
export type ConversationChange =
  | {
      kind: 'hand_over'
      reason: HandoverReason
      /** The explanation for staff, cut at 1,000 characters. */
      reasonText: string | null
      /** Details where code handed over and the reason is not specific. */
      detail?: string | null
    }
  /** Staff takes over. The button also assigns; a reply assigns no member. */
  | { kind: 'take_over'; assigneeId: string | null }
  | { kind: 'give_back' }
  | { kind: 'assign'; assigneeId: string | null }
  /** The event of a bulk close has only the conversation's id. */
  | { kind: 'resolve'; isBulk: boolean }
  | { kind: 'reopen' }
  /** A note for staff; it changes nothing else. */
  | { kind: 'note'; text: string }
  /** A flow did not start because staff handles the conversation. */
  | { kind: 'keep_out'; flow: { id: string; name: string } }
  /** The customer blocked or unblocked the business. */
  | { kind: 'reach'; isReachable: boolean }
  /** The conversation needs a member's attention since a time, as nothing else answers. */
  | { kind: 'need_staff'; since: Date }

/** A change to apply to one conversation. */
export type ChangeToMake = {
  companyId: string
  conversationId: string
  by: ChangedBy
  change: ConversationChange
}

/** The result of a change, with the conversation's state after it. */
export type ConversationChanged = {
  conversationId: string
  /** States whether anything changed; if not, nothing is reported. */
  isChanged: boolean
  /** States whether the caller must cancel the active runs, as staff handles the conversation or it is resolved. */
  endsRuns: boolean
  turn: number
  handledBy: string
  assigneeId: string | null
}

/** A member as events name an assignee. */
export type Assignee = { id: string; name: string | null; email: string }

/** The part of a conversation that changes depend on. */
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

/** The rows that planned changes write. */
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
  /** Changed conversations, in their final state. */
  changed: Set<ConversationState>
}

const EVENT_ORDER: readonly string[] = [
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
]

/** The inputs of a plan besides the conversations. */
export type PlanDeps = {
  ids: Ids
  now: Date
  /** The members that changes assign, by id. */
  assignees: ReadonlyMap<string, Assignee>
}

/**
 * Creates a plan of changes: `make` applies them one after the other, and later ones of a conversation see the effects
 * of earlier ones. Pure, except for the ids it makes. Spec: Inbox › Handler and assignment.
 */
export function planChanges(deps: PlanDeps) {
  const writes: ChangeWrites = { opened: [], closed: [], entries: [], changed: new Set() }
  const events: EventToRaise[] = []
  return {
    /** Applies a change to `state`, which it modifies. */
    make(state: ConversationState, { by, change }: ChangeToMake): ConversationChanged {
      const result = { isChanged: false, endsRuns: false }
      const planned = { ...deps, state, by, writes, events, result }
      planOne(planned, change)
      const { id: conversationId, turn, handledBy, assigneeId } = state
      return { conversationId, ...result, turn, handledBy, assigneeId }
    },
    writes,
    /** Returns the events in their order within one transaction. */
    events: () =>
      events.toSorted((a, b) => EVENT_ORDER.indexOf(a.type) - EVENT_ORDER.indexOf(b.type)),
  }
}

type PlannedChange = PlanDeps & {
  state: ConversationState
  by: ChangedBy
  writes: ChangeWrites
  events: EventToRaise[]
  result: Pick<ConversationChanged, 'isChanged' | 'endsRuns'>
}

function planOne(planned: PlannedChange, change: ConversationChange): void {
  const { state, result } = planned
  switch (change.kind) {
    case 'hand_over':
      return handOver(planned, change)
    case 'take_over': {
      const isFromStaff = isStaffs(planned)
      takeOver(planned)
      if (change.assigneeId === null || change.assigneeId === state.assigneeId) return
      if (isFromStaff) set(planned, { turn: state.turn + 1 })
      return assign(planned, change.assigneeId)
    }
    case 'note':
      return addEntry(planned, 'note', {}, cleanText(change.text))
    case 'keep_out':
      return addEntry(planned, 'flow_kept_out', { flow: change.flow })
    case 'reach':
      return addEntry(planned, change.isReachable ? 'reachable' : 'unreachable')
    case 'assign':
      // A flow's assignment does not end it: it hands over by a separate step. A merged conversation keeps its
      // assignee.
      if (planned.by.kind === 'flow' || planned.by.kind === 'service')
        return assign(planned, change.assigneeId)
      // Removing the assignee leaves the conversation with staff, in the list of unassigned ones.
      if (change.assigneeId !== null && !isStaffs(planned)) takeOver(planned)
      else if (change.assigneeId !== state.assigneeId) set(planned, { turn: state.turn + 1 })
      if (change.assigneeId === null && state.assigneeId !== null)
        set(planned, { needsStaff: true })
      return assign(planned, change.assigneeId)
    case 'give_back':
      return giveBack(planned)
    case 'resolve':
      return resolve(planned, change.isBulk)
    case 'reopen':
      if (!isOpen(state)) takeOver(planned)
      return
    case 'need_staff':
      if (!isOpen(state)) return
      result.isChanged = !state.needsStaff
      return set(planned, { needsStaff: true, waitingSince: state.waitingSince ?? change.since })
  }
}

const isOpen = ({ status }: ConversationState) => status === 'open'
/** Returns whether staff handles the conversation. */
const isStaffs = ({ state, now }: PlannedChange) => isOpen(state) && isStaffHandling(state, now)
const personOf = ({ by }: PlannedChange) => (by.kind === 'member' ? by.personId : null)

/**
 * Hands the conversation to staff until a member returns it to automation. Repeated, it ends runs that started since.
 */
function takeOver(planned: PlannedChange, hasHandover = false): void {
  const { state, now, result } = planned
  const wasOpen = isOpen(state)
  const isNew = !isStaffs(planned)
  set(planned, {
    status: 'open',
    resolvedAt: null,
    resolvedBy: null,
    handledBy: 'staff',
    takenOverUntil: null,
    takenOverAt: now,
    turn: isNew ? state.turn + 1 : state.turn,
  })
  result.endsRuns = true
  if (!isNew) return
  result.isChanged = true
  if (!hasHandover) addEntry(planned, wasOpen ? 'taken_over' : 'reopened')
}

function handOver(
  planned: PlannedChange,
  { reason, reasonText, detail = null }: Extract<ConversationChange, { kind: 'hand_over' }>,
): void {
  const { state, by, ids, now, writes, events } = planned
  if (!isOpen(state)) return
  const text =
    reasonText === null ? null : cutCodePoints(cleanText(reasonText), INBOX_LIMITS.reasonTextChars)
  if (isStaffs(planned)) return addEntry(planned, 'handover_asked', { reason }, text)
  const id = ids.uuid()
  takeOver(planned, true)
  const waitingSince = state.waitingSince ?? now
  set(planned, { needsStaff: true, waitingSince, openHandoverId: id })
  const runId = by.kind === 'flow' ? by.runId : null
  const replyId = by.kind === 'assistant' ? by.replyId : null
  const { companyId, id: conversationId } = state
  const from = { id, companyId, conversationId, runId, replyId }
  writes.opened.push({ ...from, reason, reasonText: text, detail })
  addEntry(planned, 'handed_over', { reason }, text)
  events.push({
    ...eventBase(planned),
    runId,
    type: 'conversation.handover',
    data: { ...shown(state), reason, reasonText: text },
  })
}

function assign(planned: PlannedChange, assigneeId: string | null): void {
  const { state, assignees, events, result } = planned
  const from = state.assigneeId
  if (from === assigneeId) return
  set(planned, { assigneeId })
  result.isChanged = true
  addEntry(planned, 'assigned', { assigneeId, from })
  const assignee = assigneeId === null ? null : assignees.get(assigneeId)!
  const { conversation } = shown(state)
  events.push({
    ...eventBase(planned),
    type: 'conversation.assigned',
    data: { conversation, assignee },
  })
}

function giveBack(planned: PlannedChange): void {
  const { state, result } = planned
  if (!isOpen(state) || !(isStaffs(planned) || state.needsStaff)) return
  closeHandover(planned, 'returned')
  assign(planned, null)
  set(planned, {
    handledBy: 'assistant',
    takenOverUntil: null,
    needsStaff: false,
    waitingSince: null,
  })
  result.isChanged = true
  addEntry(planned, 'given_back')
}

function resolve(planned: PlannedChange, isBulk: boolean): void {
  const { state, now, events, result } = planned
  if (!isOpen(state)) return
  closeHandover(planned, 'resolved')
  set(planned, {
    status: 'resolved',
    resolvedAt: now,
    resolvedBy: personOf(planned),
    handledBy: 'assistant',
    takenOverUntil: null,
    assigneeId: null,
    needsStaff: false,
    waitingSince: null,
    turn: state.turn + 1,
  })
  result.isChanged = true
  result.endsRuns = true
  addEntry(planned, 'resolved')
  const bare = { conversation: { id: state.id, channelId: null, channelType: null }, contact: null }
  const data = isBulk ? bare : shown(state)
  events.push({ ...eventBase(planned), type: 'conversation.resolved', data })
}

function closeHandover(planned: PlannedChange, how: 'returned' | 'resolved'): void {
  const { state, writes } = planned
  if (state.openHandoverId === null) return
  writes.closed.push({ id: state.openHandoverId, how, by: personOf(planned) })
  set(planned, { openHandoverId: null })
}

function set({ state, writes }: PlannedChange, values: Partial<ConversationState>): void {
  Object.assign(state, values)
  writes.changed.add(state)
}

function addEntry(
  { state, by, ids, writes }: PlannedChange,
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

function eventBase({ state, now }: PlannedChange) {
  return {
    company: { id: state.companyId, name: state.companyName },
    occurredAt: now,
    conversationId: state.id,
    contactId: state.contactId,
  }
}

function shown(state: ConversationState) {
  return { conversation: conversationSummary(state), contact: contactSummary(state.contact, state) }
}
