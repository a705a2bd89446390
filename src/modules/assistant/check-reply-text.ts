/** Whether what a model wrote may go to the customer, and in which parts. */
import type { Booking } from '../../rules/assistant/booked-time.ts'
import { guardReply, type GuardKnown } from '../../rules/assistant/reply-guard.ts'
import { replaceLinks } from '../../rules/assistant/reply-links.ts'
import { scriptOf } from '../../rules/assistant/reply-script.ts'
import { splitText } from '../../rules/assistant/split-text.ts'
import { kindsAtRisk } from '../../rules/assistant/statements/at-risk.ts'
import type { Deed } from '../../rules/assistant/statements/deeds.ts'
import type { GuardFault, GuardVerdict } from '../../core/vocabulary/reply-guard.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { handOver, type Decision, type HandOverDecision } from './decision.ts'
import { languageOf } from './language.ts'
import { askedOf, nothingDoneLine } from './nothing-done.ts'
import { outcomeOf } from './outcome.ts'
import { secretInstructions } from './prompt-parts.ts'
import { isAgreement, saidByTools, type LoadedReply, type StepRow } from './reply.ts'
import { answerOf, readAskedWith, toolDataOf } from './step-data.ts'

/** Spec: Assistant › What is never sent; Assistant › Long replies. */
export function checkReplyText(hand: LoadedReply, asked: StepRow): Decision {
  const { reply, steps, channel } = hand
  const own = steps.filter(({ epoch }) => epoch === reply.epoch)
  const isRepaired = (name: string) =>
    own.some((step) => step.kind === 'guard' && step.name === name)
  const outcome = outcomeOf(hand)
  const known = knownOf(hand, own, isRepaired('guard'))
  const say = (text: string, citations: number[]): Decision | null => {
    const below = saidByTools(hand)
    const isTold = outcome !== null || known.proposal !== null || below.length > 0
    const line =
      text === '' || isTold || known.handover !== 'none'
        ? null
        : nothingDoneLine(hand, text, known.atRisk ?? [], asked.endedAt!)
    const words = [outcome?.sentence ?? [], text === '' ? [] : text, line ?? [], below].flat()
    const split = words.length > 0 ? splitText(words.join('\n\n'), channel.type) : NOTHING
    if (!split.ok) return null
    const texts = split.parts
    return { kind: 'say', parts: { texts, buttons: [], proposalId: proposalOf(own), citations } }
  }
  // Where code has something to say, the model need not.
  const told = asked.told ?? ''
  if (outcome && /^[\s-]*$/u.test(told)) return say('', [])!
  const guarded = guardReply(told, known)
  const dropped = (fault: GuardFault) => judgedAs('dropped', fault, say('', [])!)
  if (guarded.verdict === 'outcome') return dropped(guarded.why)
  if (guarded.verdict === 'repair') return repair('guard', guarded.why, guarded.clause)
  if (guarded.verdict === 'replace') {
    return judgedAs('replaced', guarded.why, replaced(guarded.reason, 'not_fit_to_send'))
  }
  const language = languageOf(hand)
  const script = scriptOf(guarded.text)
  const isWrong = script === 'other' || (language === 'ar' && script === 'latin')
  const why = language === 'ar' ? 'not_in_arabic' : 'not_in_their_language'
  if (isWrong && outcome) return dropped(why)
  if (isWrong && !isRepaired('language')) return repair('language', why)
  const isCut = answerOf(asked).finish === 'length'
  const said = isCut ? null : say(guarded.text, guarded.citations)
  if (said) {
    const observed = (guarded.observed ?? []).map(
      (fault) => ({ verdict: 'observed', fault }) as const,
    )
    return { ...said, judged: [{ verdict: 'sent', fault: null }, ...observed] }
  }
  // What code has to say is not cut for it.
  if (outcome) return dropped('too_long')
  if (!isRepaired('length')) return repair('length', 'too_long')
  return judgedAs('replaced', 'too_long', replaced('missing_information', 'too_long'))
}

const judgedAs = (verdict: GuardVerdict, fault: GuardFault, decision: Decision): Decision => ({
  ...decision,
  judged: [{ verdict, fault }],
})

const repair = (name: string, why: GuardFault, clause: string | null = null): Decision =>
  judgedAs('repaired', why, { kind: 'repair', name, why, clause })

const NOTHING: { ok: true; parts: string[] } = { ok: true, parts: [] }

