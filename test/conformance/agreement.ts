import {
  readAgreement,
  type SaidMessage,
  type StatedProposal,
} from '../../src/rules/assistant/agreement-reading.ts'
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

/** What the statement said, in the words of both languages. */
const STATED: Record<StatedProposal['kind'], string> = {
  cancellation: 'Cancel the order. إلغاء الطلب.',
  other: 'Change the delivery address. تغيير عنوان التوصيل.',
}

const KNOWN = [
  'id',
  'text',
  'texts',
  'messages',
  'proposal',
  'language',
  'dialect',
  'expect',
  'also_accept',
  'why',
  'ambiguous',
  'reading',
  'group',
]
const KNOWN_OF_MESSAGE = ['type', 'text', 'transcript', 'payload']

/** What customers wrote or pressed after a stated proposal. A wrong `agrees` is counted apart. */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const wrong: string[] = []
  for (const one of cases as AgreementCase[]) {
    const unknown = [
      ...Object.keys(one).filter((field) => !KNOWN.includes(field)),
      ...(one.messages ?? [])
        .flatMap((message) => Object.keys(message))
        .filter((field) => !KNOWN_OF_MESSAGE.includes(field)),
    ][0]
    if (unknown !== undefined) {
      report.fail(one.id, `the runner has no word for "${unknown}"`)
      continue
    }
    const accepted = [one.expect, ...(one.also_accept ?? [])]
    const kind = one.proposal ?? 'other'
    const proposal = { id: 'p1', kind, stated: STATED[kind] }
    const read = () => readAgreement(messagesOf(one), proposal)
    if (!accepted.includes('agrees') && read() === 'agrees') wrong.push(one.id)
    await report.check(one.id, read, accepted)
  }
  const named = wrong.length > 0 ? ` (${wrong.join(', ')})` : ''
  console.log(`agreement: ${wrong.length} read as agrees that should not be${named}`)
}

function messagesOf({ text, texts, messages }: AgreementCase): SaidMessage[] {
  const said = messages ?? (texts ?? [text!]).map((one) => ({ type: 'text', text: one }))
  return said.map((message) => ({
    // A pressed button is kept as a text, which is its label.
    type: message.type === 'button' ? 'text' : message.type,
    text: message.text ?? null,
    transcript: 'transcript' in message ? (message.transcript ?? null) : null,
    buttonPayload: 'payload' in message ? (message.payload ?? '') : null,
  }))
}
