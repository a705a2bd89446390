import { z } from 'zod'
import type { CustomerActions } from './customer-actions.ts'
import type { IdentityActions } from './identity-actions.ts'
import { SAMPLES } from './sample-messages.ts'
import type { SampleKind } from './sample-messages.ts'
import type { StatusProgress } from './status-progress.ts'

const chat = { from: z.string().max(32), phoneNumberId: z.string().max(64).optional() }
const text = z.string().trim().min(1).max(4_096)
const kinds = Object.keys(SAMPLES) as [SampleKind, ...SampleKind[]]

const ACTION = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('addPerson'),
    number: z.string().max(32),
    name: z.string().max(80).optional(),
  }),
  z.object({ action: z.literal('sendText'), ...chat, text }),
  z.object({ action: z.literal('sendSample'), ...chat, kind: z.enum(kinds) }),
  z.object({
    action: z.literal('tapButton'),
    messageId: z.string().max(200),
    buttonIndex: z.int().min(0).max(20),
  }),
  z.object({
    action: z.literal('answerByHand'),
    from: chat.from.nullable(),
    isByHand: z.boolean(),
  }),
  z.object({ action: z.literal('hideNumber'), from: chat.from, isHidden: z.boolean() }),
  z.object({
    action: z.literal('changeNumber'),
    from: chat.from,
    to: chat.from.optional(),
    isShared: z.boolean(),
  }),
  z.object({
    action: z.literal('giveNumberAway'),
    from: chat.from,
    name: z.string().max(80).optional(),
  }),
  z.object({ action: z.literal('changePortfolio'), phoneNumberId: z.string().max(64) }),
  z.object({ action: z.literal('ownerAnswers'), ...chat, text }),
  z.object({ action: z.literal('advanceWindow'), ...chat, hours: z.number().min(0).max(1_000) }),
  z.object({ action: z.literal('readChat'), from: chat.from, phoneNumberId: z.string().max(64) }),
])

type Action = z.output<typeof ACTION>

/** Returns the action that the phone page requests, or an explanation if it is invalid. */
export function readAction(body: unknown): Action | string {
  const read = ACTION.safeParse(body)
  return read.success ? read.data : z.prettifyError(read.error)
}

/**
 * Executes an action that the phone page requested.
 * @throws Error if the phone, number, message or button does not exist
 */
export function doAction(
  action: Action,
  actions: CustomerActions & IdentityActions,
  progress: StatusProgress,
): unknown {
  // Removes undefined keys, which TypeScript distinguishes from missing ones.
  const given = <T extends object>(value: T) => JSON.parse(JSON.stringify(value)) as Given<T>
  switch (action.action) {
    case 'addPerson':
      return { number: actions.addPerson(given(action)).number }
    case 'sendText':
      return { wamid: actions.sendText(given(action)) }
    case 'sendSample':
      return { wamid: actions.sendSample(given(action)) }
    case 'tapButton':
      return { wamid: actions.tapButton(action) }
    case 'answerByHand':
      actions.answerByHand(action)
      return {}
    case 'hideNumber':
      actions.hideNumber(action)
      return {}
    case 'changeNumber':
      return { number: actions.changeNumber(given(action)) }
    case 'giveNumberAway':
      return { number: actions.giveNumberAway(given(action)) }
    case 'changePortfolio':
      return { businessAccountId: actions.changePortfolio(action) }
    case 'ownerAnswers':
      return { wamid: actions.ownerAnswers(given(action)) }
    case 'advanceWindow':
      actions.advanceWindow(given(action))
      return {}
    case 'readChat':
      progress.readChat(action.phoneNumberId, action.from)
      return {}
  }
}

type Given<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}
