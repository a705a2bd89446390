/** Guardrails for a model's text: whether it may be sent, and in which parts. */
import type { Booking } from '../../rules/assistant/booked-time.ts'
import { guardReply, type GuardContext } from '../../rules/assistant/reply-guard.ts'
import { replaceLinks } from '../../rules/assistant/reply-links.ts'
import { scriptOf } from '../../rules/assistant/reply-script.ts'
import { splitText } from '../../rules/assistant/split-text.ts'
import { kindsAtRisk } from '../../rules/assistant/statements/at-risk.ts'
import type { Deed } from '../../rules/assistant/statements/deeds.ts'
import type { GuardFault, GuardVerdict } from '../../core/vocabulary/reply-guard.ts'
import { pendingMessagesOf } from './pending-messages.ts'
import { handOverDecision, type Decision, type HandOverDecision } from './decision.ts'
import { languageOf } from './language.ts'
import { textsWithRequests, nothingDoneLine } from './nothing-done.ts'
import { proposalOutcomeOf } from './proposal-outcome.ts'
import { secretInstructions } from './prompt-parts.ts'
import { isAnswerToProposal, toolSentencesOf, type LoadedReply, type StepRow } from './reply.ts'
import { readAnswerData, readRequestData, readToolData } from './step-data.ts'

/**
 * Checks a model's text and returns the decision. Spec: Assistant › Texts that are never sent; Assistant › Long
 * replies.
 */
export function checkReplyText(loaded: LoadedReply, answerStep: StepRow): Decision {
  const { reply, steps, channel } = loaded
  const own = steps.filter(({ epoch }) => epoch === reply.epoch)
  const isRepaired = (name: string) =>
    own.some((step) => step.kind === 'guard' && step.name === name)
  const outcome = proposalOutcomeOf(loaded)
  const known = knownOf(loaded, own, isRepaired('guard'))
  const say = (text: string, citations: number[]): Decision | null => {
    const below = toolSentencesOf(loaded)
    const isReported = outcome !== null || known.proposal !== null || below.length > 0
    const line =
      text === '' || isReported || known.handover !== 'none'
        ? null
        : nothingDoneLine(loaded, text, known.atRisk ?? [], answerStep.endedAt!)
    const words = [outcome?.sentence ?? [], text === '' ? [] : text, line ?? [], below].flat()
    const split = words.length > 0 ? splitText(words.join('\n\n'), channel.type) : NOTHING
    if (!split.ok) return null
    const texts = split.parts
    return { kind: 'say', parts: { texts, buttons: [], proposalId: proposalOf(own), citations } }
  }
  // When code states the outcome, the model may say nothing.
  const text = answerStep.result ?? ''
  if (outcome && /^[\s-]*$/u.test(text)) return say('', [])!
  const guarded = guardReply(text, known)
  const dropped = (fault: GuardFault) => decisionAs('dropped', fault, say('', [])!)
  if (guarded.verdict === 'outcome') return dropped(guarded.why)
  if (guarded.verdict === 'repair') return repair('guard', guarded.why, guarded.clause)
  if (guarded.verdict === 'replace') {
    return decisionAs('replaced', guarded.why, replaced(guarded.reason, 'not_fit_to_send'))
  }
  const language = languageOf(loaded)
  const script = scriptOf(guarded.text)
  const isWrong = script === 'other' || (language === 'ar' && script === 'latin')
  const why = language === 'ar' ? 'not_in_arabic' : 'not_in_their_language'
  if (isWrong && outcome) return dropped(why)
  if (isWrong && !isRepaired('language')) return repair('language', why)
  const isCut = readAnswerData(answerStep).finish === 'length'
  const said = isCut ? null : say(guarded.text, guarded.citations)
  if (said) {
    const observed = (guarded.observed ?? []).map(
      (fault) => ({ verdict: 'observed', fault }) as const,
    )
    return { ...said, outcomes: [{ verdict: 'sent', fault: null }, ...observed] }
  }
  // The outcome that code states is never shortened to make room for the model's text.
  if (outcome) return dropped('too_long')
  if (!isRepaired('length')) return repair('length', 'too_long')
  return decisionAs('replaced', 'too_long', replaced('missing_information', 'too_long'))
}

const decisionAs = (verdict: GuardVerdict, fault: GuardFault, decision: Decision): Decision => ({
  ...decision,
  outcomes: [{ verdict, fault }],
})

