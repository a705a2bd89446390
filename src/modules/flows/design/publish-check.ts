/**
 * The check before a flow is published: a list of all problems, each with its step and rule. Pure, and total: it
 * throws on no draft. A flow may be published when the list has only warnings.
 *
 * Spec: Flows › Publishing; Hooks › Setting up; Concepts › Plans.
 */
import type { TemplateComponent } from '../../channels/outbound.ts'
import { readTemplateSlots } from '../../channels/template-slots.ts'
import type { PublishProblem } from '../../../contract/dashboard/flow.ts'
import { brokenFields, fieldPath } from '../../../contract/field-errors.ts'
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import { fact, type Fact, type FieldFact } from '../../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import { HOUR_MS } from '../../../core/limits/units.ts'
import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import type { PublishRule } from '../../../core/vocabulary/flows.ts'
import type { KnownConnection, StepContext } from '../../../flow-kinds/steps/step-design.ts'
import { designOf, exitsOf, Step } from '../../../flow-kinds/steps/steps.ts'
import type { TriggerContext } from '../../../flow-kinds/triggers/trigger-design.ts'
import { Trigger, TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'
import {
  findExcessCalls,
  isAnswer,
  findLoopsWithoutWait,
  reachedSteps,
  stepOf,
  stepsBeforeTemplate,
  variablesBefore,
} from './flow-graph.ts'

/** The inputs of the check besides the flow itself. */
export type PublishContext = {
  plan: Plan
  /** The flow's channel; null when the company has none with its `channelId`. */
  channel: { type: ChannelType; isConnected: boolean } | null
  /** The templates of that channel, as last listed by the provider. */
  templates: readonly {
    name: string
    language: string
    status: string
    components: readonly TemplateComponent[]
  }[]
  /** The API connections of the company. */
  connections: readonly KnownConnection[]
  /** Triggers of the company's other active flows on that channel. */
  otherTriggers: TriggerContext['others']
  /** The members who work in the company's conversations. */
  memberIds: readonly string[]
  /** Keys of the company's custom contact fields. */
  fieldKeys: readonly string[]
  hasOpeningHours: boolean
  /** Services that the company's customers can book. */
  services: StepContext['services']
  /** The company's files that flows may send. */
  files: readonly { id: string; mediaType: string; size: number }[]
  /** The number of the company's other active flows; null when this one will be off. */
  otherFlowsOn: number | null
}

/** The location of a problem: the flow, a field of it, a step, or a field of a step. */
type Location = { field?: string; stepId?: string }
type Report = (at: Location, rule: PublishRule, found: Fact, isWarning?: boolean) => void

const FLOW: Location = {}

/** Returns all problems that prevent the publication of a flow, and warnings for its author. */
export function checkForPublishing(flow: FlowDraft, context: PublishContext): PublishProblem[] {
  const problems: PublishProblem[] = []
  const report: Report = ({ stepId, field }, rule, found, isWarning = false) => {
    const path = [...(stepId === undefined ? [] : ['steps', stepId]), ...(field ? [field] : [])]
    const at = { stepId: stepId ?? null, field: path.join('.') || '.' }
    problems.push({ ...at, rule, ...found, isWarning })
  }
  checkPlan(flow, context, report)
  checkTrigger(flow, context, report)
  checkChannel(flow, context, report)
  checkGraph(flow, report)
  const { opensWindow, needsTemplateFirst } = TRIGGERS[flow.trigger.kind]
  if (!opensWindow) checkTemplateFirst(flow, context, report, { isWarning: !needsTemplateFirst })
  checkSteps(flow, context, report)
  return problems
}

/** Returns whether a list of problems allows publishing. */
export function canBePublished(problems: readonly PublishProblem[]): boolean {
  return problems.every((problem) => problem.isWarning)
}

function checkPlan(flow: FlowDraft, { plan, otherFlowsOn }: PublishContext, report: Report) {
  const limits = PLAN_LIMITS[plan]
  if (!limits.automations) {
    report(FLOW, 'in_plan', fact('in_plan', { plan }))
    return
  }
  if (!limits.developer && Object.values(flow.steps).some((step) => designOf(step).call?.(step))) {
    report(FLOW, 'in_plan', fact('calls_not_in_plan', { plan }), true)
  }
  if (otherFlowsOn !== null && otherFlowsOn >= limits.flows) {
    const quotaExceeded = fact('flows_of_plan', { plan, max: limits.flows })
    report(FLOW, 'flows_of_plan', quotaExceeded)
  }
}

function checkTrigger({ trigger }: FlowDraft, context: PublishContext, report: Report) {
  const { plan, channel, templates, otherTriggers: others } = context
  const issues = TRIGGERS[trigger.kind].issues(trigger, {
    plan,
    others,
    channelType: channel?.type ?? null,
    templates: templates.map(({ name, components }) => ({
      name,
      buttons: readTemplateSlots(components).quickReplies.map(({ text }) => text),
    })),
  })
  for (const { rule, fact: found, isWarning } of issues) report(FLOW, rule, found, isWarning)
  const fields: FieldFact[] = brokenFields(Trigger, trigger)
  const fieldIssues: FieldFact[] = (TRIGGERS[trigger.kind].fieldIssues?.(trigger) ?? []).map(
    ({ at, ...problem }) => {
      return { field: fieldPath(at), ...problem }
    },
  )
  reportFields(fields.concat(fieldIssues), (field) => ({ field: `trigger.${field}` }), report)
}

/** Reports the first broken rule of each field. */
function reportFields(
  fields: readonly FieldFact[],
  placeOf: (field: string) => Location,
  report: Report,
): void {
  const first = new Map(fields.toReversed().map((issue) => [issue.field, issue]))
  for (const { field, ...problem } of [...first.values()].toReversed()) {
    const rule = problem.code.startsWith('path_') ? 'path_readable' : 'request_valid'
    report(placeOf(field), rule, fact('request_valid', { field, said: problem }))
  }
}

function checkChannel(flow: FlowDraft, { channel }: PublishContext, report: Report) {
  const at = { field: 'channelId' }
  if (flow.channelId === '') {
    report(at, 'channel_exists', fact('channel_not_chosen'))
    return
  }
  if (!channel) {
    report(at, 'channel_exists', fact('channel_gone'))
    return
  }
  if (!channel.isConnected) report(at, 'channel_connected', fact('channel_connected'))
}

function checkGraph(flow: FlowDraft, report: Report) {
  if (!stepOf(flow, flow.start)) {
    report({ field: 'start' }, 'start_exists', fact('start_exists', { step: flow.start }))
    return
  }
  const reached = reachedSteps(flow)
  for (const [id, step] of Object.entries(flow.steps)) {
    if (!reached.has(id)) {
      report({ stepId: id }, 'reachable', fact('reachable', { step: id }), true)
    }
    for (const { exit, to } of exitsOf(step)) {
      if (to === null || stepOf(flow, to)) continue
      const nowhere = fact('next_exists', { step: id, exit, to })
      report({ stepId: id, field: exit }, 'next_exists', nowhere)
    }
  }
  for (const id of findLoopsWithoutWait(flow)) {
    report({ stepId: id }, 'loop_waits', fact('loop_waits', { step: id }))
  }
  const limit = CALL_LIMITS.inOneGo
  for (const calls of findExcessCalls(flow, limit)) {
    report(
      { stepId: calls.at(-1)! },
      'calls_in_a_row',
      fact('calls_in_a_row', { max: limit, calls }),
    )
  }
}

/**
 * Reports steps that cannot send because the service window may be closed. A flow started by a hook or an appointment
 * is refused; one started by members gets a warning, as it then needs an open window.
 *
 * Spec: Hooks › Setting up; readings F2, F27.
 */
function checkTemplateFirst(
  flow: FlowDraft,
  { channel }: PublishContext,
  report: Report,
  { isWarning }: { isWarning: boolean },
) {
  const designAt = (id: string) => designOf(stepOf(flow, id)!)
  const { before, unsent } = stepsBeforeTemplate(flow)
  const code = isWarning ? 'template_first_or_window' : 'template_first'
  for (const step of unsent) {
    report({ stepId: step }, 'template_first', fact(code, { step }), isWarning)
  }
  if (!isWarning && ![...before].some((id) => designAt(id).sends === 'template')) {
    report(FLOW, 'template_first', fact('template_never_sent'))
  }
  const reply = channel && CAPABILITIES[channel.type].reply
  if (reply?.kind !== 'window') return
  const hours = reply.windowMs / HOUR_MS
  for (const id of reachedSteps(flow, (step, exit) => !isAnswer(step, exit))) {
    if (designAt(id).sends !== 'message' || before.has(id)) continue
    report({ stepId: id }, 'reply_window', fact('reply_window', { step: id, hours }), true)
  }
}

function checkSteps(
  flow: FlowDraft,
  { channel, templates, ...company }: PublishContext,
  report: Report,
) {
  const stepContext = {
    ...company,
    channelType: channel?.type ?? null,
    templates: templates.map(({ components, ...template }) => ({
      ...template,
      slots: readTemplateSlots(components),
    })),
  }
  const variables = variablesBefore(flow)
  for (const [id, step] of Object.entries(flow.steps)) {
    const { reads, issues: issuesOf } = designOf(step)
    reportFields(brokenFields(Step, step), (field) => ({ stepId: id, field }), report)
    const known = variables.get(id)
    for (const variable of known ? (reads?.(step) ?? []) : []) {
      if (known!.has(variable)) continue
      const unset = fact('variable_set', { step: id, variable })
      report({ stepId: id }, 'variable_set', unset, true)
    }
    for (const { field, rule, fact: found, isWarning } of issuesOf?.(step, stepContext) ?? []) {
      report({ stepId: id, ...(field === null ? {} : { field }) }, rule, found, isWarning)
    }
  }
}
