/** The changes of a draft against the published version. */
import { stepAt, type Draft } from '../draft.ts'

/** The differences between two drafts; steps are given by their ids. */
export type Changes = {
  added: string[]
  removed: string[]
  changed: string[]
  trigger: boolean
  channel: boolean
}

/** Returns which steps were added, removed and changed between two drafts, and whether trigger or channel changed. */
export function compareDrafts(before: Draft, after: Draft): Changes {
  const same = (one: unknown, other: unknown) => ordered(one) === ordered(other)
  const kept = Object.keys(after.steps).filter((id) => stepAt(before, id))
  return {
    added: Object.keys(after.steps).filter((id) => !stepAt(before, id)),
    removed: Object.keys(before.steps).filter((id) => !stepAt(after, id)),
    changed: kept.filter((id) => !same(before.steps[id], after.steps[id])),
    trigger: !same(before.trigger, after.trigger),
    channel: before.channelId !== after.channelId,
  }
}

/** Returns a value as JSON with sorted keys, so that their order makes no difference. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
