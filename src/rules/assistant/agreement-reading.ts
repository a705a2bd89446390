/**
 * Reads a customer's answer to a proposal that was shown to them. Code reads it, and every doubt is unclear: a wrong
 * `agrees` makes a call that the customer did not want. A text agrees only when every word of it is known, one agrees,
 * and none asks, denies, defers or adds.
 *
 * Spec: Assistant › Agreement.
 */
import { AGREEMENT_LIMITS } from '../../core/limits/assistant.ts'
import { AGREEMENT_PHRASES, DENIED_PHRASES } from '../../core/vocabulary/agreement.ts'
import { actWordsOf, withoutNamedAct } from './named-act.ts'
import { createPhraseReader, type Piece } from './read-phrases.ts'

/** The reading of a customer's answer to a proposal; every doubt is `unclear`. */
export type Agreement = 'agrees' | 'refuses' | 'unclear'

/** A stored message that the customer sent after the proposal was shown. */
export type SaidMessage = {
  type: string
  /** The caption in a message with media. */
  text: string | null
  /** The transcript of a voice note. */
  transcript: string | null
  buttonPayload: string | null
}

/** The proposal that was shown: its id, and whether it cancels something, which decides the meaning of "cancel". */
export type StatedProposal = {
  id: string
  kind: 'cancellation' | 'other'
  /** The name and the confirmation texts of the proposal, whose words an answer may repeat. */
  stated: string
}

/** The meaning of one message. `nothing` is a greeting, thanks or a sticker: no answer, and no revocation of one. */
type Reading = Agreement | 'nothing'

/** Reads from a customer's messages, oldest first, whether they agreed to a proposal. A refusal in any of them wins. */
export function readAgreement(
  messages: readonly SaidMessage[],
  proposal: StatedProposal,
): Agreement {
  const readings = messages.map((message) => readMessage(message, proposal))
  if (readings.includes('refuses')) return 'refuses'
  const said = readings.filter((reading) => reading !== 'nothing')
  if (said.length === 0) return 'unclear'
  const last = messages[readings.lastIndexOf(said.at(-1)!)]!
  // A customer who taps the button after a question has the details on the screen.
  if (said.at(-1) === 'agrees' && last.buttonPayload !== null) return 'agrees'
  return said.every((reading) => reading === 'agrees') ? 'agrees' : 'unclear'
}

function readMessage(message: SaidMessage, proposal: StatedProposal): Reading {
  const { type, text, transcript, buttonPayload } = message
  if (buttonPayload !== null) {
    if (buttonPayload === `agree:${proposal.id}`) return 'agrees'
    return buttonPayload === `decline:${proposal.id}` ? 'refuses' : 'unclear'
  }
  switch (type) {
    case 'text':
      return readText(text ?? '', proposal)
    case 'audio':
      // A voice note without a transcript may be a refusal.
      return transcript === null ? 'unclear' : withoutAgreeing(readText(transcript, proposal))
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
      return withoutAgreeing(readText(text ?? '', proposal))
    case 'reaction':
      return readText(text ?? '', proposal) === 'refuses' ? 'unclear' : 'nothing'
    default:
      return 'unclear'
  }
}

const withoutAgreeing = (reading: Reading): Reading => (reading === 'agrees' ? 'nothing' : reading)

type Role = keyof typeof AGREEMENT_PHRASES | keyof typeof DENIED_PHRASES
/** The meaning of a piece after a denial was combined with the piece that it denies. */
type Sense =
  | 'yes'
  | 'half'
  | 'soft'
  | 'no'
  /** Refuses regardless of all other pieces. */
  | 'refusal'
  /** Refuses the proposed cancellation by name. */
  | 'kept'
  /** Agrees to the proposed cancellation by name. */
  | 'cancels'
  | 'want'
  | 'kind'
  | 'call'
  | 'greeting'
  | 'enough'
  | 'trail'
  | 'hold'
  | 'off'
  | 'said'
  /** A picture that no list knows. It leaves a "no" as it is, and makes a "yes" unclear. */
  | 'picture'
  | 'unknown'
type Meant = { sense: Sense; clause: number }

const readPhrases = createPhraseReader<Role>(
  { ...AGREEMENT_PHRASES, ...DENIED_PHRASES },
  { roles: ['doing', 'cancelling'], takes: isDenial },
)

/** Returns whether a piece negates the next one. `لا` before a permitted act is "do not"; alone it is "no". */
function isDenial({ role, words }: Piece<Role>): boolean {
  if (role === 'not') return true
  // "Why not" agrees.
  return role !== 'soft' && /(^| )(لا|la|dont|do not|بلاش)$/.test(words)
}

function readText(text: string, { kind, stated }: StatedProposal): Reading {
  if (text.length > AGREEMENT_LIMITS.textUnits) return 'unclear'
  const isCancelling = kind === 'cancellation'
  const { pieces, asking } = readPhrases(withoutNamedAct(text, actWordsOf(stated, isCancelling)))
  const meant = meaningOf(pieces, isCancelling)
  const has = (...senses: Sense[]) => meant.some(({ sense }) => senses.includes(sense))
  const asks = asking.size > 0
  // "OK, don't cancel it."
  if (has('kept') && !asks && !has('cancels', 'unknown', 'hold')) return 'refuses'
  const agrees = has('yes', 'cancels') || (has('half') && has('kind'))
  if (!agrees && has(...REFUSES)) return readRefusal(meant, asking)
  const adds =
    asks || has(...REFUSES, 'unknown', 'picture', 'trail', 'hold', 'said') || fadesOut(meant)
  // The words for calling something off drop the proposal, when it is no cancellation.
  if (has('off')) return adds || has('yes', 'half', 'soft', 'want') ? 'unclear' : 'refuses'
  if (adds || (isCancelling && has('want'))) return 'unclear'
  if (agrees) return 'agrees'
  return has('want') ? 'unclear' : 'nothing'
}

