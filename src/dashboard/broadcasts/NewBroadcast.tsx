import { DraftForm } from './DraftForm.tsx'

export function NewBroadcast() {
  return <DraftForm broadcast={null} />
}
