/** What an action has called is told, whatever becomes of the database meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAction } from '../../src/connections/call-action.ts'
import { confirmProposal } from '../../src/connections/confirm-proposal.ts'
import type { CallDeps } from '../../src/connections/make-call.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { COULD_NOT_CHECK } from '../../src/rules/calls/action-answer.ts'
import { createDatabaseDoor } from '../support/database-door.ts'
import {
  createActionWorld,
  idOf,
  ORDER,
  type ActionInput,
  type ActionWorld,
} from './action-world.ts'
import { systemTest } from '../support/system-tests.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())

const CANCEL: ActionInput = {
  parameters: [ORDER],
  request: { method: 'POST', path: '/cancel', body: '{"order":"{{args.order}}"}' },
  shown: [{ label: 'Status', path: 'order.status' }],
}
const ARGS = { order: '7' }
const TOLD = { kind: 'called', text: 'Status: cancelled', isDone: true, hasEffect: true }
const replyOf = (conversationId: string) => ({
  companyId: w.shop.companyId,
  conversationId,
  replyId: w.world.service.context.ids.uuid(),
})

/** Makes a call with a database that goes away once the API has the request. */
async function withDatabaseLost<Told>(call: (deps: CallDeps) => Promise<Told>): Promise<Told> {
  const door = await createDatabaseDoor(w.world.database.connection)
  const db = connectDatabase(door.connection)
  w.api.reply((_, response) => {
    door.shut()
    response.end('{"order":{"status":"cancelled"}}')
  })
  try {
    return await call({ ...w.deps, db })
  } finally {
    await db.close()
    await door.close()
  }
}

test('an action that is called at once tells what was answered', async () => {
  const { name } = await w.make({ ...CANCEL, needsConfirmation: false })
  const { conversationId } = await w.customer()
  const told = await withDatabaseLost((deps) =>
    callAction(deps, replyOf(conversationId), { tool: name, args: ARGS }),
  )
  expect(told).toEqual(TOLD)
})

systemTest('a proposal tells what was answered, and is never called again', async () => {
  const { name } = await w.make({ ...CANCEL, needsConfirmation: true })
  const talk = await w.customer()
  const drafted = await talk.use(name, ARGS)
  await talk.state(drafted)
  w.world.clock.advance(SECOND_MS)
  await talk.write('yes')
  w.api.requests.length = 0
  const told = await withDatabaseLost((deps) =>
    confirmProposal(deps, replyOf(talk.conversationId), idOf(drafted)),
  )
  expect(told).toEqual(TOLD)
  expect(await talk.confirm(drafted)).toMatchObject({ kind: 'called', text: COULD_NOT_CHECK })
  expect(w.api.requests).toHaveLength(1)
})
