/** The linter's rules that this project defines. */
import { boundedWait } from './bounded-wait.mjs'
import { boundsInLimits } from './bounds-in-limits.mjs'
import { deterministicTests } from './deterministic-tests.mjs'
import { docComment } from './doc-comment.mjs'
import { looseText } from './loose-text.mjs'
import { noTablesInTests } from './no-tables-in-tests.mjs'
import { stepKinds } from './step-kinds.mjs'

export default {
  meta: { name: 'wasla' },
  rules: {
    'bounded-wait': boundedWait,
    'bounds-in-limits': boundsInLimits,
    'deterministic-tests': deterministicTests,
    'doc-comment': docComment,
    'loose-text': looseText,
    'no-tables-in-tests': noTablesInTests,
    'step-kinds': stepKinds,
  },
}
