/**
 * The check before a flow is published: a list of everything that is wrong with it, each fault with
 * the step and the rule that it breaks. Pure, and total: it throws on no draft. A flow may be
 * published when the list holds nothing but warnings.
 *
 * Spec: Flows › Publishing; Hooks › Setting up; Concepts › Plans.
 */
import { CAPABILITIES, whyTooLong } from '../channels/capabilities.ts'
import type { PublishProblem } from '../contract/dashboard/flow.ts'
import { exitsOf, type FlowDraft, type Step } from '../contract/flow-definition.ts'
import { PATH_REFUSED } from '../contract/path-refused.ts'
import { CALL_LIMITS, PLAN_LIMITS } from '../limits.ts'
import { placeholdersOf } from '../rules/call-placeholders.ts'
import { readPathExpression } from '../rules/path-expression.ts'
import { fillText, listPlaceholders } from '../rules/placeholders.ts'
import {
  CONNECTABLE_CHANNEL_TYPES,
  PULLED_TRIGGER_KINDS,
  type ChannelType,
  type Plan,
  type PublishRule,
} from '../vocabulary.ts'
import { checkCallStep, type KnownConnection } from './check-call-step.ts'
import { checkTemplateStep, type KnownTemplate } from './check-template-step.ts'
import {
  callsTooMany,
  loopsWithoutWait,
  reachedSteps,
  stepOf,
  variablesBefore,
} from './walk-graph.ts'

/** What the check must know besides the flow itself. */
export type PublishSurroundings = {
  plan: Plan
  /** Of the company; null when it has none with the flow's `channelId`. */
  channel: { type: ChannelType; isConnected: boolean } | null
  /** All templates of that channel. */
  templates: readonly KnownTemplate[]
  /** All API connections of the company. */
  connections: readonly KnownConnection[]
  /** The company's other flows that are published and switched on; null when this one will be off. */
  otherFlowsOn: number | null
}

type Report = (
  stepId: string | null,
  rule: PublishRule,
  message: string,
  isWarning?: boolean,
) => void

const NOTHING = { vars: {}, contact: { name: null, phone: null } }

/** Finds everything that keeps a flow from being published, and what its author should look at. */
export function checkForPublishing(flow: FlowDraft, around: PublishSurroundings): PublishProblem[] {
  const problems: PublishProblem[] = []
  const report: Report = (stepId, rule, message, isWarning = false) => {
    problems.push({ stepId, rule, message, isWarning })
  }
  checkPlan(flow, around, report)
  checkTrigger(flow, report)
  checkChannel(flow, around, report)
  checkPaths(flow, report)
  checkGraph(flow, report)
  if (flow.trigger.kind === 'webhook') checkTemplateFirst(flow, report)
  checkSteps(flow, around, report)
  return problems
}

/** Whether a list of problems lets the flow be published. */
export function canBePublished(problems: readonly PublishProblem[]): boolean {
  return problems.every((problem) => problem.isWarning)
}

function checkPlan(flow: FlowDraft, { plan, otherFlowsOn }: PublishSurroundings, report: Report) {
  const limits = PLAN_LIMITS[plan]
  if (!limits.automations) {
    report(null, 'in_plan', `Automations are not part of the ${plan} plan.`)
    return
  }
  if (flow.trigger.kind === 'webhook' && !limits.developer) {
    report(
      null,
      'in_plan',
      `Starting flows from your system is not part of the ${plan} plan: the hook URL answers not_in_plan.`,
      true,
    )
  }
  if (!limits.developer && Object.values(flow.steps).some(({ kind }) => kind === 'http_request')) {
    report(
      null,
      'in_plan',
      `Calling your system is not part of the ${plan} plan: such steps take their Failed path.`,
      true,
    )
  }
  if (otherFlowsOn !== null && otherFlowsOn >= limits.flows) {
    report(
      null,
      'flows_of_plan',
      `The ${plan} plan has ${limits.flows} flows that are published and switched on. Switch another one off first.`,
    )
  }
}

function checkTrigger({ trigger }: FlowDraft, report: Report) {
  if (PULLED_TRIGGER_KINDS.includes(trigger.kind)) return
  report(
    null,
    'trigger_pulled',
    `Nothing starts a flow by its trigger "${trigger.kind}" in this version. Choose ${PULLED_TRIGGER_KINDS.join(' or ')}.`,
  )
}

function checkChannel(flow: FlowDraft, { channel }: PublishSurroundings, report: Report) {
  if (flow.channelId === '') {
    report(null, 'channel_exists', 'Choose the channel that the flow runs on.')
    return
  }
  if (!channel) {
    report(null, 'channel_exists', 'The channel that the flow runs on is not there any more.')
    return
  }
  if (flow.trigger.kind === 'webhook' && channel.type !== 'whatsapp') {
    report(
      null,
      'channel_type',
      `A flow that a hook starts needs a whatsapp number connected through the provider; this channel is ${channel.type}.`,
    )
  } else if (!CONNECTABLE_CHANNEL_TYPES.includes(channel.type)) {
    report(
      null,
      'channel_type',
      `No ${channel.type} channel can be connected in this version. Choose a ${CONNECTABLE_CHANNEL_TYPES.join(' or ')} channel.`,
    )
  }
  if (!channel.isConnected) {
    report(null, 'channel_connected', 'The channel is not connected. Connect it again.')
  }
}

