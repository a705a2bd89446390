/** What a flow is made of, as the builder holds it: types of the contract, and its places. */
import type { FlowDraft } from '../../contract/flow-definition.ts'

export type Draft = FlowDraft
export type Step = Draft['steps'][string]
export type StepKind = Step['kind']
export type StepOf<Kind extends StepKind> = Extract<Step, { kind: Kind }>
export type Trigger = Draft['trigger']
export type TriggerOf<Kind extends Trigger['kind']> = Extract<Trigger, { kind: Kind }>

/** Where something can be put: after a step by one of its exits, or first of all (`stepId` null). */
export type Place = { stepId: string | null; exit: string }

export const START: Place = { stepId: null, exit: 'start' }

/** What a new flow begins as: nothing is chosen, and it ends at once. */
export function emptyDraft(channelId: string): Draft {
  return {
    channelId,
    trigger: { kind: 'manual' },
    start: 'end',
    steps: { end: { kind: 'end' } },
  }
}

/** The step of an id; undefined when the flow has none. */
export function stepAt(draft: Draft, id: string | null): Step | undefined {
  return id !== null && Object.hasOwn(draft.steps, id) ? draft.steps[id] : undefined
}

/** A thing with the value at a path such as `branches[0].next` replaced; undefined takes it away. */
export function withAt<Thing extends object>(thing: Thing, path: string, value: unknown): Thing {
  const places = path.split(/[.[\]]+/).filter((place) => place !== '')
  return replaced(thing, places, value) as Thing
}

function replaced(thing: unknown, [place, ...rest]: string[], value: unknown): unknown {
  if (place === undefined) return value
  if (Array.isArray(thing)) {
    return thing.map((item: unknown, at) =>
      at === Number(place) ? replaced(item, rest, value) : item,
    )
  }
  const old = thing as Record<string, unknown>
  const { [place]: before, ...others } = old
  const after = replaced(before, rest, value)
  return after === undefined ? others : { ...old, [place]: after }
}
