/**
 * Detects a short message that asks for a person. Code reads it, so that it works while no model responds. A mention is
 * no request: the words for a person count alone, or directly after a request.
 *
 * Spec: Assistant › Handover.
 */
import { PERSON_REQUEST_LIMITS } from '../../core/limits/assistant.ts'
import { PERSON_PHRASES } from '../../core/vocabulary/person-requests.ts'
import { countCodePoints } from '../text/json-text.ts'
import { createPhraseReader, type Piece } from './read-phrases.ts'

/** The roles of pieces. `toPerson` is a word with the preposition attached, as Arabic writes it. */
type Role = keyof typeof PERSON_PHRASES | 'toPerson'

const WITH_PREPOSITION = [
  ...PERSON_PHRASES.person,
  ...PERSON_PHRASES.team,
  ...PERSON_PHRASES.department,
  'شخص|حدا|حد|احد',
]
  .flatMap((line) => line.split('|'))
  .filter((phrase) => /^\p{Script=Arabic}/u.test(phrase))
  .flatMap((phrase) =>
    phrase.startsWith('ال')
      ? [`ب${phrase}`, `لل${phrase.slice(2)}`, `ع${phrase}`]
      : [`ب${phrase}`, `ل${phrase}`, `ع${phrase}`],
  )

const readPhrases = createPhraseReader<Role>({ ...PERSON_PHRASES, toPerson: WITH_PREPOSITION })

/** Returns whether a customer's message asks for a human. */
export function asksForPerson(text: string): boolean {
  if (countCodePoints(text) > PERSON_REQUEST_LIMITS.textChars) return false
  const { pieces, asking } = readPhrases(text)
  const clauses = Map.groupBy(pieces, ({ clause }) => clause)
  if (asking.size === 0 && isNamedAlone(pieces, clauses)) return true
  if (isToBeTransferred(pieces)) return true
  if ([...clauses].some(([nth, clause]) => asks(clause, asking.has(nth)))) return true
  if (wondersWhere(pieces) || asksForThem(pieces, clauses)) return true
  // "Is this a bot? Transfer me." The earlier piece names the recipient.
  return (
    pieces.some(({ role }) => WONDERED_AT.includes(role)) &&
    clauses.values().some((clause) => isToBeGiven(clause))
  )
}

/**
 * Returns whether a text, or one of its clauses, only names a person. A clause counts when it is polite, or when the
 * other clauses are all understood: "This is useless, agent please", "Enough. Agent."
 */
function isNamedAlone(
  pieces: readonly Piece<Role>[],
  clauses: ReadonlyMap<number, readonly Piece<Role>[]>,
): boolean {
  if (isNamed(pieces)) return true
  const isUnderstood = pieces.every(({ role }) => role !== 'unknown')
  return clauses.values().some((clause) => {
    return isNamed(clause) && (isUnderstood || clause.some(({ role }) => role === 'filler'))
  })
}

/** Returns whether these pieces name a person and no more: "I am the manager" says more. */
function isNamed(pieces: readonly Piece<Role>[]): boolean {
  const named = pieces.findIndex(({ role }) => NAMES.includes(role))
  return (
    named !== -1 &&
    pieces[named - 1]?.words !== 'انا' &&
    pieces.every(({ role }) => ALONE.includes(role))
  )
}

/** "Transfer me please": only a person can be meant. */
const TRANSFERS = new Set([
  'transfer me',
  'put me through',
  'hand me over',
  'حولني',
  'حوليني',
  'حولوني',
])

const isToBeTransferred = (pieces: readonly Piece<Role>[]): boolean =>
  pieces.some(({ words }) => TRANSFERS.has(words)) &&
  pieces.every(({ role, words }) => role === 'filler' || role === 'want' || TRANSFERS.has(words))

const OF_WHERE: readonly Piece<Role>['role'][] = ['where', 'person', 'filler', 'to']

/** Returns whether a text only asks where a person is: "Where is the agent?" */
function wondersWhere(pieces: readonly Piece<Role>[]): boolean {
  const has = (role: Role) => pieces.some((piece) => piece.role === role)
  return has('where') && has('person') && pieces.every(({ role }) => OF_WHERE.includes(role))
}

/** Returns whether a text names a person and then asks for them: "Where is the agent? I want to talk to him." */
function asksForThem(
  pieces: readonly Piece<Role>[],
  clauses: ReadonlyMap<number, readonly Piece<Role>[]>,
): boolean {
  const named = pieces.findIndex(({ role }) => role === 'person' || role === 'team')
  if (named === -1) return false
  return clauses.values().some((clause) => {
    const at = clause.findIndex(({ role }) => role === 'talkToThem')
    const before = clause.slice(0, Math.max(0, at))
    const isBehind = at !== -1 && pieces.indexOf(clause[at]!) > named
    const wants = before.some(({ role }) => role === 'want')
    return isBehind && wants && !before.some(({ role }) => role === 'deny')
  })
}

const WONDERED_AT: readonly Piece<Role>['role'][] = ['person', 'team', 'robot']
const GIVE_ME: readonly Piece<Role>['role'][] = ['connect', 'want', 'filler']

/** Returns whether a clause only asks to be connected. */
function isToBeGiven(clause: readonly Piece<Role>[]): boolean {
  return (
    clause.some(({ role }) => role === 'connect') &&
    clause.every(({ role }) => GIVE_ME.includes(role))
  )
}

