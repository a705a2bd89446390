/** Language models of accounts, and what of them was used. */
import type { Account, FieldsOf, Recorded } from './records.ts'
import { add, insert, nowOf, read, update } from './records.ts'

/** Returns the models of an account, in their order. */
export const modelsOf = (world: Recorded, { accountId }: Account) =>
  read(world, 'model', { accountId }, 'position')

/** Adds a model to an account, of which no key can be read. */
export async function addUnreadableModel(world: Recorded, { accountId }: Account): Promise<void> {
  const now = nowOf(world)
  const some = { position: 1, kind: 'openai', modelName: 'some', contextTokens: 8_000 }
  const times = { createdAt: now, updatedAt: now }
  await add(world, 'model', { ...some, ...times, accountId, credential: 'x' })
}

/** Changes the stored columns of the model at this position in an account. */
export const putModel = (
  world: Recorded,
  { accountId, position = 1 }: Account & { position?: number },
  set: FieldsOf<'model'>,
) => update(world, 'model', { accountId, position }, set)

/** Returns what an account has used of models, by day and purpose. */
export const modelUseOf = async (world: Recorded, { accountId }: Account) =>
  (await read(world, 'modelDay', { accountId }, 'day', 'purpose')).map(
    ({ purpose, requests, tokensIn, tokensOut, estimated }) => {
      return { purpose, requests, tokensIn, tokensOut, estimated }
    },
  )

/** Records that an account used a model today, and that it was warned of high usage. */
export async function addModelUse(world: Recorded, { accountId }: Account): Promise<void> {
  const day = { accountId, day: nowOf(world) }
  const used = { purpose: 'customer', requests: 1, tokensIn: 100, tokensOut: 20 }
  await insert(world, 'modelDay', { ...day, ...used })
  await insert(world, 'modelWarning', { ...day, percent: 80 })
}
