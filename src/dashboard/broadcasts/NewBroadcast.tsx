import { DraftForm } from './DraftForm.tsx'

/** The page with the form of a new broadcast. */
export function NewBroadcast() {
  return <DraftForm broadcast={null} />
}
