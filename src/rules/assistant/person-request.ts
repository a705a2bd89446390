/**
 * Whether a short message asks for a person. Read by code, so that it works while no model answers. What is
 * spoken of is not asked for: the words for a person count alone, or right behind what asks for one.
 *
 * Spec: Assistant › Handover.
 */
import { PERSON_REQUEST_LIMITS } from '../../limits/assistant.ts'
import { PERSON_PHRASES } from '../../vocabulary/person-requests.ts'
import { countCodePoints } from '../text/json-text.ts'
import { phraseReader, type Piece } from './read-phrases.ts'

/** `toPerson`: the word with the preposition joined to it, as Arabic does. */
type Role = keyof typeof PERSON_PHRASES | 'toPerson'

const WITH_PREPOSITION = [...PERSON_PHRASES.person, ...PERSON_PHRASES.team, 'شخص|حدا|حد|احد']
  .flatMap((line) => line.split('|'))
  .filter((phrase) => /^\p{Script=Arabic}/u.test(phrase))
  .flatMap((phrase) =>
    phrase.startsWith('ال')
      ? [`ب${phrase}`, `لل${phrase.slice(2)}`, `ع${phrase}`]
      : [`ب${phrase}`, `ل${phrase}`, `ع${phrase}`],
  )

const readPhrases = phraseReader<Role>({ ...PERSON_PHRASES, toPerson: WITH_PREPOSITION })

export function asksForPerson(text: string): boolean {
  if (countCodePoints(text) > PERSON_REQUEST_LIMITS.textChars) return false
  const { pieces, asking } = readPhrases(text)
  const isAlone = pieces.every(({ role }) => ALONE.includes(role))
  if (isAlone && asking.size === 0 && pieces.some(({ role }) => NAMES.includes(role))) return true
  const clauses = Map.groupBy(pieces, ({ clause }) => clause)
  return [...clauses].some(([nth, clause]) => asks(clause, asking.has(nth)))
}

const NAMES: readonly Piece<Role>['role'][] = ['person', 'team', 'callMe']
const ALONE: readonly Piece<Role>['role'][] = [...NAMES, 'to', 'ofPerson', 'or', 'filler']
/** Whom one can wish to be given without saying that one wants to talk to them. */
const GIVEN: readonly Piece<Role>['role'][] = ['person', 'team', 'anybody']
const TALKED_TO: readonly Piece<Role>['role'][] = [...GIVEN, 'toPerson', 'department']

/**
 * What the words before a place have asked for, as far as nothing else stood between. `tells`: not asked for,
 * but wondered at, as in "am I talking to". `isOfYou`: said of whoever answers.
 */
type Asked = Record<'wants' | 'talks' | 'isGiven' | 'denies' | 'tells' | 'isOfYou', boolean>
const NOTHING_ASKED: Asked = {
  wants: false,
  talks: false,
  isGiven: false,
  denies: false,
  tells: false,
  isOfYou: false,
}

function asks(clause: readonly Piece<Role>[], isQuestion: boolean): boolean {
  let asked = NOTHING_ASKED
  for (const [at, { role, words }] of clause.entries()) {
    // "No, I want …" denies what was before it.
    if (words === 'no' && clause[at + 1]?.role === 'want') continue
    if (isChoice(clause, at)) asked = NOTHING_ASKED
    else if (role === 'deny') asked = { ...NOTHING_ASKED, denies: true, isOfYou: asked.isOfYou }
    else if (role === 'want') asked = { ...asked, wants: true, tells: false }
    else if (role === 'talk') asked = { ...asked, talks: !asked.tells }
    else if (role === 'connect') asked = { ...asked, isGiven: true }
    else if (role === 'whether' || (words === 'انا' && isQuestion))
      asked = { ...asked, tells: !asked.wants }
    else if (role === 'you') asked = { ...NOTHING_ASKED, isOfYou: true }
    else if (role === 'robot') {
      // Not to want to talk to a robot is to want a person.
      const isWished = asked.talks || asked.isGiven || asked.wants
      const isRefused = !asked.isOfYou && !isQuestion && isLast(clause, at)
      if (asked.denies && (isWished || isRefused)) return true
      asked = NOTHING_ASKED
    } else if (TALKED_TO.includes(role)) {
      if (!asked.denies && isAskedFor(clause, at, asked)) return true
      if (role !== 'anybody') asked = NOTHING_ASKED
    } else if (role === 'unknown' || role === 'callMe') asked = NOTHING_ASKED
  }
  return false
}

/**
 * Whether an "or" stands there between a person and a robot: who says it wonders which of them answers. The
 * Arabic word for it denies as well.
 */
function isChoice(clause: readonly Piece<Role>[], at: number): boolean {
  const { role, words } = clause[at]!
  if (role !== 'or' && !OR_OR_NOR.includes(words)) return false
  const before = clause.slice(0, at).findLast((piece) => !BESIDE.includes(piece.role))
  const behind = clause.slice(at + 1).find((piece) => !BESIDE.includes(piece.role))
  return TALKED_TO.includes(before?.role ?? 'unknown') && behind?.role === 'robot'
}

const OR_OR_NOR: readonly string[] = ['ولا']
const BESIDE: readonly Piece<Role>['role'][] = ['to', 'ofPerson', 'filler']

function isAskedFor(clause: readonly Piece<Role>[], at: number, asked: Asked): boolean {
  const { role } = clause[at]!
  const behind = clause[at + 1]?.role
  if (asked.talks) return asked.wants || asked.isGiven || !isOneOfTwo(clause, at)
  // "Send me human hair": the word for a person may be a part of another.
  if (asked.isGiven && behind !== 'unknown' && behind !== 'you') return true
  if (!GIVEN.includes(role)) return false
  // "Somebody who answers me."
  if (behind === 'reach' || (behind === 'callMe' && (asked.wants || at === 0))) return true
  return asked.wants && isLast(clause, at)
}

/** Whether the person there is wondered at beside a robot. */
function isOneOfTwo(clause: readonly Piece<Role>[], at: number): boolean {
  const next = clause.findIndex((piece, place) => place > at && !BESIDE.includes(piece.role))
  return next !== -1 && isChoice(clause, next)
}

const SAYS_NO_MORE: readonly Piece<Role>['role'][] = [
  'filler',
  'ofPerson',
  'to',
  'deny',
  'robot',
  'want',
  'talk',
  'connect',
  'person',
  'team',
  'or',
  'you',
]

/** Whether nothing stands behind but what changes nothing, or says what for. */
function isLast(clause: readonly Piece<Role>[], at: number): boolean {
  const behind = clause.slice(at + 1)
  const first = behind.find(({ role }) => !SAYS_NO_MORE.includes(role))
  return first === undefined || first.role === 'about'
}
