/** What differs between two versions of a flow: what a member looks through before publishing. */

/** As much of a flow's definition as is compared; all of it is plain JSON. */
export type ComparedFlow = {
  channelId: string
  trigger: object
  start: string
  steps: Readonly<Record<string, object>>
}

export type FlowChanges = {
  channel: boolean
  trigger: boolean
  /** The step that comes first. */
  start: boolean
  /** Ids of steps, in the order in which their flow has them. */
  added: string[]
  removed: string[]
  /** `fields`: the names of what differs in the step, such as `text` or the exit `next`. */
  changed: { stepId: string; fields: string[] }[]
}

/** A step is known by its id: under another one it is removed and added. */
export function compareFlows(before: ComparedFlow, after: ComparedFlow): FlowChanges {
  const idsBefore = Object.keys(before.steps)
  const idsAfter = Object.keys(after.steps)
  return {
    channel: before.channelId !== after.channelId,
    trigger: !isSame(before.trigger, after.trigger),
    start: before.start !== after.start,
    added: idsAfter.filter((id) => !Object.hasOwn(before.steps, id)),
    removed: idsBefore.filter((id) => !Object.hasOwn(after.steps, id)),
    changed: idsBefore
      .filter((id) => Object.hasOwn(after.steps, id))
      .map((stepId) => ({
        stepId,
        fields: unlikeFields(before.steps[stepId]!, after.steps[stepId]!),
      }))
      .filter(({ fields }) => fields.length > 0),
  }
}

/** The order of an object's parts says nothing, that of a list does; what is undefined is not there. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return false
    return one.length === other.length && one.every((part, place) => isSame(part, other[place]))
  }
  if (isObject(one) && isObject(other)) return unlikeFields(one, other).length === 0
  return Object.is(one, other)
}

function unlikeFields(one: object, other: object): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isSame(valueOf(one, name), valueOf(other, name)))
}

function valueOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
