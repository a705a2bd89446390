/**
 * Decides whether the facts that code knows confirm the statements of a text. Spec: Assistant › Texts that are never
 * sent.
 */
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import type { RequestKind } from '../../../core/vocabulary/statements/requests.ts'
import { foldText, wordsOf } from '../../text/fold-text.ts'
import { readSentences, type Sentence } from './clauses.ts'
import { isConfirmed, kindsOfTool, namesKind, type Deed } from './deeds.ts'
import { looseClause } from './loose-statements.ts'
import { statementsIn } from './read-statements.ts'
import type { Statement } from './statement.ts'

/** The state of a proposal: `stated` when it is shown in this reply, below the text, or otherwise its outcome. */
export type ProposalState =
  | 'stated'
  | 'agreed'
  | 'refused'
  | 'late'
  | 'unclear'
  | 'withdrawn'
  | 'failed'
  | 'unknown'

/** The facts by which the statements of a text are judged, such as the acts that were done. */
export type KnownDeeds = {
  /** The acts that succeeded in this reply or are recorded from before. */
  done: readonly Deed[]
  proposal: { state: ProposalState; tool: string; does?: readonly ClaimKind[] } | null
  /** `made` in this reply, or `open` before it. */
  handover: 'none' | 'made' | 'open'
  /** The customer's own words that are answered, oldest first. */
  said: readonly string[]
  /**
   * Kinds that the customer has asked for without any act; the text is read strictly about them. Absent when there are
   * none.
   */
  atRisk?: readonly RequestKind[]
}

/** The faults of statements: an act that was not done, or the promise of a person without a handover. */
export type StatementFault = 'not_done' | 'promised_person'

/**
 * Returns a text's first act that was not done, else its first promise of a person without a handover. Without either,
 * returns the first vague statement of an act, if the facts require a strict reading. The clause is given as its folded
 * words. Returns null when there is no fault.
 */
export function findUntrue(
  text: string,
  known: KnownDeeds,
): { fault: StatementFault; clause: string } | null {
  const { proposal, done, handover, said, atRisk = [] } = known
  const sentences = readSentences(text)
  const isTrue = (statement: Statement): boolean => {
    if (statement.form === 'staff') return handover !== 'none'
    if (isConfirmed(statement, done)) return true
    return statement.isFramed && statement.form === 'theirs' && isSaid(statement, said)
  }
  let promised: string | null = null
  for (const statement of statementsIn(sentences)) {
    if (isTrue(statement)) continue
    const { form, clause } = statement
    if (form !== 'staff') return { fault: 'not_done', clause }
    promised ??= clause
  }
  if (promised !== null) return { fault: 'promised_person', clause: promised }
  const loose = looseIn(sentences, proposal, atRisk)
  return loose === null ? null : { fault: 'not_done', clause: loose }
}

function looseIn(
  sentences: readonly Sentence[],
  proposal: KnownDeeds['proposal'],
  atRisk: readonly RequestKind[],
): string | null {
  // The confirmation text below already implies that nothing was done yet.
  if (!proposal) return atRisk.length > 0 ? looseClause(sentences, atRisk, 'risk') : null
  if (!isOutcome(proposal.state) || proposal.state === 'agreed') return null
  return looseClause(sentences, proposal.does ?? kindsOfTool(proposal.tool), 'outcome')
}

/** Returns whether a state is an outcome, which the service's own text states to the customer: all but `stated`. */
export const isOutcome = (state: ProposalState): boolean => state !== 'stated'

/** Returns whether the customer used such words, which a reply may then repeat. */
function isSaid(
  { kinds, word }: { kinds: readonly ClaimKind[]; word: string },
  said: readonly string[],
) {
  const words = said.flatMap((text) => wordsOf(foldText(text)))
  return words.some((one) =>
    kinds.some((kind) =>
      kind === 'other' ? one.startsWith(word.slice(0, 4)) : namesKind(one, kind),
    ),
  )
}
