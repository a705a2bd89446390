import { Ltr } from '../parts/Code.tsx'
import { Rich } from '../words/use-words.tsx'
import { actionsWords } from './words.ts'

/** A help text of an action's form, which shows placeholders as they are typed. */
export function Placeholders({ say }: { say: 'path_help' | 'identity_help' | 'statement_help' }) {
  const args = <Ltr>{'{{args.name}}'}</Ltr>
  const identity = <Ltr>{'{{identity}}'}</Ltr>
  return <Rich words={actionsWords} say={say} with={{ args, identity }} />
}
