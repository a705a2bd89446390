import {
  whyNotSent,
  whyNotStarted,
  type Sender,
  type SendInputs,
  type ToSend,
} from '../../src/rules/messaging/may-send.ts'
import { PLANS, type Plan } from '../../src/core/vocabulary/accounts.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import type { ConformanceCase, Report } from './report.ts'

type Answer = { ok: boolean; code?: string }
type MaySendCase = {
  id: string
  channelType: ChannelType
  kind: 'text' | 'media' | 'template' | 'flow_start'
  by: Sender
  text?: { repeat: string; times: number }
  lastCustomerMessageAt: string | null
  now: string
  optedOut: { at: string } | null
  connected: boolean
  conversationStartedBy: 'customer' | 'business'
  plan?: Plan
  flow?: { on: boolean; templateFirst: boolean }
  expect: Answer
  also_accept?: Answer[]
  ambiguous?: boolean
  reading?: string
  why?: string
}

const FIELDS = new Set(
  `id channelType kind by text lastCustomerMessageAt now optedOut connected conversationStartedBy plan
  flow expect also_accept ambiguous reading why`.split(/\s+/),
)
const WORDS: Readonly<Record<string, readonly string[]>> = {
  channelType: CHANNEL_TYPES,
  kind: ['text', 'media', 'template', 'flow_start'],
  by: ['member', 'assistant', 'flow', 'broadcast'],
  plan: PLANS,
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases) {
    const { expect, also_accept: more = [], ...asked } = one as MaySendCase
    await report.check(one.id, () => judge({ expect, ...asked }), [expect, ...more])
  }
}

function judge(one: MaySendCase): Answer {
  requireKnown(one)
  const { channelType, kind, by, text, optedOut, lastCustomerMessageAt } = one
  const facts: SendInputs = {
    channel: { type: channelType, isConnected: one.connected, why: null },
    plan: one.plan ?? 'business',
    optedOutAt: optedOut && new Date(optedOut.at),
    lastCustomerAt: lastCustomerMessageAt === null ? null : new Date(lastCustomerMessageAt),
  }
  const now = new Date(one.now)
  if (kind === 'flow_start') {
    const { on: isOn, templateFirst: sendsTemplateFirst } = one.flow!
    return answer(whyNotStarted(facts, { isOn, sendsTemplateFirst }, now))
  }
  return answer(whyNotSent(facts, by, toSend(kind, text), now))
}

function toSend(kind: ToSend['kind'], text: MaySendCase['text']): ToSend {
  switch (kind) {
    case 'text':
      return { kind, text: text!.repeat.repeat(text!.times) }
    case 'media':
      return { kind, mediaKind: 'image', caption: null }
    case 'template':
      return { kind }
  }
}

const answer = (refusal: { code: string } | null): Answer =>
  refusal === null ? { ok: true } : { ok: false, code: refusal.code }

function requireKnown(one: MaySendCase): void {
  const unknown = Object.keys(one).filter((field) => !FIELDS.has(field))
  if (unknown.length > 0) throw new Error(`the runner does not know ${unknown.join(', ')}`)
  for (const [field, known] of Object.entries(WORDS)) {
    const word = one[field as keyof MaySendCase]
    if (word !== undefined && !known.includes(word as string)) {
      throw new Error(`the runner does not know the ${field} ${JSON.stringify(word)}`)
    }
  }
}