const NAMES: readonly Piece<Role>['role'][] = ['person', 'team', 'callMe']
const ALONE: readonly Piece<Role>['role'][] = [...NAMES, 'to', 'ofPerson', 'or', 'filler']
/** The recipients of a request that does not mention talking. */
const GIVEN: readonly Piece<Role>['role'][] = ['person', 'team', 'anybody']
const TALKED_TO: readonly Piece<Role>['role'][] = [...GIVEN, 'toPerson', 'department']

/**
 * The request in the adjacent words before an index. `tells` marks a question, as in "am I talking to". `isOfYou` marks
 * words about the answering side.
 */
type RequestParts = Record<'wants' | 'talks' | 'isGiven' | 'denies' | 'tells' | 'isOfYou', boolean>
const NOTHING_ASKED: RequestParts = {
  wants: false,
  talks: false,
  isGiven: false,
  denies: false,
  tells: false,
  isOfYou: false,
}

function asks(clause: readonly Piece<Role>[], isQuestion: boolean): boolean {
  let parts = NOTHING_ASKED
  for (const at of clause.keys()) {
    if (isMeant(clause, at, parts, isQuestion)) return true
    parts = goOn(clause, at, parts, isQuestion)
  }
  return false
}

/** Returns whether the request up to an index refers to the piece at that index. */
function isMeant(
  clause: readonly Piece<Role>[],
  at: number,
  parts: RequestParts,
  isQuestion: boolean,
): boolean {
  const { role } = clause[at]!
  if (TALKED_TO.includes(role)) return !parts.denies && isAskedFor(clause, at, parts)
  if (role !== 'robot' || !parts.denies) return false
  // A customer who does not want to talk to a robot wants a person.
  if (parts.talks || parts.isGiven || parts.wants) return true
  return !parts.isOfYou && !isQuestion && isLast(clause, at)
}

function goOn(
  clause: readonly Piece<Role>[],
  at: number,
  parts: RequestParts,
  isQuestion: boolean,
): RequestParts {
  const { role, words } = clause[at]!
  // "No, I want …" negates the words before it.
  if (words === 'no' && clause[at + 1]?.role === 'want') return parts
  if (isChoice(clause, at)) return NOTHING_ASKED
  if (words === 'انا' && isQuestion) return { ...parts, tells: !parts.wants }
  return GOES_ON[role]?.(parts) ?? parts
}

const nothing = () => NOTHING_ASKED

/** The request after a piece of each role; other roles leave it unchanged. */
const GOES_ON: Partial<Record<Piece<Role>['role'], (parts: RequestParts) => RequestParts>> = {
  deny: ({ isOfYou }) => ({ ...NOTHING_ASKED, denies: true, isOfYou }),
  want: (parts) => ({ ...parts, wants: true, tells: false }),
  talk: (parts) => ({ ...parts, talks: !parts.tells }),
  connect: (parts) => ({ ...parts, isGiven: true }),
  whether: (parts) => ({ ...parts, tells: !parts.wants }),
  you: () => ({ ...NOTHING_ASKED, isOfYou: true }),
  robot: nothing,
  person: nothing,
  team: nothing,
  toPerson: nothing,
  department: nothing,
  unknown: nothing,
  callMe: nothing,
}

/**
 * Returns whether a piece is an "or" between a person and a robot: the customer wonders which of them answers. The
 * Arabic word for it also denies.
 */
function isChoice(clause: readonly Piece<Role>[], at: number): boolean {
  const { role, words } = clause[at]!
  if (role !== 'or' && !OR_OR_NOR.includes(words)) return false
  const before = clause.slice(0, at).findLast((piece) => !IGNORED_ROLES.includes(piece.role))
  const behind = clause.slice(at + 1).find((piece) => !IGNORED_ROLES.includes(piece.role))
  return TALKED_TO.includes(before?.role ?? 'unknown') && behind?.role === 'robot'
}

const OR_OR_NOR: readonly string[] = ['ولا']
const IGNORED_ROLES: readonly Piece<Role>['role'][] = ['to', 'ofPerson', 'filler']

function isAskedFor(clause: readonly Piece<Role>[], at: number, parts: RequestParts): boolean {
  const { role } = clause[at]!
  const behind = clause[at + 1]?.role
  if (parts.talks) return parts.wants || parts.isGiven || !isOneOfTwo(clause, at)
  // "Send me human hair": the word for a person may belong to another phrase.
  if (parts.isGiven && behind !== 'unknown' && behind !== 'you') return true
  if (!GIVEN.includes(role)) return false
  // "A person who answers me."
  if (
    behind === 'reach' ||
    behind === 'talkToThem' ||
    (behind === 'callMe' && (parts.wants || at === 0))
  )
    return true
  return parts.wants && isLast(clause, at)
}

/** Returns whether the person at an index is an alternative to a robot. */
function isOneOfTwo(clause: readonly Piece<Role>[], at: number): boolean {
  const next = clause.findIndex((piece, place) => place > at && !IGNORED_ROLES.includes(piece.role))
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
  'department',
  'or',
  'you',
]

/** Returns whether only neutral words or the topic follow an index. */
function isLast(clause: readonly Piece<Role>[], at: number): boolean {
  const behind = clause.slice(at + 1)
  const first = behind.find(({ role }) => !SAYS_NO_MORE.includes(role))
  return first === undefined || first.role === 'about'
}
