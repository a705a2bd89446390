/** Inputs, besides a flow, of the run engine and of the check before publishing. */
import { FlowDraft } from '../../src/contract/flow-definition.ts'
import {
  checkForPublishing,
  type PublishContext,
} from '../../src/modules/flows/design/publish-check.ts'
import type { RunState, RunInputs } from '../../src/modules/flows/runs/interpret-flow.ts'
import type { RunContext, StepInput, StepContact } from '../../src/flow-kinds/steps/run-state.ts'

/** Returns the inputs of a run of a customer at one moment. */
export function surroundings(
  contact: Partial<StepContact> | null = {},
  around: Partial<RunContext> = {},
): RunInputs {
  const nobody = { name: null, phone: null, email: null, tags: [], fields: {} }
  return {
    contact: contact && { ...nobody, ...contact },
    around: {
      runId: '01a1fd55-7a80-7278-823e-2ce24018e90d',
      now: new Date('2026-12-07T09:00:00.000Z'),
      zone: 'Asia/Riyadh',
      openingHours: null,
      country: 'SA',
      isWindowOpen: true,
      fields: new Map(),
      ...around,
    },
  }
}

export function reply(
  text: string | null,
  more: object = {},
): Extract<StepInput, { kind: 'reply' }> {
  return { kind: 'reply', id: 'm_1', type: 'text', text, buttonPayload: null, ...more }
}

/** A company of which nothing is known that a step could name. */
export const NOTHING_KNOWN = {
  memberIds: [],
  fieldKeys: [],
  hasOpeningHours: false,
  services: [],
  files: [],
}

/** The inputs of the check before publishing for a company that may publish and a connected number. */
export const PUBLISHABLE: PublishContext = {
  ...NOTHING_KNOWN,
  plan: 'business',
  channel: { type: 'whatsapp', isConnected: true },
  otherFlowsOn: 0,
  connections: [],
  otherTriggers: [],
  templates: [],
}

export const template = (name: string, components: object[], more: object = {}) => ({
  name,
  language: 'ar',
  status: 'APPROVED',
  components: components as PublishContext['templates'][number]['components'],
  ...more,
})

/** `step: rule` of each problem that the check finds, warnings in round brackets. */
export const found = (flow: FlowDraft, around: PublishContext): string[] =>
  checkForPublishing(flow, around).map(({ stepId, rule, isWarning }) => {
    const name = `${stepId ?? '-'}: ${rule}`
    return isWarning ? `(${name})` : name
  })

/** Returns a flow, by default one that a hook starts with its first step. */
export const draft = (steps: Record<string, object>, more: object = {}): FlowDraft =>
  FlowDraft.parse({
    channelId: 'c',
    trigger: {
      kind: 'webhook',
      phonePath: 'phone',
      namePath: null,
      languagePath: null,
      keep: [{ name: 'order', path: 'order.id' }],
    },
    start: Object.keys(steps)[0] ?? 'none',
    steps,
    ...more,
  })

/** A run that has not begun. */
export const FRESH: RunState = {
  stepId: null,
  variables: {},
  stepsSinceWait: 0,
  waits: 0,
  callsSinceReply: 0,
  callsSinceReplyMs: 0,
  wrongAnswers: 0,
  offered: null,
  language: null,
}

type Next = string | null

export const sendTemplate = (next: Next, more: object = {}) => ({
  kind: 'send_template',
  template: 'ready',
  language: 'ar',
  header: null,
  body: [
    { name: '1', text: '{{vars.order}}' },
    { name: '2', text: '{{contact.name}}' },
  ],
  next,
  ...more,
})
export const say = (next: Next, text = 'Hi') => ({ kind: 'send_message', text, next })
export const waitFor = (next: Next, onTimeout: Next = null, saveAs: Next = 'answer') => {
  return { kind: 'wait_for_reply', saveAs, timeoutMinutes: 60, next, onTimeout }
}
export const choose = (next: Next, otherwise: Next, variable = 'order') => {
  return { kind: 'condition', variable, is: 'equal', value: '1', next, otherwise }
}
export const setTo = (name: string, next: Next, text = 'x') => {
  return { kind: 'set_variable', name, text, next }
}

export const SHOP_API = '01920000-0000-7000-8000-000000000001'

/** Returns a step that calls the merchant's system. */
export const call = (
  next: Next,
  onFailure: Next,
  {
    keep = [],
    ...request
  }: { keep?: { name: string; path: string }[] } & Record<string, unknown> = {},
) => {
  const GET = { connectionId: SHOP_API, method: 'GET', path: '/orders' }
  const usual = { ...GET, query: [], headers: [], body: null }
  return { kind: 'http_request', request: { ...usual, ...request }, keep, next, onFailure }
}