/** Paths are checked when a draft is saved; what was saved under older rules is caught here. */
function checkPaths({ trigger }: FlowDraft, report: Report) {
  if (trigger.kind !== 'webhook') return
  const paths = [
    trigger.phonePath,
    trigger.namePath,
    trigger.languagePath,
    ...trigger.keep.map(({ path }) => path),
  ]
  for (const path of paths) {
    const read = path === null ? null : readPathExpression(path)
    if (read?.ok === false) {
      report(null, 'path_readable', `The path "${path}" ${PATH_REFUSED[read.reason]}.`)
    }
  }
}

function checkGraph(flow: FlowDraft, report: Report) {
  if (!stepOf(flow, flow.start)) {
    report(null, 'start_exists', `The flow starts at the step "${flow.start}", which is not there.`)
    return
  }
  const reached = reachedSteps(flow)
  for (const [id, step] of Object.entries(flow.steps)) {
    if (!reached.has(id)) {
      report(id, 'reachable', `No way from the start leads to the step "${id}".`, true)
    }
    for (const { exit, to } of exitsOf(step)) {
      if (to !== null && !stepOf(flow, to)) {
        report(
          id,
          'next_exists',
          `"${exit}" of the step "${id}" leads to "${to}", which is not there.`,
        )
      }
    }
  }
  for (const id of loopsWithoutWait(flow)) {
    report(
      id,
      'loop_waits',
      `From the step "${id}" the flow comes back to it without a wait between.`,
    )
  }
  for (const calls of callsTooMany(flow, CALL_LIMITS.inOneGo)) {
    const id = calls.at(-1)!
    report(
      id,
      'calls_in_a_row',
      `A flow makes at most ${CALL_LIMITS.inOneGo} calls between two messages of the customer; on the way ${calls.map((step) => `"${step}"`).join(', ')} the last is one too many.`,
    )
  }
}

/** Spec: Hooks › Setting up; reading F2. */
function checkTemplateFirst(flow: FlowDraft, report: Report) {
  const before = reachedSteps(flow, (step) => step.kind !== 'send_template')
  const kinds = [...before].map((id) => [id, stepOf(flow, id)!.kind] as const)
  for (const [id, kind] of kinds) {
    if (kind === 'send_message' || kind === 'wait_for_reply') {
      report(
        id,
        'template_first',
        `A flow that a hook starts must send a template before anything else; the step "${id}" can come before one.`,
      )
    }
  }
  if (!kinds.some(([, kind]) => kind === 'send_template')) {
    report(
      null,
      'template_first',
      'A flow that a hook starts must send a template; this one never does.',
    )
  }
  const withoutReply = reachedSteps(
    flow,
    (step, exit) => step.kind !== 'wait_for_reply' || exit !== 'next',
  )
  for (const id of withoutReply) {
    if (stepOf(flow, id)!.kind === 'send_message' && !before.has(id)) {
      report(
        id,
        'reply_window',
        `The step "${id}" can come before the customer has replied: it fails for a customer who did not write in the last 24 hours.`,
        true,
      )
    }
  }
}

function checkSteps(
  flow: FlowDraft,
  { channel, templates, connections }: PublishSurroundings,
  report: Report,
) {
  const variables = variablesBefore(flow)
  for (const [id, step] of Object.entries(flow.steps)) {
    const known = variables.get(id)
    for (const name of known ? readBy(step) : []) {
      if (!known!.has(name)) {
        report(
          id,
          'variable_set',
          `No step before "${id}" sets the variable "${name}"; it is empty.`,
          true,
        )
      }
    }
    if (step.kind === 'http_request') {
      for (const { rule, message, isWarning } of checkCallStep(step, connections)) {
        report(id, rule, message, isWarning)
      }
    }
    if (!channel) continue
    const capabilities = CAPABILITIES[channel.type]
    if (step.kind === 'send_message' && capabilities.longestText === null) {
      report(id, 'channel_type', `Nothing can be sent on a ${channel.type} channel.`)
    }
    // Placeholders only add to it.
    const tooLong =
      step.kind === 'send_message' && whyTooLong(fillText(step.text, NOTHING).trim(), capabilities)
    if (tooLong) {
      report(id, 'text_length', `The message of the step "${id}" is too long: ${tooLong}.`)
    }
    if (step.kind !== 'send_template') continue
    if (!capabilities.hasTemplates) {
      report(id, 'channel_type', `A ${channel.type} channel has no templates.`)
      continue
    }
    for (const { rule, message, isWarning } of checkTemplateStep(step, templates)) {
      report(id, rule, message, isWarning)
    }
  }
}

/** The variables that a step reads. */
function readBy(step: Step): string[] {
  if (step.kind === 'condition') return [step.variable]
  // A call knows fewer placeholders than a text, and no others are filled in it.
  const list = step.kind === 'http_request' ? placeholdersOf : listPlaceholders
  const names = textsOf(step)
    .flatMap(list)
    .filter((name) => name.startsWith('vars.'))
    .map((name) => name.slice('vars.'.length))
  return [...new Set(names)]
}

function textsOf(step: Step): string[] {
  switch (step.kind) {
    case 'send_template':
      return [step.header ?? '', ...step.body, ...step.urlSuffixes].map((value) =>
        typeof value === 'string' ? value : value.text,
      )
    case 'send_message':
    case 'set_variable':
      return [step.text]
    case 'http_request': {
      const { path, query, headers, body } = step.request
      return [path, ...[...query, ...headers].map(({ value }) => value), body ?? '']
    }
    case 'wait_for_reply':
    case 'condition':
    case 'end':
      return []
  }
}
