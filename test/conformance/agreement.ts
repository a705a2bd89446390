import type { SaidMessage, StatedProposal } from '../../src/rules/assistant/agreement-reading.ts'
import { readAgreement } from '../../src/rules/assistant/agreement-reading.ts'
import { acceptedBy, runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type AgreementCase = {
  id: string
  text?: string
  texts?: string[]
  messages?: { type: string; text?: string | null; transcript?: string | null; payload?: string }[]
  proposal?: StatedProposal['kind']
  expect: string
  also_accept?: string[]
}

/** The confirmation text of the proposal, in both languages. */
const STATED: Record<StatedProposal['kind'], string> = {
  cancellation: 'Cancel the order. إلغاء الطلب.',
  other: 'Change the delivery address. تغيير عنوان التوصيل.',
}

const KNOWN = words('text texts messages proposal language dialect')
const KNOWN_OF_MESSAGE = words('type text transcript payload')

/**
 * Runs cases of messages that customers sent or buttons they pressed after a confirmation text. A wrong `agrees` is
 * counted separately.
 */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const wrong: string[] = []
  await runRule<AgreementCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, KNOWN),
      ...(one.messages ?? []).flatMap((message) => unknownIn(message, KNOWN_OF_MESSAGE)),
    ],
    read(one) {
      const kind = one.proposal ?? 'other'
      const read = readAgreement(messagesOf(one), { id: 'p1', kind, stated: STATED[kind] })
      if (read === 'agrees' && !acceptedBy(one).includes('agrees')) wrong.push(one.id)
      return read
    },
  })
  const named = wrong.length > 0 ? ` (${wrong.join(', ')})` : ''
  console.log(`agreement: ${wrong.length} read as agrees that should not be${named}`)
}

function messagesOf({ text, texts, messages }: AgreementCase): SaidMessage[] {
  const said = messages ?? (texts ?? [text!]).map((one) => ({ type: 'text', text: one }))
  return said.map((message) => ({
    // A pressed button is stored as a text with its label.
    type: message.type === 'button' ? 'text' : message.type,
    text: message.text ?? null,
    transcript: 'transcript' in message ? (message.transcript ?? null) : null,
    buttonPayload: 'payload' in message ? (message.payload ?? '') : null,
  }))
}