/** What the text is looked at with. */
function knownOf(hand: LoadedReply, own: readonly StepRow[], isRepaired: boolean): GuardKnown {
  const { channel, company, conversation, reply, settings, steps, doneBefore } = hand
  const used = steps.filter(({ kind, state }) => kind === 'tool' && state === 'done')
  const told = used.map((step) => step.told ?? '')
  const done = used.filter((step) => {
    const { isDone, proposalId } = toolDataOf(step)
    return isDone && proposalId === undefined
  })
  const deeds = [...done.map(deedOf), ...doneBefore]
  const models = own.filter(({ kind }) => kind === 'model')
  const marks = models.flatMap(({ input }) => readAskedWith(input).mark ?? [])
  return {
    channelType: channel.type,
    hosts: hostsIn([settings?.profile ?? '', settings?.guidance ?? '', ...told]),
    instructions: secretInstructions(hand),
    tools: [...new Set(models.flatMap((step) => answerOf(step).offered))],
    marks,
    ids: [company.id, conversation.id, conversation.contactId ?? '', channel.id, reply.id],
    done: deeds,
    atRisk: kindsAtRisk(askedOf(hand), deeds),
    proposal: draftedBy(used) ?? outcomeOf(hand),
    handover: own.some((step) => toolDataOf(step).handsOver) ? 'made' : 'none',
    said: pendingMessagesOf(hand).map(({ text, transcript }) => [transcript, text].join(' ')),
    found: Math.max(0, ...told.flatMap((text) => [...text.matchAll(FOUND)].map(numberOf))),
    booking: bookingOf(hand, used),
    observes: hand.observes,
    isRepaired,
  }
}

/** What was booked in this reply, with the other times that were spoken of. */
function bookingOf(hand: LoadedReply, used: readonly StepRow[]): Booking | null {
  const booked = used.filter((step) => toldOfBooking(step) !== null)
  if (booked.length === 0) return null
  const toldBy = (name: string) => used.filter((step) => step.name === name).map(({ told }) => told)
  const { profile = '', guidance = '' } = hand.settings ?? {}
  return {
    booked: booked.map(toldOfBooking).join('\n'),
    offered: [...toldBy('find_slots'), ...askedOf(hand)].join('\n'),
    known: [profile, guidance, ...toldBy('search_knowledge')].join('\n'),
  }
}

const toldOfBooking = (step: StepRow): string | null =>
  step.name === 'book_appointment' ? (toolDataOf(step).says ?? null) : null

/** What was agreed to was called by code, in the name of its tool. */
function deedOf(step: StepRow): Deed {
  const { answered, hasEffect = false, does, mayBeTold } = toolDataOf(step)
  const name = isAgreement(step) ? (answered?.tool ?? 'action_') : step.name!
  const chosen = { ...(does && { does }), ...(mayBeTold && { mayBeTold }) }
  return {
    name,
    told: step.told ?? '',
    hasEffect,
    input: answered?.what?.en ?? step.input,
    ...chosen,
  }
}

/** What is stated below the text. */
function draftedBy(used: readonly StepRow[]): GuardKnown['proposal'] {
  const drafted = used.findLast((step) => toolDataOf(step).proposalId !== undefined)
  return drafted ? { state: 'stated', tool: drafted.name! } : null
}

/** Before each piece that a search has found. */
const FOUND = /^\[(\d{1,3})\] /gm
const numberOf = ([, digits]: RegExpMatchArray) => Number(digits)

function hostsIn(texts: readonly string[]): string[] {
  const hosts = new Set<string>()
  for (const text of texts) {
    replaceLinks(text, (link) => {
      const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`
      const host = URL.parse(address)?.host
      if (host) hosts.add(host)
      return link
    })
  }
  return [...hosts]
}

/** What the reply is to state: what it drafted, else what the customer is asked about once more. */
function proposalOf(own: readonly StepRow[]): string | null {
  const used = own.filter(({ kind, state }) => kind === 'tool' && state === 'done').map(toolDataOf)
  const drafted = used.findLast(({ proposalId }) => proposalId !== undefined)?.proposalId
  const asked = used.find(({ answered }) => answered?.kind === 'ask_again')?.answered?.proposalId
  return drafted ?? asked ?? null
}

/** Nothing that the model wrote is fit to be sent. */
function replaced(
  reason: HandOverDecision['reason'],
  detail: HandOverDecision['detail'],
): Decision {
  return handOver(reason, detail, { kind: 'fixed' })
}