const repair = (name: string, why: GuardFault, clause: string | null = null): Decision =>
  decisionAs('repaired', why, { kind: 'repair', name, why, clause })

const NOTHING: { ok: true; parts: string[] } = { ok: true, parts: [] }

/** Returns what the text is checked against. */
function knownOf(loaded: LoadedReply, own: readonly StepRow[], isRepaired: boolean): GuardContext {
  const { channel, company, conversation, reply, settings, steps, doneBefore } = loaded
  const used = steps.filter(({ kind, state }) => kind === 'tool' && state === 'done')
  const toolTexts = used.map((step) => step.result ?? '')
  const done = used.filter((step) => {
    const { isDone, proposalId } = readToolData(step)
    return isDone && proposalId === undefined
  })
  const deeds = [...done.map(deedOf), ...doneBefore]
  const models = own.filter(({ kind }) => kind === 'model')
  const marks = models.flatMap(({ input }) => readRequestData(input).mark ?? [])
  return {
    channelType: channel.type,
    hosts: hostsIn([settings?.profile ?? '', settings?.guidance ?? '', ...toolTexts]),
    instructions: secretInstructions(loaded),
    tools: [...new Set(models.flatMap((step) => readAnswerData(step).offered))],
    marks,
    ids: [company.id, conversation.id, conversation.contactId ?? '', channel.id, reply.id],
    done: deeds,
    atRisk: kindsAtRisk(textsWithRequests(loaded), deeds),
    proposal: draftedBy(used) ?? proposalOutcomeOf(loaded),
    handover: own.some((step) => readToolData(step).handsOver) ? 'made' : 'none',
    said: pendingMessagesOf(loaded).map(({ text, transcript }) => [transcript, text].join(' ')),
    found: Math.max(0, ...toolTexts.flatMap((text) => [...text.matchAll(FOUND)].map(numberOf))),
    booking: bookingOf(loaded, used),
    observes: loaded.observes,
    isRepaired,
  }
}

/** Returns what was booked in this reply, with the other times that were mentioned. */
function bookingOf(loaded: LoadedReply, used: readonly StepRow[]): Booking | null {
  const booked = used.filter((step) => bookingText(step) !== null)
  if (booked.length === 0) return null
  const textsOf = (name: string) =>
    used.filter((step) => step.name === name).map(({ result }) => result)
  const { profile = '', guidance = '' } = loaded.settings ?? {}
  return {
    booked: booked.map(bookingText).join('\n'),
    offered: [...textsOf('find_slots'), ...textsWithRequests(loaded)].join('\n'),
    known: [profile, guidance, ...textsOf('search_knowledge')].join('\n'),
  }
}

const bookingText = (step: StepRow): string | null =>
  step.name === 'book_appointment' ? (readToolData(step).says ?? null) : null

/** Returns what a step did; an executed agreement counts under the name of its tool. */
function deedOf(step: StepRow): Deed {
  const { answered, hasEffect = false, does, mayBeReported } = readToolData(step)
  const name = isAnswerToProposal(step) ? (answered?.tool ?? 'action_') : step.name!
  const chosen = { ...(does && { does }), ...(mayBeReported && { mayBeReported: mayBeReported }) }
  return {
    name,
    result: step.result ?? '',
    hasEffect,
    input: answered?.what?.en ?? step.input,
    ...chosen,
  }
}

/** Returns the proposal that will be stated below the text. */
function draftedBy(used: readonly StepRow[]): GuardContext['proposal'] {
  const drafted = used.findLast((step) => readToolData(step).proposalId !== undefined)
  return drafted ? { state: 'stated', tool: drafted.name! } : null
}

// Precedes each piece of a search result.
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

/** Returns the proposal that the reply is to state: its draft, else the one that is stated again. */
function proposalOf(own: readonly StepRow[]): string | null {
  const used = own
    .filter(({ kind, state }) => kind === 'tool' && state === 'done')
    .map(readToolData)
  const drafted = used.findLast(({ proposalId }) => proposalId !== undefined)?.proposalId
  const unclear = used.find(({ answered }) => answered?.kind === 'ask_again')?.answered?.proposalId
  return drafted ?? unclear ?? null
}

/** Hands over, as no text of the model may be sent. */
function replaced(
  reason: HandOverDecision['reason'],
  detail: HandOverDecision['detail'],
): Decision {
  return handOverDecision(reason, detail, { kind: 'fixed' })
}
