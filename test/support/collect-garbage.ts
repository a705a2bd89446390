import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects the garbage of this process now, which V8 would otherwise leave while it has memory. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
