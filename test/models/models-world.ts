/** An account with models of a scripted server, and functions that call them. */
import { randomUUID } from 'node:crypto'
import {
  callModels,
  type ModelCall,
  type ModelResult,
} from '../../src/modules/models/call-models.ts'
import type { ModelDeps } from '../../src/modules/models/model-access.ts'
import type { ModelRequest } from '../../src/modules/models/model.ts'
import type { OfferedTool } from '../../src/rules/assistant/offered-tool.ts'
import { sealModelKey } from '../../src/modules/models/model-key.ts'
import type { ModelKind } from '../../src/core/vocabulary/models.ts'
import type { World } from '../support/test-service.ts'

export const KEY = 'sk-test-never-to-be-seen-4321'
/** A text that must not appear in any error, log line or row. */
export const PROMPT = 'The shop opens at nine, and Noura owes 120 riyals'

export const SEARCH: OfferedTool = {
  name: 'search_knowledge',
  description: 'Finds what the shop has written down.',
  parameters: {
    type: 'object',
    properties: { wording: { type: 'string' } },
    required: ['wording'],
    additionalProperties: false,
  },
}

export const ask = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  instructions: [{ text: PROMPT }, { text: 'Be short.' }],
  messages: [{ by: 'customer', text: 'When do you open?' }],
  tools: [SEARCH],
  toolChoice: 'auto',
  maxOutputTokens: 800,
  ...change,
})

export const depsOf = ({ service }: World): ModelDeps => ({
  ...service.context,
  keyRing: service.keyRing,
  models: service.models,
})

/** Returns a call as a reply to a customer makes it, with a minute for all of it. */
export const callOf = ({ clock }: World, accountId: string): ModelCall => ({
  accountId,
  purpose: 'customer',
  request: ask(),
  deadline: new Date(clock.now().getTime() + 60_000),
  signal: new AbortController().signal,
})

/** Calls the models as a reply to a customer does. */
export const askAs = (
  world: World,
  accountId: string,
  change: Partial<ModelCall> = {},
): Promise<ModelResult> => callModels(depsOf(world), { ...callOf(world, accountId), ...change })

type MadeModel = {
  accountId: string
  position?: number
  modelName?: string
  kind?: ModelKind
  baseUrl: string
  contextTokens?: number
}

/** Writes a model's row as the service saves it with the key, whatever its address is. */
export async function addModel(
  { service, database, clock }: World,
  { accountId, position = 1, kind = 'openai_compatible', ...made }: MadeModel,
): Promise<void> {
  const id = randomUUID()
  await database.db.kysely
    .insertInto('model')
    .values({
      id,
      accountId,
      position,
      kind,
      modelName: `model-${position}`,
      contextTokens: 128_000,
      ...made,
      ...sealModelKey(service.keyRing, { id, accountId }, KEY),
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    .execute()
}
