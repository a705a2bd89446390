/**
 * Words of the code base's former dialect, with the usual word that replaces each. The check of prose and the linter's
 * rule `doc-comment` refuse them in comments, documents, titles of tests, log messages and commit subjects.
 */
const BANNED = [
  [/\bthe house\b/i, 'code base, service'],
  [/\bdoors?\b/i, 'client, route'],
  [/\bdesks?\b/i, 'batcher'],
  [/\berrands?\b/i, 'inline effect'],
  [/\bdut(?:y|ies)\b/i, 'worker'],
  [/\bnouns?\b/i, 'entity, route group'],
  [/\bborn\b/i, 'eager'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'besides, next to, concurrently with'],
  [/\b(?:whoever|whom|whomever)\b/i, 'the actor by name'],
  [/\b(?:somebody|nobody)\b/i, 'the actor by name'],
  [/\bstrangers?\b/i, 'unauthenticated client'],
  [/\b(?:hangs?|hung) on\b/i, 'depends on'],
  [/\b(?:goes|go|went) by\b/i, 'uses'],
  [/\b(?:comes?|came|become) of\b/i, 'results from, outcome'],
  [/\bis so\b(?=[.,;:]|$)/i, 'is true'],
  [/\bwhat is so already\b/i, 'if unchanged'],
  [
    /\b(?:takes?|took|taken|taking) in\b(?! (?:the|a|one) (?:same )?(?:transaction|lock|batch))/i,
    'ingest',
  ],
  [/\b(?:tells?|telling) of\b/i, 'report'],
  [/\btold\b/i, 'sent, shown, returned'],
  [/\b(?:stands?|stood)\b(?! for\b|-)/i, 'is in, is stored in'],
  [/\b(?:lies?|lay) (?:in|on|at|there|here|outside|within|between|before|after|with)\b/i, 'is in'],
  [/\bin earnest\b/i, 'for real'],
  [/\bas (?:it|they) stands?\b/i, 'current'],
  [/\bof (?:its|their|his|our) own\b/i, 'own, separate'],
  [/\bof ours\b|\bours\b/i, 'internal, of this service'],
  [/\bputs? right\b/i, 'fix'],
  [/\b(?:bears?|bore|borne)\b/i, 'has, carries'],
  [/\bunless told\b/i, 'by default'],
  [/\bso many\b(?! that\b)/i, 'at most N'],
  [/\bthe one way\b/i, 'the only way'],
  [/\bin hand\b/i, 'claimed'],
  [/\bunder way\b/i, 'in progress, in flight'],
  [/\bby (?:itself|themselves)\b/i, 'automatically, alone'],
  [/\ba handful of statements\b/i, 'a constant number of statements'],
  [/\bat rest\b/i, 'idle (for encryption: when stored)'],
  [/\bat once\b/i, 'immediately, or concurrently'],
  [/\bfurther\b/i, 'additional'],
  [/\bshall\b/i, 'must'],
]

/** Returns the dialect words of a text, each as `"word": replacement`. */
export function findBannedWords(text) {
  return BANNED.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text)
    return found
      ? [{ index: found.index, message: `"${found[0]}" is dialect; write: ${instead}` }]
      : []
  })
}
