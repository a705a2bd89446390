/** Rules of our own for the linter. */
import { boundedWait } from './bounded-wait.mjs'
import { stepKinds } from './step-kinds.mjs'

export default {
  meta: { name: 'wasla' },
  rules: { 'bounded-wait': boundedWait, 'step-kinds': stepKinds },
}
