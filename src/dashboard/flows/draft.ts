/** The parts of a flow in the builder: types of the contract, and places in the flow. */
import type { FlowDraft } from '../../contract/flow-definition.ts'

/** A flow in the builder: its channel, its trigger, and its steps by id. */
export type Draft = FlowDraft
export type Step = Draft['steps'][string]
export type StepKind = Step['kind']
export type StepOf<Kind extends StepKind> = Extract<Step, { kind: Kind }>
export type Trigger = Draft['trigger']
export type TriggerOf<Kind extends Trigger['kind']> = Extract<Trigger, { kind: Kind }>

/** A place for a step: after an exit of another step, or at the start of the flow (`stepId` null). */
export type Place = { stepId: string | null; exit: string }

/** The place before the first step. */
export const START: Place = { stepId: null, exit: 'start' }

/** Returns a new flow without any choice, whose run ends immediately. */
export function emptyDraft(channelId: string): Draft {
  return {
    channelId,
    trigger: { kind: 'manual' },
    start: 'end',
    steps: { end: { kind: 'end' } },
  }
}

/** Returns the step with an id, or undefined if the flow has none. */
export function stepAt(draft: Draft, id: string | null): Step | undefined {
  return id !== null && Object.hasOwn(draft.steps, id) ? draft.steps[id] : undefined
}

/** Returns an object with the value at a path such as `branches[0].next` replaced; undefined removes the value. */
export function withAt<Thing extends object>(thing: Thing, path: string, value: unknown): Thing {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  return replaced(thing, names, value) as Thing
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
