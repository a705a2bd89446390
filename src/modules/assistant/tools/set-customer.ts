import type { Kysely } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { editContacts } from '../../messaging/edit-contacts.ts'
import { LANGUAGES, type Language } from '../../../core/vocabulary/hooks.ts'
import { lockForChange, NOT_HANDLED_HERE } from './lock-for-change.ts'
import {
  quoted,
  readChoiceArgument,
  readNamedArguments,
  refusalResult,
  WrongInput,
} from './read-input.ts'
import type { Tool, ToolContext } from './tool.ts'

const NAME = 'set_customer'

/**
 * The tool that sets the customer's language and tags, limited to the tags that the company allows. It never sets
 * name, number or e-mail address: a customer's words must not verify themselves.
 */
export const setCustomerTool: Tool = {
  async offer({ db }, toolContext) {
    if (toolContext.contactId === null) return []
    const tags = await tagsOf(db.kysely, toolContext)
    return [
      {
        name: NAME,
        description:
          'Notes in which language the customer wants to be written to, or gives them tags that fit. The customer is not told of it.',
        parameters: {
          type: 'object',
          properties: {
            language: { type: 'string', enum: [...LANGUAGES] },
            ...(tags.length > 0 && {
              tags: { type: 'array', items: { type: 'string', enum: tags } },
            }),
          },
          required: [],
          additionalProperties: false,
        },
      },
    ]
  },
  isNamed: (name) => name === NAME,
  async use({ db, clock, ids }, toolContext, _name, args) {
    const { companyId, contactId } = toolContext
    if (contactId === null)
      return refusalResult('The customer is not known here: nothing can be noted.')
    const change = readChange(args, await tagsOf(db.kysely, toolContext))
    if (change instanceof WrongInput) return refusalResult(change.message)
    const now = clock.now()
    return transaction(db, async (tx) => {
      const locked = await lockForChange(tx, toolContext, now)
      if (!locked) return NOT_HANDLED_HERE
      const company = { id: companyId, name: locked.companyName }
      const edited = await editContacts(tx, { ids, now }, [{ company, contactId, ...change }])
      const leftOut = edited.get(contactId)?.tagsLeftOut ?? []
      if (leftOut.length === 0) return { text: 'It is noted.', isDone: true, hasEffect: true }
      const names = leftOut.map(quoted).join(', ')
      return {
        text: `The customer has too many tags: ${names} could not be given.`,
        isDone: false,
        hasEffect: true,
      }
    })
  },
}

async function tagsOf(db: Kysely<DB>, { companyId, known }: ToolContext): Promise<string[]> {
  if (known) return known.tags
  const row = await db
    .selectFrom('assistant')
    .select('tags')
    .where('companyId', '=', companyId)
    .executeTakeFirst()
  return row?.tags ?? []
}

function readChange(
  args: unknown,
  allowed: readonly string[],
): { language?: Language; addTags?: string[] } | WrongInput {
  const given = readNamedArguments(args, ['language', 'tags'])
  if (given instanceof WrongInput) return given
  const language = readChoiceArgument(given, 'language', LANGUAGES)
  if (language instanceof WrongInput) return language
  const tags = given['tags'] ?? []
  const isAllowed = (tag: unknown) => typeof tag === 'string' && allowed.includes(tag)
  if (!Array.isArray(tags) || !tags.every(isAllowed)) {
    const names = allowed.map(quoted).join(', ')
    return new WrongInput(
      allowed.length === 0 ? 'No tags can be given.' : `tags must be a list of: ${names}.`,
    )
  }
  if (language === null && tags.length === 0) return new WrongInput('Give a language or tags.')
  return {
    ...(language !== null && { language }),
    ...(tags.length > 0 && { addTags: tags as string[] }),
  }
}
