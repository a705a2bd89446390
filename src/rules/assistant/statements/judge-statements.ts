/** Whether what a text states may stand, by what code knows. Spec: Assistant › What is never sent. */
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import type { RequestKind } from '../../../core/vocabulary/statements/requests.ts'
import { foldText, wordsOf } from '../../text/fold-text.ts'
import { readSentences, type Sentence } from './clauses.ts'
import { isBorneOut, kindsOfTool, namesKind, type Deed } from './deeds.ts'
import { looseClause } from './loose-statements.ts'
import { statementsIn } from './read-statements.ts'
import type { Statement } from './statement.ts'

/** What came of what was proposed to the customer. `stated`: in this reply, below the text. */
export type ProposalState =
  | 'stated'
  | 'agreed'
  | 'refused'
  | 'late'
  | 'unclear'
  | 'withdrawn'
  | 'failed'
  | 'unknown'

export type KnownDeeds = {
  /** What succeeded in this reply or stands in the list of what was done. */
  done: readonly Deed[]
  proposal: { state: ProposalState; tool: string; does?: readonly ClaimKind[] } | null
  /** `made` in this reply, or `open` before it. */
  handover: 'none' | 'made' | 'open'
  /** The customer's own words that are answered, oldest first. */
  said: readonly string[]
  /** What they have asked for and nothing was done of: a text is read strictly there. Absent: nothing. */
  atRisk?: readonly RequestKind[]
}

export type StatementFault = 'not_done' | 'promised_person'

/** What in a text may not stand, with the words of its clause, folded; null where nothing. */
export function findUntrue(
  text: string,
  known: KnownDeeds,
): { fault: StatementFault; clause: string } | null {
  const { proposal, done, handover, said, atRisk = [] } = known
  const sentences = readSentences(text)
  const bears = (statement: Statement): boolean => {
    if (statement.form === 'staff') return handover !== 'none'
    if (isBorneOut(statement, done)) return true
    return statement.isFramed && statement.form === 'theirs' && isSaid(statement, said)
  }
  let promised: string | null = null
  for (const statement of statementsIn(sentences)) {
    if (bears(statement)) continue
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
  // What is stated below the text says by itself that nothing was done yet.
  if (!proposal) return atRisk.length > 0 ? looseClause(sentences, atRisk, 'risk') : null
  if (!isOutcome(proposal.state) || proposal.state === 'agreed') return null
  return looseClause(sentences, proposal.does ?? kindsOfTool(proposal.tool), 'outcome')
}

/** Whether code itself tells the customer what came of it. */
export const isOutcome = (state: ProposalState): boolean => state !== 'stated'

/** Whether the customer spoke of it: they may be given back their own words. */
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
