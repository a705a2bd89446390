import type { Sender, SendInputs, ToSend } from '../../src/rules/messaging/may-send.ts'
import { whyNotSent, whyNotStarted } from '../../src/rules/messaging/may-send.ts'
import { PLANS, type Plan } from '../../src/core/vocabulary/accounts.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import { runRule, unknownInCase, words } from './cases.ts'
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
}

const KNOWN = words(
  `channelType kind by text lastCustomerMessageAt now optedOut connected conversationStartedBy plan flow`,
)
const WORDS: Readonly<Record<string, readonly string[]>> = {
  channelType: CHANNEL_TYPES,
  kind: words('text media template flow_start'),
  by: words('member assistant flow broadcast'),
  plan: PLANS,
}

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<MaySendCase>(cases, report, {
    unknown: (one) => [...unknownInCase(one, KNOWN), ...unknownWords(one)],
    read: judge,
  })

function judge(one: MaySendCase): Answer {
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

/** Returns the values that are not in the list of their field. */
const unknownWords = (one: MaySendCase): string[] =>
  Object.entries(WORDS).flatMap(([field, known]) => {
    const word = one[field as keyof MaySendCase] as string | undefined
    return word === undefined || known.includes(word) ? [] : [word]
  })
