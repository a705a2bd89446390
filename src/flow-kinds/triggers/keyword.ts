import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { foldText, hasPhrase, wordsOf } from '../../rules/text/fold-text.ts'
import type { TriggerDefinition, TriggerIssue } from './trigger-design.ts'

const schema = z.object({
  kind: z.literal('keyword'),
  words: z.array(z.string().min(1).max(FLOW_LIMITS.keywordChars)).min(1).max(FLOW_LIMITS.keywords),
  /** The keyword is the whole message, or one of its words. */
  match: z.enum(['exact', 'contained']).default('contained'),
  /** A message that is only a keyword starts the flow even while a run waits for a reply. */
  interrupts: z.boolean().default(false),
})

/** Matches runs of characters that are neither letters nor digits. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s]+/gu

/** The rank of a keyword with the match `exact`, higher than that of any contained keyword. */
const EXACT = 1_000_000

/** The trigger for a keyword in a customer's message. Spec: Flows › Triggers; readings F19, F20, F24, F25. */
export const KEYWORD = {
  schema,
  opensWindow: true,
  needsTemplateFirst: false,
  mayRunDuringStaffHandling: false,
  sets: () => [],
  issues({ words }, { others }) {
    const issues: TriggerIssue[] = []
    for (const word of words) {
      const phrase = foldText(word)
      if (phrase === '') {
        const empty = fact('trigger_keyword_empty', { word })
        issues.push({ rule: 'keyword_readable', fact: empty, isWarning: false })
        continue
      }
      if (phrase.length > FLOW_LIMITS.keywordFoldedChars) {
        const long = fact('trigger_keyword_too_long', { word })
        issues.push({ rule: 'keyword_readable', fact: long, isWarning: false })
        continue
      }
      const other = others.find((one) => one.kind === 'keyword' && one.phrase === phrase)
      if (!other) continue
      const taken = fact('trigger_keyword_taken', { word, flow: other.flowName })
      issues.push({ rule: 'trigger_unique', fact: taken, isWarning: true })
    }
    return issues
  },
  byMessage: {
    precedence: 2,
    isExclusive: false,
    entriesOf({ words, match, interrupts }) {
      const phrases = new Set(words.map(foldText).filter((phrase) => phrase !== ''))
      const isExact = match === 'exact'
      return [...phrases].map((phrase) => ({ key: keyOf(phrase), phrase, isExact, interrupts }))
    },
    keysOf: ({ text }) => (text === null ? [] : keysIn(text)),
    fit({ phrase, isExact, interrupts }, { text }) {
      if (text === null) return null
      const rank = isExact ? EXACT : phrase.length
      if (text === phrase) return { rank, waitingRun: interrupts ? 'ends' : 'gets_it' }
      return !isExact && hasPhrase(text, phrase) ? { rank, waitingRun: 'gets_it' } : null
    },
  },
} satisfies TriggerDefinition<z.infer<typeof schema>>

/** Returns the key of a keyword: its first word, or its first sign when it has no letters. */
function keyOf(phrase: string): string {
  return wordsOf(phrase)[0] ?? phrase.split(' ', 1)[0]!
}

/**
 * Returns the words and signs that can begin a keyword in a text, up to a limit. Signs need no space around them: next
 * to a word, or repeated, each counts.
 */
function keysIn(text: string): string[] {
  const words = wordsOf(text)
  const signs = (text.match(SIGNS) ?? []).flatMap((some) => [some, ...some])
  return [...new Set([...words, ...signs])].slice(0, FLOW_LIMITS.keywordsLookedFor)
}
