/** Whether what a model wrote may go to the customer, and in which parts. */
import type { Decision } from './advance-reply.ts'
import { languageOf } from './language.ts'
import { answerOf, toolDataOf, type HandOfReply, type StepRow } from './reply.ts'
import { splitText } from '../rules/assistant/split-text.ts'
import { guardReply, scriptOf } from './rules-stand-in.ts'

/** Spec: Assistant › What is never sent; Assistant › How it is sent. */
export function judgeText(hand: HandOfReply, asked: StepRow): Decision {
  const { reply, steps, channel } = hand
  const own = steps.filter(({ epoch }) => epoch === reply.epoch)
  const isRepaired = (name: string) =>
    own.some((step) => step.kind === 'guard' && step.name === name)
  const guarded = guardReply(asked.told ?? '')
  if (guarded.verdict !== 'send') {
    if (guarded.verdict === 'repair' && !isRepaired('guard')) {
      return { kind: 'repair', name: 'guard', why: guarded.why }
    }
    return replaced(guarded.verdict === 'replace' ? guarded.reason : 'nothing_to_send')
  }
  const language = languageOf(hand)
  const script = scriptOf(guarded.text)
  const isWrong = script === 'other' || (language === 'ar' && script === 'latin')
  if (isWrong && !isRepaired('language')) {
    const name = language === 'ar' ? 'Arabic' : "the customer's language"
    return { kind: 'repair', name: 'language', why: `it is not in ${name}` }
  }
  const split = splitText(guarded.text, channel.type)
  if (!split.ok || answerOf(asked).finish === 'length') {
    if (!isRepaired('length')) {
      return { kind: 'repair', name: 'length', why: 'it is too long: say it in fewer words' }
    }
    return replaced('too_long')
  }
  return {
    kind: 'say',
    parts: {
      texts: split.parts,
      buttons: [],
      proposalId: proposalOf(own),
    },
  }
}

/** What the reply is to state: what it drafted, else what the customer is asked about once more. */
function proposalOf(own: readonly StepRow[]): string | null {
  const used = own.filter(({ kind, state }) => kind === 'tool' && state === 'done').map(toolDataOf)
  const drafted = used.findLast(({ proposalId }) => proposalId !== undefined)?.proposalId
  const asked = used.find(({ answered }) => answered?.kind === 'ask_again')?.answered?.proposalId
  return drafted ?? asked ?? null
}

/** Nothing that the model wrote is fit to be sent. */
function replaced(detail: string): Decision {
  const isClaim = detail === 'false_done'
  return {
    kind: 'hand_over',
    reason: isClaim ? 'needs_staff_action' : 'missing_information',
    reasonText: null,
    detail,
    says: { kind: 'fixed' },
  }
}