const REFUSES: readonly Sense[] = ['no', 'refusal', 'kept']

/** Returns whether an agreement is no answer: "Yes, hello" answers a call, and "OK, enough" drops the matter. */
function fadesOut(meant: readonly Meant[]): boolean {
  const yes = meant.findLastIndex(({ sense }) => sense === 'yes' || sense === 'cancels')
  // "Cancel it, that is all."
  const isNamed = meant.some(({ sense }) => sense === 'cancels')
  const last = meant.findLastIndex(
    ({ sense }) => sense === 'greeting' || (sense === 'enough' && !isNamed),
  )
  return yes !== -1 && last > yes
}

/** Reads a text that has a "no" and no "yes". */
function readRefusal(meant: readonly Meant[], asking: ReadonlySet<number>): Reading {
  const first = meant.find(({ sense }) => REFUSES.includes(sense))!
  const clause = meant.filter((one) => one.clause === first.clause)
  if (asking.has(first.clause) || clause.some(({ sense }) => ['soft', 'half'].includes(sense))) {
    return 'unclear'
  }
  // "No, wait."
  if (meant.findLast(({ sense }) => [...REFUSES, 'hold'].includes(sense))!.sense === 'hold') {
    return 'unclear'
  }
  if (meant.some(({ sense }) => sense === 'refusal' || sense === 'kept')) return 'refuses'
  // "No, …": the words after the comma are the reason, or another wish.
  return clause.every(({ sense }) => !['unknown', 'hold'].includes(sense)) ? 'refuses' : 'unclear'
}

function meaningOf(pieces: readonly Piece<Role>[], isCancelling: boolean): Meant[] {
  const meant: Meant[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    const next = pieces[at + 1]
    const behind = next?.clause === piece.clause ? next : undefined
    const denied = isDenial(piece) ? deny(piece, behind, pieces[at + 2], isCancelling) : null
    if (denied) {
      meant.push({ sense: denied.sense, clause: piece.clause })
      at += denied.takes
    } else if (piece.role === 'noWant' || piece.role === 'noWantIt') {
      const sense = unwanted(piece.role, behind, isCancelling)
      meant.push({ sense, clause: piece.clause })
      if (sense === 'kept') at++
    } else if (piece.role === 'want' && isCancelling && isCancelWord(behind)) {
      meant.push({ sense: 'cancels', clause: piece.clause })
      at++
    } else meant.push({ sense: plainSense(piece, isCancelling), clause: piece.clause })
  }
  return meant
}

/**
 * Combines a denying word with the piece that it denies, and returns how many pieces after it are consumed. Null for a
 * plain "no", which has its own meaning.
 */
function deny(
  denial: Piece<Role>,
  behind: Piece<Role> | undefined,
  after: Piece<Role> | undefined,
  isCancelling: boolean,
): { sense: Sense; takes: number } | null {
  const denied = behind?.role ?? 'unknown'
  if (denied === 'doing') return { sense: 'refusal', takes: 1 }
  if (denied === 'cancelling') return { sense: isCancelling ? 'kept' : 'hold', takes: 1 }
  if (denial.role === 'no') return null
  if (isCancelWord(behind)) return { sense: isCancelling ? 'kept' : 'hold', takes: 1 }
  if (denied === 'want') {
    const named = after?.clause === denial.clause ? after : undefined
    const sense = unwanted('noWant', named, isCancelling)
    return { sense, takes: sense === 'kept' ? 2 : 1 }
  }
  if (AGREEING.includes(denied)) return { sense: 'refusal', takes: 1 }
  // «غير العنوان» is "change the address" as well.
  if (denied === 'trail' && denial.words !== 'غير') return { sense: 'no', takes: 1 }
  // "Don't", and no more.
  const isAlone = !behind || denied === 'kind' || denied === 'call'
  return { sense: denial.role === 'refusal' && isAlone ? 'refusal' : 'hold', takes: 0 }
}

const AGREEING: readonly (Role | 'unknown')[] = ['yes', 'act', 'soft', 'half']

/**
 * Returns the meaning of an unwanted proposal: a refusal. In a cancellation the customer may mean the goods instead.
 */
function unwanted(
  role: 'noWant' | 'noWantIt',
  behind: Piece<Role> | undefined,
  isCancelling: boolean,
): Sense {
  if (!isCancelling) return 'refusal'
  return role === 'noWant' && isCancelWord(behind) ? 'kept' : 'hold'
}

const isCancelWord = (piece: Piece<Role> | undefined): boolean =>
  piece?.role === 'cancel' || piece?.role === 'cancelIt'

/** The meanings of pieces that differ from their role, in a cancellation and in other proposals. */
const SENSES: Partial<Record<Role, readonly [ofCancelling: Sense, ofOther: Sense]>> = {
  // "Confirm it" may be the order that is to be cancelled.
  act: ['soft', 'yes'],
  cancel: ['soft', 'off'],
  cancelIt: ['cancels', 'off'],
  leave: ['no', 'no'],
  doNot: ['refusal', 'refusal'],
  cancelNot: ['kept', 'hold'],
  not: ['hold', 'hold'],
  doing: ['unknown', 'unknown'],
  cancelling: ['unknown', 'unknown'],
}

function plainSense({ role, words }: Piece<Role>, isCancelling: boolean): Sense {
  if (role === 'unknown' && /^\p{Extended_Pictographic}$/u.test(words)) return 'picture'
  const senses = role === 'unknown' ? undefined : SENSES[role]
  return senses ? senses[isCancelling ? 0 : 1] : (role as Sense)
}
